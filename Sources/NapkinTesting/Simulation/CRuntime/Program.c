// SPDX-License-Identifier: Apache-2.0
#include "NapkinTestingCRuntime.h"

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

// Code and constants, as they are in the file: what lies in memory has been relocated. Debug information is not loaded, so
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

uint64_t napkin_program_hash(const char *path) {
  int descriptor = open(path ? path : "/proc/self/exe", O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return 0;
  struct stat status;
  uint64_t hash = 0;
  if (fstat(descriptor, &status) == 0 && status.st_size > 0) {
    void *file = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (file != MAP_FAILED) {
      hash = hash_of_segments(file, (size_t)status.st_size);
      munmap(file, (size_t)status.st_size);
    }
  }
  close(descriptor);
  return hash;
}
#else
uint64_t napkin_program_hash(const char *path) { return 0; }
#endif
