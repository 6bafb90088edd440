// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Clocks.h"

#if NAPKIN_SPLITS
#include <malloc.h>
#include <stdlib.h>

// Finds two accesses to the same memory, at least one of them to write, that nothing orders: a data race, whichever of the two came
// first in this execution. Flanagan and Freund, "FastTrack" (PLDI 2009); how what was accessed is kept is as in the thread sanitizer,
// with four accesses for every eight bytes.

enum { cells = access_cells, most_traces = 4096, first_slots = 1 << 7, most_slots = 1 << 21 };
typedef access_cell cell;
typedef accessed_word word;

napkin_search *napkin_searching = NULL;
recent_access napkin_recent_accesses[recent_accesses];
uint64_t napkin_recent_time = 1 << tag_bits;
bool napkin_keeps_callers = false;

void napkin_begin_search(napkin_split *split) {
  napkin_search *search = split->search = calloc(1, sizeof *search);
  if (!search) abort();
  forget_recent_accesses();
  if (napkin_hear_runtime()) napkin_searching = search;
  else search->is_off = napkin_races_not_heard;
}

void napkin_free_search(napkin_search *ended) {
  napkin_free_clocks(ended);
  napkin_free_releases(ended);
  __libc_free(ended->words);
  __libc_free(ended->traces);
  __libc_free(ended);
}

// An unoptimised build pays for each call of a function, at every access.
#define IN_PLACE __attribute__((always_inline)) static inline
IN_PLACE bool writes(int kind) { return kind != napkin_access_read && kind != napkin_access_atomic_read; }
IN_PLACE bool is_atomic(int kind) { return kind == napkin_access_atomic_read || kind == napkin_access_atomic_write; }

IN_PLACE uint32_t slot_of(const word *table, uint32_t size, uintptr_t address) {
  uint32_t slot = (uint32_t)(address * 0x9E3779B97F4A7C15u >> 32) & (size - 1);
  while (table[slot].address && table[slot].address != address) slot = (slot + 1) & (size - 1);
  return slot;
}

static bool is_live(const word *word) {
  bool is_any = false;
  for (int index = 0; word->address && index < cells; index++) is_any |= word->cells[index].task >= 0;
  return is_any;
}

/// Makes the table larger, without what was given back; false if it cannot be.
static bool grow(napkin_search *search) {
  napkin_lock_tables();
  word *words = search->words;
  uint32_t slots = search->word_slots, live = 0;
  for (uint32_t slot = 0; slot < slots; slot++) live += is_live(&words[slot]);
  uint32_t size = slots == 0 ? first_slots : live > slots / 2 ? slots * 2 : slots;
  word *larger = size <= most_slots ? __libc_malloc(size * sizeof *larger) : NULL;
  for (uint32_t slot = 0; larger && slot < size; slot++) larger[slot].address = 0;
  for (uint32_t slot = 0; larger && slot < slots; slot++) {
    if (is_live(&words[slot])) larger[slot_of(larger, size, words[slot].address)] = words[slot];
  }
  if (larger) {
    search->words = larger;
    search->word_slots = size;
    search->word_count = live;
  }
  napkin_unlock_tables();
  if (larger) __libc_free(words);
  return larger != NULL;
}

static word *word_at(napkin_search *search, uintptr_t address) {
  if (search->word_count >= search->word_slots / 4 * 3 && !grow(search)) {
    return napkin_end_races(search, napkin_races_too_many_words), NULL;
  }
  word *found = &search->words[slot_of(search->words, search->word_slots, address)];
  if (found->address) return found;
  search->word_count++;
  *found = (word){.address = address};
  for (int index = 0; index < cells; index++) found->cells[index].task = -1;
  return found;
}

static void describe(napkin_race_access *access, int task, int kind, uintptr_t caller, uint32_t number) {
  *access = (napkin_race_access){
      .task = task, .writes = writes(kind), .is_atomic = is_atomic(kind), .caller = caller - napkin_code_start};
  if (number != 0) access->trace = napkin_searching->traces[number - 1];
}

