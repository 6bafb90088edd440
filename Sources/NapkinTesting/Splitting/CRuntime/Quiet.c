// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Split.h"

#if NAPKIN_SPLITS
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// The accesses that count. A number of an access is to mean the same in every execution and in every process, so code does not
// count that runs once in a process: the functions that the compiler adds for metadata and for lazy globals. Nor does the kit's own,
// which runs on behalf of the schedule, and which does more in an execution that is reported.

uint32_t *napkin_quiet_bits;
uintptr_t napkin_code_start, napkin_code_size;

static bool ends_with(const char *text, size_t length, const char *end) {
  size_t count = strlen(end);
  return length >= count && memcmp(text + length - count, end, count) == 0;
}

static bool is_quiet_symbol(const char *name) {
  // Suffixes of the mangling: accessors and caches of metadata and witness tables, lazy globals, value witnesses, copies out of line.
  static const char *const endings[] = {
      "Ma", "Mr", "Mi", "Mb", "MD", "Md", "MF", "Mf", "Wl", "WL", "WZ", "WOb", "WOc", "WOd", "WOe", "WOf", "WOh",
      "WOr", "WOs", "WOy", "wcp", "wxx", "wca", "wta", "wet", "wst", "wug", "wup", "wui", "wCP", "wCA", "wTA", "vau",
  };
  // The last one is of the kit's inline functions in C, which are compiled with the Swift files that call them.
  static const char *const beginnings[] = {"__swift_", "swift_", "_swift_", "__tsan_", "tsan.", "napkin_"};
  for (size_t index = 0; index < sizeof beginnings / sizeof *beginnings; index++) {
    if (strncmp(name, beginnings[index], strlen(beginnings[index])) == 0) return true;
  }
  if (name[0] != '$' || name[1] != 's') return false;
  static const char *const kit[] = {"13NapkinTesting", "19NapkinTestingEngine"};
  bool is_of_kit = false;
  for (size_t index = 0; index < sizeof kit / sizeof *kit; index++) {
    if (strncmp(name + 2, kit[index], strlen(kit[index])) == 0) return true;
    is_of_kit = is_of_kit || strstr(name, kit[index]);
  }
  // Observers of the framework's own, of which a reported execution has one more.
  if (strstr(name, "20LifecycleObservation")) return true;
  size_t length = strlen(name);
  // The suffix of a function that the compiler has merged with others like it.
  if (ends_with(name, length, "Tm")) length -= 2;
  // A specialisation, or a closure, for the kit's types.
  if (is_of_kit && (ends_with(name, length, "Tg5") || ends_with(name, length, "TG5"))) return true;
  for (size_t index = 0; index < sizeof endings / sizeof *endings; index++) {
    if (ends_with(name, length, endings[index])) return true;
  }
  return false;
}

static int find_code(struct dl_phdr_info *image, size_t size, void *base) {
  (void)size;
  *(uintptr_t *)base = image->dlpi_addr;
  uintptr_t start = UINTPTR_MAX, end = 0;
  for (int index = 0; index < image->dlpi_phnum; index++) {
    const ElfW(Phdr) *part = &image->dlpi_phdr[index];
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
    if (image->dlpi_addr + part->p_vaddr < start) start = image->dlpi_addr + part->p_vaddr;
    if (image->dlpi_addr + part->p_vaddr + part->p_memsz > end) end = image->dlpi_addr + part->p_vaddr + part->p_memsz;
  }
  napkin_code_start = start;
  napkin_code_size = end > start ? end - start : 0;
  return 1;
}

static void mark(uintptr_t address, size_t size) {
  uintptr_t offset = address - napkin_code_start;
  if (offset >= napkin_code_size) return;
  for (size_t byte = 0; byte < size && offset + byte < napkin_code_size; byte += 4) {
    napkin_quiet_bits[(offset + byte) >> 7] |= 1u << ((offset + byte) >> 2 & 31);
  }
}

static uintptr_t program_base;

/// Calls the function for each symbol of a kind, until it returns true; false if the program has no symbols.
static bool each_symbol(int kind, bool (*visit)(void *context, const char *name, uintptr_t address, size_t size), void *context) {
  size_t size;
  const char *file = napkin_map_program(NULL, &size);
  if (!file) return false;
  const ElfW(Ehdr) *header = (const void *)file;
  const ElfW(Shdr) *sections = (const void *)(file + header->e_shoff);
  bool has_any = false, is_done = false;
  for (int index = 0; index < header->e_shnum; index++) {
    if (sections[index].sh_type != SHT_SYMTAB) continue;
    const ElfW(Sym) *symbols = (const void *)(file + sections[index].sh_offset);
    const char *names = file + sections[sections[index].sh_link].sh_offset;
    size_t count = sections[index].sh_size / sizeof *symbols;
    has_any = count > 1;
    for (size_t place = 0; place < count && !is_done; place++) {
      const ElfW(Sym) *symbol = &symbols[place];
      if ((symbol->st_info & 15) != kind || symbol->st_value == 0) continue;
      is_done = visit(context, names + symbol->st_name, program_base + symbol->st_value, symbol->st_size);
    }
  }
  munmap((void *)file, size);
  return has_any;
}

