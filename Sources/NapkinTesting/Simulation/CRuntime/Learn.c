// SPDX-License-Identifier: Apache-2.0
#include "Split.h"

#include <stdlib.h>
#include <string.h>

// Which accesses a preemption is worth: those to an address that several tasks came to, one of them to write.

#if NAPKIN_SPLITS
bool napkin_writes_accesses_down = false;
static bool others_are_ready = false;

typedef struct {
  uintptr_t address;
  int64_t number;
  int32_t task;
  bool writes;
  bool has_others;
} note;
enum { most_notes = 1 << 16, table_size = 1 << 17 };
static note *notes;
static size_t note_count = 0;

void napkin_learn_accesses(bool learns) {
  napkin_writes_accesses_down = learns;
  if (!learns) return;
  note_count = 0;
  if (!notes) notes = malloc(most_notes * sizeof *notes);
  if (!notes) napkin_writes_accesses_down = false;
}

void napkin_others_are_ready(bool are_ready) { others_are_ready = are_ready; }

void napkin_note_access(int32_t task, int64_t number, uintptr_t address, int kind);
void napkin_note_access(int32_t task, int64_t number, uintptr_t address, int kind) {
  if (note_count == most_notes) return;
  bool writes = kind != napkin_access_read && kind != napkin_access_atomic_read;
  // Eight bytes are one address, whatever part of them is accessed.
  notes[note_count++] = (note){address >> 3, number, task, writes, others_are_ready};
}

// An entry of an earlier execution is an empty one, so that the table is not wiped for each.
typedef struct {
  uintptr_t address;
  uint32_t execution;
  int32_t task;
  int32_t group;
  bool is_shared, is_written;
} address_entry;

static int by_group(const void *left, const void *right) {
  const napkin_candidate *a = left, *b = right;
  if (a->group != b->group) return a->group < b->group ? -1 : 1;
  if (a->point.task != b->point.task) return a->point.task < b->point.task ? -1 : 1;
  return a->point.number < b->point.number ? -1 : a->point.number > b->point.number;
}

size_t napkin_find_candidates(napkin_candidate *candidates, size_t capacity) {
  static address_entry *table;
  static uint32_t execution = 0;
  if (!table) table = calloc(table_size, sizeof *table);
  if (!table || note_count == 0) return 0;
  if (++execution == 0) {
    memset(table, 0, table_size * sizeof *table);
    execution = 1;
  }
  size_t count = 0;
  int32_t groups = 0;
  for (int pass = 0; pass < 2; pass++) {
    for (size_t index = 0; index < note_count; index++) {
      const note *note = &notes[index];
      size_t place = (note->address * 0x9E3779B97F4A7C15u) >> 47;
      while (table[place].execution == execution && table[place].address != note->address) {
        place = (place + 1) & (table_size - 1);
      }
      address_entry *entry = &table[place];
      if (pass == 0) {
        if (entry->execution != execution) *entry = (address_entry){note->address, execution, note->task, -1, false, false};
        if (entry->task != note->task) entry->is_shared = true;
        entry->is_written = entry->is_written || note->writes;
      } else if (entry->is_shared && entry->is_written && note->has_others && count < capacity) {
        // Numbered in the order of the accesses, which no address decides.
        if (entry->group < 0) entry->group = groups++;
        candidates[count++] = (napkin_candidate){{note->task, note->number}, entry->group};
      }
    }
  }
  qsort(candidates, count, sizeof *candidates, by_group);
  return count;
}
#else
void napkin_learn_accesses(bool learns) { (void)learns; }
void napkin_others_are_ready(bool are_ready) { (void)are_ready; }
size_t napkin_find_candidates(napkin_candidate *candidates, size_t capacity) {
  (void)candidates, (void)capacity;
  return 0;
}
#endif
