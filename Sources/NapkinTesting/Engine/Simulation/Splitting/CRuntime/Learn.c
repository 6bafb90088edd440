// SPDX-License-Identifier: Apache-2.0
#include "Split.h"

#include <stdlib.h>
#include <string.h>

// The accesses that a preemption is worth: those to an address that several tasks came to, one of them to write; and cancelling a task.

#if NAPKIN_SPLITS
bool napkin_writes_accesses_down = false;
static bool others_are_ready = false;

// An access; or the release of memory, which has its size in place of the number, and no task.
typedef struct {
  uintptr_t address;
  int64_t number;
  int32_t task;
  uint32_t entry;
  bool writes;
  bool has_others;
  bool cancels;
} note;
enum { most_notes = 1 << 16, table_size = 1 << 17, most_candidates = 1 << 12 };
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

void napkin_note_access(int32_t task, int64_t number, uintptr_t address, int kind) {
  if (note_count == most_notes) return;
  bool writes = kind != napkin_access_read && kind != napkin_access_atomic_read;
  // Eight bytes are one address, whatever part of them is accessed.
  notes[note_count++] = (note){address >> 3, number, task, 0, writes, others_are_ready, kind == napkin_access_cancel};
}

void napkin_note_end(const void *memory, size_t size) {
  if (note_count == most_notes) return;
  notes[note_count++] = (note){(uintptr_t)memory >> 3, (int64_t)((size + 7) >> 3), -1, 0, false, false, false};
}

// An entry of an earlier execution is an empty one, so that the table is not wiped for each.
typedef struct {
  uintptr_t address;
  uint32_t execution;
  int32_t task;
  int32_t group;
  bool is_shared, is_written;
} address_entry;

static size_t place_of(const address_entry *table, uint32_t execution, uintptr_t address) {
  size_t place = (address * 0x9E3779B97F4A7C15u) >> 47;
  while (table[place].execution == execution && table[place].address != address) place = (place + 1) & (table_size - 1);
  return place;
}

// No address is all ones.
static void end_entries(address_entry *table, uint32_t execution, uintptr_t start, size_t size) {
  enum { few = 1 << 12 };
  if (size > few) {
    for (size_t place = 0; place < table_size; place++) {
      if (table[place].address - start < size) table[place].address = UINTPTR_MAX;
    }
    return;
  }
  for (uintptr_t address = start; address < start + size; address++) {
    size_t place = place_of(table, execution, address);
    if (table[place].execution == execution) table[place].address = UINTPTR_MAX;
  }
}

static int by_group(const void *left, const void *right) {
  const napkin_candidate *a = left, *b = right;
  if (a->group != b->group) return a->group < b->group ? -1 : 1;
  if (a->point.task != b->point.task) return a->point.task < b->point.task ? -1 : 1;
  return a->point.number < b->point.number ? -1 : a->point.number > b->point.number;
}

const napkin_candidate *napkin_find_candidates(size_t *found) {
  static napkin_candidate candidates[most_candidates];
  static address_entry *table;
  static uint32_t execution = 0;
  if (!table) table = calloc(table_size, sizeof *table);
  if (!table || note_count == 0) return NULL;
  if (++execution == 0) {
    memset(table, 0, table_size * sizeof *table);
    execution = 1;
  }
  // Memory at the same address after it was given back is something else: which of the two tasks gets that memory again
  // differs from one run to the next.
  for (size_t index = 0; index < note_count; index++) {
    note *note = &notes[index];
    if (note->task < 0) {
      end_entries(table, execution, note->address, (size_t)note->number);
      continue;
    }
    size_t place = place_of(table, execution, note->address);
    address_entry *entry = &table[place];
    if (entry->execution != execution) *entry = (address_entry){note->address, execution, note->task, -1, false, false};
    // The task that is cancelled comes to it, too, in functions of the runtime.
    if (entry->task != note->task || note->cancels) entry->is_shared = true;
    entry->is_written = entry->is_written || note->writes;
    note->entry = (uint32_t)place;
  }
  size_t count = 0;
  int32_t groups = 0;
  for (size_t index = 0; index < note_count && count < most_candidates; index++) {
    const note *note = &notes[index];
    if (note->task < 0) continue;
    address_entry *entry = &table[note->entry];
    if (!entry->is_shared || !entry->is_written || !note->has_others) continue;
    // Numbered in the order of the accesses, which no address decides.
    if (entry->group < 0) entry->group = groups++;
    candidates[count++] = (napkin_candidate){{note->task, note->number}, entry->group};
  }
  qsort(candidates, count, sizeof *candidates, by_group);
  *found = count;
  return count == 0 ? NULL : candidates;
}
#endif
