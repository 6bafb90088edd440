// SPDX-License-Identifier: Apache-2.0
#include "Split.h"

#include <stdlib.h>

// The accesses that a preemption is worth: those to an address that several tasks came to, one of them to write; and cancelling a task.

#if NAPKIN_SPLITS
bool napkin_writes_accesses_down = false;

// An access; or the release of memory, which has its size in place of the number, and no task.
typedef struct napkin_note {
  uintptr_t address;
  int64_t number;
  int32_t task;
  uint32_t entry;
  bool writes;
  bool has_others;
  bool cancels;
} note;
enum { most_notes = 1 << 16, most_candidates = 1 << 12 };

void napkin_others_are_ready(bool are_ready) {
  if (napkin_under_way) napkin_under_way->others_are_ready = are_ready;
}

static void keep(note kept) {
  napkin_split *split = napkin_under_way;
  if (split->note_count == most_notes) return;
  if (split->note_count == split->note_room) split->notes = napkin_grow(split->notes, &split->note_room, sizeof kept);
  split->notes[split->note_count++] = kept;
}

void napkin_note_access(int32_t task, int64_t number, uintptr_t address, int kind) {
  bool writes = kind != napkin_access_read && kind != napkin_access_atomic_read;
  bool has_others = napkin_under_way->others_are_ready;
  // Eight bytes are one address, whatever part of them is accessed.
  keep((note){address >> 3, number, task, 0, writes, has_others, kind == napkin_access_cancel});
}

void napkin_note_end(const void *memory, size_t size) {
  keep((note){(uintptr_t)memory >> 3, (int64_t)((size + 7) >> 3), -1, 0, false, false, false});
}

// The accesses to one address; none where that is zero.
typedef struct {
  uintptr_t address;
  int32_t task;
  int32_t group;
  bool is_shared, is_written;
} address_entry;

typedef struct {
  address_entry *entries;
  size_t size;
} address_table;

static address_entry *entry_at(const address_table *table, uintptr_t address) {
  size_t place = (address * 0x9E3779B97F4A7C15u) >> 32 & (table->size - 1);
  while (table->entries[place].address != 0 && table->entries[place].address != address) {
    place = (place + 1) & (table->size - 1);
  }
  return &table->entries[place];
}

// No address is all ones.
static void end_entries(const address_table *table, uintptr_t start, size_t size) {
  if (size > table->size) {
    for (size_t place = 0; place < table->size; place++) {
      if (table->entries[place].address - start < size) table->entries[place].address = UINTPTR_MAX;
    }
    return;
  }
  for (uintptr_t address = start; address < start + size; address++) {
    address_entry *entry = entry_at(table, address);
    if (entry->address != 0) entry->address = UINTPTR_MAX;
  }
}

static int by_group(const void *left, const void *right) {
  const napkin_candidate *a = left, *b = right;
  if (a->group != b->group) return a->group < b->group ? -1 : 1;
  if (a->point.task != b->point.task) return a->point.task < b->point.task ? -1 : 1;
  return a->point.number < b->point.number ? -1 : a->point.number > b->point.number;
}

const napkin_candidate *napkin_find_candidates(napkin_split *split, size_t *found) {
  if (split->note_count == 0) return NULL;
  // At most half of it is taken.
  address_table table = {.size = 2};
  while (table.size < 2 * split->note_count) table.size *= 2;
  table.entries = calloc(table.size, sizeof *table.entries);
  napkin_candidate *candidates = split->candidates = malloc(most_candidates * sizeof *candidates);
  if (!table.entries || !candidates) abort();
  // Memory at the same address after it was given back is something else: which of the two tasks gets that memory again
  // differs from one run to the next.
  for (size_t index = 0; index < split->note_count; index++) {
    note *note = &split->notes[index];
    if (note->task < 0) {
      end_entries(&table, note->address, (size_t)note->number);
      continue;
    }
    address_entry *entry = entry_at(&table, note->address);
    if (entry->address == 0) *entry = (address_entry){note->address, note->task, -1, false, false};
    // The task that is cancelled comes to it, too, in functions of the runtime.
    if (entry->task != note->task || note->cancels) entry->is_shared = true;
    entry->is_written = entry->is_written || note->writes;
    note->entry = (uint32_t)(entry - table.entries);
  }
  size_t count = 0;
  int32_t groups = 0;
  for (size_t index = 0; index < split->note_count && count < most_candidates; index++) {
    const note *note = &split->notes[index];
    if (note->task < 0) continue;
    address_entry *entry = &table.entries[note->entry];
    if (!entry->is_shared || !entry->is_written || !note->has_others) continue;
    // Numbered in the order of the accesses, which no address decides.
    if (entry->group < 0) entry->group = groups++;
    candidates[count++] = (napkin_candidate){{note->task, note->number}, entry->group};
  }
  free(table.entries);
  qsort(candidates, count, sizeof *candidates, by_group);
  *found = count;
  return count == 0 ? NULL : candidates;
}
#endif
