// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "NapkinTestingCRuntime.h"

// The line tables of the program (DWARF 2 to 5), with an index of their sequences: the toolchain's library runs all of them from
// their beginning for each address, which takes a fifth of a second of a processor in a large debug build.

#if defined(__linux__) && defined(__LP64__)
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
  const uint8_t *at, *end;
} reader;

static uint64_t word(reader *in, size_t bytes) {
  uint64_t value = 0;
  if (bytes > sizeof value || bytes > (size_t)(in->end - in->at)) {
    in->at = in->end;
    return 0;
  }
  memcpy(&value, in->at, bytes);
  in->at += bytes;
  return value;
}

static uint64_t leb(reader *in, bool is_signed) {
  uint64_t value = 0;
  unsigned shift = 0;
  uint8_t byte = 0x80;
  for (; byte & 0x80 && in->at < in->end; shift += 7) {
    byte = *in->at++;
    if (shift < 64) value |= (uint64_t)(byte & 0x7f) << shift;
  }
  if (is_signed && shift < 64 && byte & 0x40) value |= ~UINT64_C(0) << shift;
  return value;
}

static const char *text(reader *in) {
  const char *start = (const char *)in->at;
  const uint8_t *end = memchr(in->at, 0, (size_t)(in->end - in->at));
  in->at = end ? end + 1 : in->end;
  return end ? start : "";
}

typedef struct {
  reader program, names;
  size_t offset_size;
  unsigned version, least, range, opcodes;
  int base;
  const uint8_t *lengths;
} unit;

// Reads the head of the unit that begins here, and goes on to the next one.
static bool read_unit(reader *in, unit *unit) {
  uint64_t length = word(in, 4);
  unit->offset_size = length == 0xffffffff ? 8 : 4;
  if (unit->offset_size == 8) length = word(in, 8);
  if (length > (uint64_t)(in->end - in->at)) in->at = in->end;
  reader body = {in->at, in->at == in->end ? in->at : in->at + length};
  in->at = body.end;
  unit->version = (unsigned)word(&body, 2);
  if (unit->version >= 5) word(&body, 2);
  uint64_t head = word(&body, unit->offset_size);
  if (head > (uint64_t)(body.end - body.at)) return false;
  unit->program = (reader){body.at + head, body.end};
  unit->least = (unsigned)word(&body, 1);
  word(&body, unit->version >= 4 ? 2 : 1);
  unit->base = (int8_t)word(&body, 1);
  unit->range = (unsigned)word(&body, 1);
  unit->opcodes = (unsigned)word(&body, 1);
  if (unit->range == 0 || unit->opcodes == 0 || unit->opcodes > (size_t)(unit->program.at - body.at)) return false;
  unit->lengths = body.at;
  unit->names = (reader){body.at + unit->opcodes - 1, unit->program.at};
  return true;
}

typedef struct {
  uint64_t address, file, line;
  bool ends;
} row;

static const row first_row = {0, 1, 1, false};

// Runs the program of a unit up to its next row; false at its end.
static bool next_row(unit *unit, row *row) {
  reader *in = &unit->program;
  if (row->ends) *row = first_row;
  while (in->at < in->end) {
    unsigned code = *in->at++;
    if (code >= unit->opcodes) {
      row->address += (uint64_t)(code - unit->opcodes) / unit->range * unit->least;
      row->line += (uint64_t)(int64_t)(unit->base + (int)((code - unit->opcodes) % unit->range));
      return true;
    }
    switch (code) {
    case 0: {
      uint64_t length = leb(in, false);
      if (length == 0 || length > (uint64_t)(in->end - in->at)) return false;
      reader operand = {in->at, in->at + length};
      in->at = operand.end;
      uint64_t kind = word(&operand, 1);
      if (kind == 1) {
        row->ends = true;
        return true;
      }
      if (kind == 2) row->address = word(&operand, length - 1);
      break;
    }
    case 1: return true;
    case 2: row->address += leb(in, false) * unit->least; break;
    case 3: row->line += leb(in, true); break;
    case 4: row->file = leb(in, false); break;
    case 8: row->address += (uint64_t)(255 - unit->opcodes) / unit->range * unit->least; break;
    case 9: row->address += word(in, 2); break;
    default:
      for (unsigned count = unit->lengths[code - 1]; count > 0; count--) leb(in, false);
    }
  }
  return false;
}