static uint32_t keep_trace(uintptr_t caller) {
  napkin_search *search = napkin_searching;
  if (!napkin_keeps_callers || search->trace_count == most_traces) return 0;
  if (search->trace_count == search->trace_room) {
    search->traces = napkin_grow(search->traces, &search->trace_room, sizeof *search->traces);
  }
  napkin_trace *kept = &search->traces[search->trace_count++];
  // First what makes the access, which may be a call by now that only ends it.
  kept->frames.addresses[0] = caller;
  kept->frames.count = 1 + napkin_job_callers(kept->frames.addresses + 1, napkin_split_frames - 1);
  kept->lock_count = 0;
  const napkin_split *split = napkin_under_way;
  for (size_t index = 0; index < split->held_count; index++) {
    const napkin_held *held = &split->held[index];
    bool is_known = held->task != napkin_self->task;
    // A recursive lock is held as often as it was taken.
    for (size_t other = 0; other < index && !is_known; other++) {
      is_known = split->held[other].task == held->task && split->held[other].lock.address == held->lock.address;
    }
    if (is_known) continue;
    if (kept->lock_count < napkin_race_locks) kept->locks[kept->lock_count] = held->lock;
    kept->lock_count++;
  }
  return (uint32_t)search->trace_count;
}

/// Whether whatever races with the old access, which comes before the new one, races with the new one, too.
IN_PLACE bool covers(uint8_t bytes, int kind, const cell *old) {
  return (old->bytes & ~bytes) == 0 && (writes(kind) || !writes(old->kind)) && (!is_atomic(kind) || is_atomic(old->kind));
}

static void look_at_word(int task, uintptr_t address, uint8_t bytes, int kind, uintptr_t caller) {
  napkin_search *search = napkin_searching;
  word *word = word_at(search, address);
  if (!word) return;
  const clock_vector *own = &search->tasks[task].own;
  uint32_t clock = own->clocks[task];
  int place = -1;
  for (int index = 0; index < cells; index++) {
    cell *old = &word->cells[index];
    if (old->task < 0) {
      if (place < 0) place = index;
      continue;
    }
    // The first access is kept of those that nothing parts.
    if (old->task == task && old->bytes == bytes && old->kind == kind && old->clock == clock) return;
    bool is_ordered = old->task == task || old->clock <= napkin_clock_in(own, old->task);
    if (!is_ordered && napkin_self->deinit_count != 0) is_ordered = napkin_ends_after(search, old->task, old->clock);
    if (is_ordered && covers(bytes, kind, old)) place = index;
    if (is_ordered || (old->bytes & bytes) == 0 || (!writes(kind) && !writes(old->kind))) continue;
    if (is_atomic(kind) && is_atomic(old->kind)) continue;
    if (search->has_race) continue;
    // The memory of a lock is for the functions of locks to access, which `&` hands it to; perhaps to one that is called only later.
    bool hands_over = kind == napkin_access_handed && old->kind == napkin_access_handed;
    uintptr_t start = (address << 3) + (uintptr_t)__builtin_ctz(bytes);
    if (hands_over && napkin_is_lock(search, start)) continue;
    search->has_race = true;
    search->maybe_lock = hands_over ? start : 0;
    describe(&search->race.first, old->task, old->kind, old->caller, old->trace);
    describe(&search->race.second, task, kind, caller, keep_trace(caller));
  }
  if (place < 0) place = (int)(word->next++ & (cells - 1));
  word->cells[place] = (cell){caller, clock, napkin_keeps_callers ? keep_trace(caller) : 0, (int16_t)task, bytes, (uint8_t)kind};
}

bool napkin_have_touched(const napkin_search *search, uintptr_t start, size_t size, int task, uint32_t clock) {
  enum { most_bytes = 1 << 12 };
  if (size > most_bytes) return true;
  for (uintptr_t address = start >> 3; address << 3 < start + size; address++) {
    const word *found = &search->words[slot_of(search->words, search->word_slots, address)];
    // An access that was forgotten may have been any.
    bool is_full = found->address != 0;
    for (int index = 0; found->address && index < cells; index++) {
      if (found->cells[index].task < 0) is_full = false;
      else if (napkin_comes_before(search, task, clock, found->cells[index].task)) return true;
    }
    if (is_full) return true;
  }
  return false;
}

