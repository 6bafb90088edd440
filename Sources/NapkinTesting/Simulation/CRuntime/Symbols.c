// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "NapkinTestingCRuntime.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

extern char *swift_demangle(const char *name, size_t length, char *buffer, size_t *size, uint32_t flags);

#if defined(__linux__) && defined(__LP64__)
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// A test program does not export its functions, so the dynamic linker cannot name them; the symbol table in its file can.
typedef struct {
  const unsigned char *bytes;
  size_t size;
  bool is_relative;
  const Elf64_Sym *symbols;
  size_t count;
  const char *names;
  size_t names_size;
} program_file;

// Whether so many bytes from an offset on lie within the file: a file may be cut off, or not be what it seems.
static bool holds(const program_file *file, uint64_t offset, uint64_t size) {
  return offset <= file->size && size <= file->size - offset;
}

static program_file read_program(void) {
  program_file file = {0};
  int descriptor = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return file;
  struct stat status;
  if (fstat(descriptor, &status) == 0 && status.st_size > (off_t)sizeof(Elf64_Ehdr)) {
    void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (bytes != MAP_FAILED) {
      file.bytes = bytes;
      file.size = (size_t)status.st_size;
    }
  }
  close(descriptor);
  if (!file.bytes) return file;
  const Elf64_Ehdr *header = (const Elf64_Ehdr *)file.bytes;
  if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64) return file;
  if (!holds(&file, header->e_shoff, (uint64_t)header->e_shnum * sizeof(Elf64_Shdr))) return file;
  file.is_relative = header->e_type == ET_DYN;
  const Elf64_Shdr *sections = (const Elf64_Shdr *)(file.bytes + header->e_shoff);
  for (size_t index = 0; index < header->e_shnum; index++) {
    const Elf64_Shdr *table = &sections[index];
    if (table->sh_type != SHT_SYMTAB || table->sh_link >= header->e_shnum) continue;
    const Elf64_Shdr *names = &sections[table->sh_link];
    if (!holds(&file, table->sh_offset, table->sh_size) || !holds(&file, names->sh_offset, names->sh_size)) continue;
    file.symbols = (const Elf64_Sym *)(file.bytes + table->sh_offset);
    file.count = table->sh_size / sizeof(Elf64_Sym);
    file.names = (const char *)(file.bytes + names->sh_offset);
    file.names_size = names->sh_size;
  }
  return file;
}

static const char *symbol_in_program(uintptr_t address, uintptr_t base) {
  static program_file file;
  static bool is_read = false;
  if (!is_read) {
    file = read_program();
    is_read = true;
  }
  uintptr_t wanted = file.is_relative ? address - base : address;
  for (size_t index = 0; index < file.count; index++) {
    const Elf64_Sym *symbol = &file.symbols[index];
    if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || wanted < symbol->st_value) continue;
    if (wanted - symbol->st_value >= symbol->st_size || symbol->st_name >= file.names_size) continue;
    return file.names + symbol->st_name;
  }
  return NULL;
}
#else
static const char *symbol_in_program(uintptr_t address, uintptr_t base) { return NULL; }
#endif

char *napkin_function_at(uintptr_t address) {
  Dl_info info, own;
  if (!dladdr((void *)address, &info)) return NULL;
  const char *symbol = info.dli_sname;
  // The kit is linked into the program that it tests.
  bool is_program = dladdr((void *)napkin_function_at, &own) && own.dli_fbase == info.dli_fbase;
  if (is_program) {
    const char *found = symbol_in_program(address, (uintptr_t)info.dli_fbase);
    if (found) symbol = found;
  }
  return symbol ? swift_demangle(symbol, strlen(symbol), NULL, NULL, 0) : NULL;
}

void napkin_free(char *text) { free(text); }