typedef struct {
  uint64_t low, high;
  const uint8_t *unit;
} sequence;

typedef struct {
  reader lines, line_texts, texts;
  sequence *sequences;
  size_t count;
} table;

static int by_address(const void *one, const void *other) {
  uint64_t low = ((const sequence *)one)->low, other_low = ((const sequence *)other)->low;
  return low < other_low ? -1 : low > other_low;
}

static void index_sequences(table *table) {
  size_t room = 0;
  for (reader in = table->lines; in.at < in.end;) {
    const uint8_t *start = in.at;
    unit unit;
    if (!read_unit(&in, &unit)) continue;
    row row = first_row;
    uint64_t low = 0;
    for (bool begins = true; next_row(&unit, &row); begins = row.ends) {
      if (begins) low = row.address;
      // Sequences that the linker has left out begin at address zero.
      if (!row.ends || low == 0 || row.address <= low) continue;
      if (table->count == room) {
        room = room ? 2 * room : 4096;
        sequence *larger = realloc(table->sequences, room * sizeof *larger);
        if (!larger) return;
        table->sequences = larger;
      }
      table->sequences[table->count++] = (sequence){low, row.address, start};
    }
  }
  qsort(table->sequences, table->count, sizeof(sequence), by_address);
}

// Reads a list of folders or files of DWARF 5 up to an entry, with the text and the folder of that one; false if there is none.
static bool read_list(reader *in, const table *table, const unit *unit, uint64_t wanted, const char **name, uint64_t *folder) {
  unsigned fields = (unsigned)word(in, 1);
  reader format = *in;
  for (unsigned field = 0; field < 2 * fields; field++) leb(in, false);
  uint64_t count = leb(in, false);
  for (uint64_t index = 0; index < count && in->at < in->end; index++) {
    reader kinds = format;
    for (unsigned field = 0; field < fields; field++) {
      uint64_t kind = leb(&kinds, false), value = 0;
      const char *found = NULL;
      reader elsewhere = {NULL, NULL};
      switch (leb(&kinds, false)) {
      case 0x05: value = word(in, 2); break;
      case 0x06: value = word(in, 4); break;
      case 0x07: value = word(in, 8); break;
      case 0x08: found = text(in); break;
      case 0x0b: value = word(in, 1); break;
      case 0x0e: elsewhere = table->texts; break;
      case 0x0f: value = leb(in, false); break;
      case 0x1e: word(in, 8), word(in, 8); break;
      case 0x1f: elsewhere = table->line_texts; break;
      default: return false;
      }
      if (elsewhere.at) {
        uint64_t offset = word(in, unit->offset_size);
        if (offset >= (uint64_t)(elsewhere.end - elsewhere.at)) return false;
        elsewhere.at += offset;
        found = text(&elsewhere);
      }
      if (index == wanted && kind == 1) *name = found;
      if (index == wanted && kind == 2) *folder = value;
    }
  }
  return wanted < count && *name;
}

static bool find_names(const table *table, const unit *unit, uint64_t file, const char **name, const char **folder) {
  reader in = unit->names, folders = unit->names;
  uint64_t number = 0, unused = 0;
  if (unit->version >= 5) {
    const char *own;
    return read_list(&in, table, unit, 0, &own, &unused) && read_list(&in, table, unit, file, name, &number)
      && read_list(&folders, table, unit, number, folder, &unused);
  }
  while (*text(&in)) {}
  for (uint64_t index = 1; index <= file; index++) {
    *name = text(&in);
    if (!**name) return false;
    number = leb(&in, false);
    leb(&in, false), leb(&in, false);
  }
  // Folder 0 is that of the compiler, which only the rest of the debug information names.
  *folder = "";
  for (uint64_t index = 1; index <= number; index++) *folder = text(&folders);
  return *name;
}