static bool mark_quiet(void *unused, const char *name, uintptr_t address, size_t size) {
  (void)unused;
  if (is_quiet_symbol(name)) mark(address, size);
  return false;
}

typedef struct {
  uintptr_t address;
  const char *beginning, *end;
  char *name;
} wanted;

static bool is_around(void *context, const char *name, uintptr_t address, size_t size) {
  wanted *wanted = context;
  if (wanted->address - address >= size) return false;
  wanted->name = strdup(name);
  return true;
}

static bool holds_pointer(void *context, const char *name, uintptr_t address, size_t size) {
  wanted *wanted = context;
  // An optional reference has the same size.
  if (size != sizeof(void *) || name[0] != '$' || *(const uintptr_t *)address != wanted->address) return false;
  wanted->name = strdup(name);
  return true;
}

static bool is_named(void *context, const char *name, uintptr_t address, size_t size) {
  (void)size;
  wanted *wanted = context;
  if (strncmp(name, wanted->beginning, strlen(wanted->beginning)) != 0 || !ends_with(name, strlen(name), wanted->end)) return false;
  wanted->address = address;
  return true;
}

char *napkin_variable_at(uintptr_t address) {
  wanted wanted = {.address = address};
  each_symbol(STT_OBJECT, is_around, &wanted);
  return wanted.name;
}

char *napkin_variable_that_holds(uintptr_t pointer) {
  wanted wanted = {.address = pointer};
  each_symbol(STT_OBJECT, holds_pointer, &wanted);
  return wanted.name;
}

uintptr_t napkin_function_named(const char *beginning, const char *end) {
  wanted wanted = {.beginning = beginning, .end = end};
  each_symbol(STT_FUNC, is_named, &wanted);
  return wanted.address;
}

// The runtime of the thread sanitizer, which a program may have been linked with though this file was not compiled for it.
extern void __tsan_acquire(void *) __attribute__((weak));

// Where the program has no symbols, the kit's code cannot be distinguished from the code under test.
bool napkin_find_quiet_code(void) {
  static int answer = -1;
  if (answer >= 0) return answer;
  dl_iterate_phdr(find_code, &program_base);
  napkin_quiet_bits = calloc((napkin_code_size >> 7) + 1, sizeof *napkin_quiet_bits);
  return answer = napkin_quiet_bits && each_symbol(STT_FUNC, mark_quiet, NULL);
}

int napkin_splitting(void) {
  static int answer = -1;
  if (answer >= 0) return answer;
  if (__tsan_acquire) return answer = napkin_split_beside_sanitizer;
  if (!napkin_is_instrumented()) return answer = napkin_split_not_compiled;
  return answer = napkin_find_quiet_code() ? napkin_splits_steps : napkin_split_without_symbols;
}

// Calls of locks from libraries: Foundation's types for locks are called by the code under test, often through calls that leave no
// trace; other locks of Foundation in Swift are taken for the same. A runtime that is part of the program is not distinguished from
// the code under test.
static uint64_t library_of(uintptr_t caller) {
  Dl_info info;
  if (dladdr((void *)caller, &info) == 0 || !info.dli_fname) return napkin_caller_of_system;
  static const struct {
    const char *name;
    napkin_caller caller;
  } libraries[] = {
      {"libswiftCore.so", napkin_caller_of_types},
      {"lib_FoundationICU.so", napkin_caller_of_types},
      {"libswift_Concurrency.so", napkin_caller_of_concurrency},
      {"libFoundationEssentials.so", napkin_caller_of_concurrency},
      {"libFoundationInternationalization.so", napkin_caller_of_concurrency},
  };
  for (size_t index = 0; index < sizeof libraries / sizeof *libraries; index++) {
    if (strstr(info.dli_fname, libraries[index].name)) return libraries[index].caller;
  }
  bool is_quiet = napkin_is_of_system(info.dli_fname);
  if (strstr(info.dli_fname, "libFoundation.so")) is_quiet = info.dli_sname && strstr(info.dli_sname, "CF");
  if (strstr(info.dli_fname, "libdispatch.so")) is_quiet = !info.dli_sname || !strstr(info.dli_sname, "semaphore");
  if (strstr(info.dli_fname, "libswiftDispatch.so")) is_quiet = false;
  return is_quiet ? napkin_caller_of_system : napkin_caller_under_test;
}

napkin_caller napkin_caller_of(uintptr_t caller) {
  if (caller - napkin_code_start < napkin_code_size) return is_quiet(caller) ? napkin_caller_of_system : napkin_caller_under_test;
  enum { known_callers = 1024, kind_bits = 2 };
  // Each with its kind, in one word, since any thread looks here.
  static _Atomic(uint64_t) callers[known_callers];
  _Atomic(uint64_t) *place = &callers[caller >> 2 & (known_callers - 1)];
  uint64_t known = atomic_load_explicit(place, memory_order_relaxed);
  if (known >> kind_bits != caller) {
    known = (uint64_t)caller << kind_bits | library_of(caller);
    atomic_store_explicit(place, known, memory_order_relaxed);
  }
  return (napkin_caller)(known & ((1 << kind_bits) - 1));
}
#endif