/// Returns whether the same access need not be looked at again.
static bool look_at_access(uintptr_t address, size_t size, int kind, uintptr_t caller) {
  napkin_thread *self = napkin_self;
  int task = napkin_clock_task();
  // A thread's own stack is the running task's.
  if (task < 0) return false;
  if (address - self->stack_start < self->stack_size) return true;
  for (uintptr_t end = address + size; address < end;) {
    uintptr_t offset = address & 7;
    size_t count = end - address < 8 - offset ? end - address : 8 - offset;
    look_at_word(task, address >> 3, (uint8_t)(((1u << count) - 1) << offset), kind, caller);
    address += count;
  }
  return true;
}

void napkin_meet_access(uintptr_t address, size_t size, int kind, uintptr_t caller) {
  if (napkin_accesses_left <= 0 || napkin_writes_accesses_down) napkin_reach(address, kind, caller);
  if (!napkin_searching) return;
  recent_access *recent = RECENT_PLACE(address, kind);
  uint64_t tag = RECENT_TAG(size, kind);
  if (recent->address == address && recent->tag == tag && size <= largest_recent) return;
  if (look_at_access(address, size, kind, caller) && size <= largest_recent) *recent = (recent_access){address, tag};
}

const napkin_race *napkin_race_of(const napkin_split *split) {
  return split->search && split->search->has_race ? &split->search->race : NULL;
}

static void empty(word *word) {
  for (int index = 0; index < cells; index++) word->cells[index].task = -1;
}

static void forget_words(napkin_search *search, uintptr_t start, uintptr_t end) {
  if (search->word_slots == 0) return;
  if (end - start < search->word_slots / 4) {
    for (uintptr_t address = start; address < end; address++) {
      word *found = &search->words[slot_of(search->words, search->word_slots, address)];
      // Where none was found, a task may have put its own there since.
      if (found->address == address) empty(found);
    }
    return;
  }
  for (uint32_t slot = 0; slot < search->word_slots; slot++) {
    word *kept = &search->words[slot];
    if (kept->address >= start && kept->address < end) empty(kept);
  }
}

// Memory that is given back may be another task's next, or that of another test, which runs at the same time.
//
// Another thread may give back what the tasks have used, such as the buffer of a global. While it looks for that the table does not move;
// an entry is made only where none is, and nothing but that memory's end changes it meanwhile. Clocks that it leaves order too much.
static void forget(void *memory) {
  if (!memory) return;
  size_t size = malloc_usable_size(memory);
  uintptr_t start = (uintptr_t)memory, end = start + size;
  if (IS_SHARING) napkin_share_end(start, end);
  if (!napkin_under_way) return;
  if (!napkin_self) {
    if (!napkin_searching) return;
    napkin_lock_tables();
    napkin_search *search = napkin_searching;
    if (search && !search->is_off) forget_words(search, start >> 3, (end + 7) >> 3);
    return napkin_unlock_tables();
  }
  napkin_forget_held_in(start, end);
  napkin_search *search = napkin_searching;
  if (search && napkin_writes_accesses_down) napkin_note_end(memory, size);
  if (!search || search->is_off) return;
  forget_recent_accesses();
  if (search->released_slots != 0) napkin_forget_released(search, start);
  napkin_forget_tried(start, end);
  napkin_forget_clocks(search, start, end);
  forget_words(search, start >> 3, (end + 7) >> 3);
}

void free(void *memory) {
  if (__builtin_expect(napkin_under_way != NULL, 0) || IS_SHARING) forget(memory);
  __libc_free(memory);
}

void *realloc(void *memory, size_t size) {
  if (__builtin_expect(napkin_under_way != NULL, 0) || IS_SHARING) forget(memory);
  return __libc_realloc(memory, size);
}
#endif
