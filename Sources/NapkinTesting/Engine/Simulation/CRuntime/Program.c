// SPDX-License-Identifier: Apache-2.0
#include "System.h"

#include <string.h>

#if defined(__linux__)
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static uint64_t hash_of(uint64_t hash, const unsigned char *bytes, size_t count) {
  for (; count >= 8; bytes += 8, count -= 8) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  }
  for (; count > 0; bytes++, count--) hash = (hash ^ *bytes) * 0x100000001b3u;
  return hash;
}

// Code and constants, as they are in the file: the copies in memory have been relocated. Debug information is not loaded, so
// it does not count.
static uint64_t hash_of_segments(const unsigned char *file, size_t size) {
  const ElfW(Ehdr) *header = (const ElfW(Ehdr) *)file;
  if (size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return 0;
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t index = 0; index < header->e_phnum; index++) {
    size_t place = header->e_phoff + index * sizeof(ElfW(Phdr));
    if (place > size - sizeof(ElfW(Phdr))) return 0;
    const ElfW(Phdr) *segment = (const ElfW(Phdr) *)(file + place);
    if (segment->p_type != PT_LOAD) continue;
    if (segment->p_offset > size || segment->p_filesz > size - segment->p_offset) return 0;
    hash = hash_of(hash, file + segment->p_offset, segment->p_filesz);
  }
  return hash;
}

const void *napkin_map_program(const char *path, size_t *size) {
  int descriptor = open(path ? path : "/proc/self/exe", O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return NULL;
  struct stat status;
  void *file = MAP_FAILED;
  if (fstat(descriptor, &status) == 0 && status.st_size > 0) {
    *size = (size_t)status.st_size;
    file = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  }
  close(descriptor);
  return file == MAP_FAILED ? NULL : file;
}

uint64_t napkin_program_hash(const char *path) {
  size_t size;
  const void *file = napkin_map_program(path, &size);
  uint64_t hash = file ? hash_of_segments(file, size) : 0;
  if (file) munmap((void *)file, size);
  return hash;
}
#elif defined(__APPLE__) && defined(__LP64__)
#include <dlfcn.h>
#include <mach-o/loader.h>
#include <stdio.h>
#include <stdlib.h>

// The linker gives each build a number of its own, made from code and constants.
static uint64_t number_of_build(const unsigned char *image, size_t size) {
  struct mach_header_64 header;
  if (size < sizeof header) return 0;
  memcpy(&header, image, sizeof header);
  if (header.magic != MH_MAGIC_64) return 0;
  size_t place = sizeof header;
  for (uint32_t index = 0; index < header.ncmds; index++) {
    struct uuid_command command;
    if (size - place < sizeof command) return 0;
    memcpy(&command, image + place, sizeof command);
    if (command.cmd == LC_UUID) {
      uint64_t halves[2];
      memcpy(halves, command.uuid, sizeof halves);
      return halves[0] ^ halves[1];
    }
    if (command.cmdsize < sizeof(struct load_command) || command.cmdsize > size - place) return 0;
    place += command.cmdsize;
  }
  return 0;
}

uint64_t napkin_program_hash(const char *path) {
  // Load commands come first, and this is more than any image has.
  enum { most = 1 << 18 };
  if (!path) {
    // The tests' bundle, not the program that has loaded it; all of its load commands are in memory.
    Dl_info image;
    if (!dladdr((void *)napkin_program_hash, &image) || !image.dli_fbase) return 0;
    const struct mach_header_64 *header = image.dli_fbase;
    return number_of_build(image.dli_fbase, sizeof *header + header->sizeofcmds);
  }
  FILE *file = fopen(path, "rb");
  unsigned char *bytes = file ? malloc(most) : NULL;
  uint64_t number = bytes ? number_of_build(bytes, fread(bytes, 1, most, file)) : 0;
  free(bytes);
  if (file) fclose(file);
  return number;
}
#else
uint64_t napkin_program_hash(const char *path) { return 0; }
#endif