static reader section(const uint8_t *file, size_t size, const char *wanted) {
  const ElfW(Ehdr) *head = (const ElfW(Ehdr) *)file;
  const reader none = {NULL, NULL};
  if (head->e_shoff > size || head->e_shnum > (size - head->e_shoff) / sizeof(ElfW(Shdr))) return none;
  if (head->e_shstrndx >= head->e_shnum) return none;
  const ElfW(Shdr) *sections = (const ElfW(Shdr) *)(file + head->e_shoff);
  for (size_t index = 0; index < head->e_shnum; index++) {
    const ElfW(Shdr) *found = sections + index;
    uint64_t name = sections[head->e_shstrndx].sh_offset + found->sh_name;
    if (name >= size || strncmp((const char *)file + name, wanted, size - name) != 0) continue;
    bool is_there = found->sh_offset <= size && found->sh_size <= size - found->sh_offset && !(found->sh_flags & SHF_COMPRESSED);
    return is_there ? (reader){file + found->sh_offset, file + found->sh_offset + found->sh_size} : none;
  }
  return none;
}

static const table *read_table(void) {
  table *table = calloc(1, sizeof *table);
  int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (table && file >= 0 && fstat(file, &status) == 0 && (size_t)status.st_size > sizeof(ElfW(Ehdr))) {
    size_t size = (size_t)status.st_size;
    const uint8_t *start = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (start != MAP_FAILED) {
      table->lines = section(start, size, ".debug_line");
      table->line_texts = section(start, size, ".debug_line_str");
      table->texts = section(start, size, ".debug_str");
      index_sequences(table);
    }
  }
  if (file >= 0) close(file);
  return table;
}

// The first image is the program: subtracts from an address in it how far it was moved.
static int into_program(struct dl_phdr_info *image, size_t size, void *address) {
  (void)size;
  uint64_t *place = address, offset = *place - image->dlpi_addr;
  *place = 0;
  for (size_t index = 0; index < image->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = image->dlpi_phdr + index;
    if (segment->p_type == PT_LOAD && offset >= segment->p_vaddr && offset - segment->p_vaddr < segment->p_memsz) *place = offset;
  }
  return 1;
}

// The most bytes of code without a line of its own that belong to what follows.
enum { most_without_line = 256 };

int napkin_find_line(uintptr_t address, bool or_next, char *path, size_t room) {
  // Without a lock, as a thread that is held while the end of the process is reported might have it.
  static _Atomic(const table *) known;
  const table *table = atomic_load(&known);
  if (!table) atomic_store(&known, table = read_table());
  uint64_t place = address;
  dl_iterate_phdr(into_program, &place);
  if (!table || table->count == 0 || place == 0) return -1;
  size_t low = 0, high = table->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (table->sequences[middle].low <= place) low = middle + 1;
    else high = middle;
  }
  if (low == 0 || place >= table->sequences[low - 1].high) return 0;
  reader in = {table->sequences[low - 1].unit, table->lines.end};
  unit unit;
  if (!read_unit(&in, &unit)) return 0;
  row before = first_row, row = first_row;
  // The file in which the address has no line, once that was seen.
  int64_t file = -1;
  for (bool begins = true; next_row(&unit, &row); begins = row.ends, before = row) {
    if (begins && file >= 0) return 0;
    if (begins || place >= row.address) continue;
    if (file < 0) {
      if (before.address > place) continue;
      if (or_next && before.line == 0) file = (int64_t)before.file;
    }
    if (file >= 0) {
      if (before.address > place + most_without_line) return 0;
      if (before.line == 0 || (int64_t)before.file != file || before.address == row.address) continue;
    }
    const char *name = NULL, *folder = NULL;
    if (!find_names(table, &unit, before.file, &name, &folder)) return 0;
    bool is_whole = *name == '/' || !*folder;
    int length = snprintf(path, room, "%s%s%s", is_whole ? "" : folder, is_whole ? "" : "/", name);
    return length > 0 && (size_t)length < room ? (int)before.line : 0;
  }
  return 0;
}
#else
int napkin_find_line(uintptr_t address, bool or_next, char *path, size_t room) {
  (void)address, (void)or_next, (void)path, (void)room;
  return -1;
}
#endif
