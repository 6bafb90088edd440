// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Split.h"

#include <string.h>

#if NAPKIN_SPLITS
#include <dlfcn.h>
#include <malloc.h>
#include <stdlib.h>

// Finds two accesses to the same memory, at least one of them to write, that nothing orders: a data race, whichever of the two came
// first in this execution. Each task has a vector of clocks; what orders tasks hands clocks on. Flanagan and Freund, "FastTrack"
// (PLDI 2009); how what was accessed is kept is as in the thread sanitizer, with four accesses for every eight bytes.
//
// What orders the tasks is known from the runtime, which says so to the thread sanitizer, from the locks, and from atomic operations by
// their orders. Where the order may come from elsewhere, such as another thread, no race is looked for any more.

enum { most_tasks = 192, most_objects = 4096, object_slots = 16384, word_slots = 1 << 15, cells = 4, most_traces = 4096 };

typedef uint32_t vector[most_tasks];

typedef struct {
  uintptr_t address;
  uint32_t execution;
  uint32_t clock;
  // Whether its memory was given back.
  bool is_gone;
} object;

typedef struct {
  uintptr_t caller;
  uint32_t clock;
  uint32_t trace;
  int16_t task;
  uint8_t bytes;
  uint8_t kind;
} cell;

typedef struct {
  uintptr_t address;
  uint32_t execution;
  uint32_t next;
  cell cells[cells];
} word;

typedef struct {
  uintptr_t frames[napkin_split_frames];
  uint32_t count, lock_count;
  napkin_held_lock locks[napkin_race_locks];
} trace;

bool napkin_looks_for_races = false;
recent_access napkin_recent_accesses[recent_accesses];
uint64_t napkin_recent_time = 1 << tag_bits;
static bool keeps_traces = false, has_race = false;
// Why no race is looked for any more; zero if one is.
static int is_off = 0;
static napkin_race race;
static uint32_t execution = 0;
static vector *tasks, *object_clocks;
static int task_count;
static object *objects;
static uint32_t object_count;
static word *words;
static uint32_t word_count;
static trace *traces;
static uint32_t trace_count;

static bool make_tables(void) {
  if (words) return true;
  tasks = malloc(most_tasks * sizeof *tasks);
  object_clocks = malloc(most_objects * sizeof *object_clocks);
  objects = calloc(object_slots, sizeof *objects);
  traces = malloc(most_traces * sizeof *traces);
  words = calloc(word_slots, sizeof *words);
  return tasks && object_clocks && objects && traces && words;
}

static void include(int task) {
  while (task_count <= task) {
    memset(tasks[task_count], 0, sizeof *tasks);
    tasks[task_count][task_count] = 1;
    task_count++;
  }
}

/// The task whose clocks count here; negative if none do.
static int current_task(void) {
  napkin_thread *self;
  if (!napkin_looks_for_races || is_off || !(self = running_thread())) return -1;
  if (self->tried) napkin_settle_tried(self);
  int task = napkin_slice_task();
  if (task < 0) return -1;
  if (task >= most_tasks) is_off = napkin_races_too_many_tasks;
  else if (napkin_has_left_something()) is_off = napkin_races_left_to_others;
  if (is_off) return -1;
  include(task);
  return task;
}

static void join(vector target, const vector source) {
  for (int index = 0; index < task_count; index++) {
    if (source[index] > target[index]) target[index] = source[index];
  }
}

static size_t slot_of(uintptr_t address) {
  size_t slot = (address * 0x9E3779B97F4A7C15u) >> 50;
  while (objects[slot].execution == execution && objects[slot].address != address) slot = (slot + 1) & (object_slots - 1);
  return slot;
}

static uint32_t *clocks_of(uintptr_t address, bool makes) {
  size_t slot = slot_of(address);
  if (objects[slot].execution == execution && objects[slot].is_gone) {
    if (!makes) return NULL;
    objects[slot].is_gone = false;
    memset(object_clocks[objects[slot].clock], 0, sizeof *object_clocks);
  }
  if (objects[slot].execution != execution) {
    if (!makes) return NULL;
    if (object_count == most_objects) {
      is_off = napkin_races_too_many_locks;
      return NULL;
    }
    objects[slot] = (object){address, execution, object_count++, false};
    memset(object_clocks[objects[slot].clock], 0, sizeof *object_clocks);
  }
  return object_clocks[objects[slot].clock];
}

void napkin_acquire(const volatile void *address) {
  int task = current_task();
  if (task < 0) return;
  uint32_t *clocks = clocks_of((uintptr_t)address, false);
  if (clocks) join(tasks[task], clocks);
}

void napkin_release_clocks(const volatile void *address) {
  int task = current_task();
  if (task < 0) return;
  uint32_t *clocks = clocks_of((uintptr_t)address, true);
  if (!clocks) return;
  join(clocks, tasks[task]);
  tasks[task][task]++;
  forget_recent_accesses();
}

void napkin_order_after_all(void) {
  int task = current_task();
  for (int other = 0; task >= 0 && other < task_count; other++) {
    if (other == task) continue;
    join(tasks[task], tasks[other]);
    tasks[other][other]++;
  }
}

void napkin_stop_looking_for_races(void) {
  if (!is_off) is_off = napkin_races_left_to_others;
}

int napkin_why_no_races(void) { return is_off; }

// What the runtime calls for the thread sanitizer.
extern void (*_swift_tsan_acquire)(const void *) __attribute__((weak));
extern void (*_swift_tsan_release)(const void *) __attribute__((weak));
extern bool _swift_tsan_enabled __attribute__((weak));

static void runtime_acquires(const void *address) { napkin_acquire(address); }

static bool is_at_rest = false;
void napkin_resume_at_rest(bool begins) { is_at_rest = begins; }

// What is resumed when all tasks have come to rest comes after all of them.
static void release_all(uintptr_t address) {
  uint32_t *clocks = clocks_of(address, true);
  for (int task = 0; clocks && task < task_count; task++) {
    join(clocks, tasks[task]);
    tasks[task][task]++;
  }
  forget_recent_accesses();
}

// A task whose continuation is resumed before it waits for it does not suspend, and the runtime does not say that it acquires anything.
// So it does here, before the rest of its step.
static void order_parked(const void *address) {
  int task = current_task();
  napkin_thread *parked = task < 0 ? NULL : napkin_thread_parked_in(address);
  if (!parked || parked->task < 0 || parked->task >= most_tasks) return;
  include(parked->task);
  join(tasks[parked->task], tasks[task]);
}

static void runtime_releases(const void *address) {
  order_parked(address);
  napkin_release_clocks(address);
  if (napkin_self || !napkin_looks_for_races || is_off) return;
  // The scheduler resumes tasks on the thread that has begun the execution, too.
  if (napkin_is_exploring_thread()) {
    if (is_at_rest) release_all((uintptr_t)address);
    return;
  }
  // Another thread has something to do with a task of the execution; one that uses the same lazy global or type has not.
  Dl_info image;
  if (clocks_of((uintptr_t)address, false) && !dladdr(address, &image)) is_off = napkin_races_left_to_others;
}

void napkin_look_for_races(bool looks, bool keeps) {
  napkin_looks_for_races = false;
  if (!looks || !&_swift_tsan_enabled || !make_tables()) return;
  execution++;
  task_count = 0;
  object_count = word_count = trace_count = 0;
  is_off = 0;
  has_race = false;
  keeps_traces = keeps;
  forget_recent_accesses();
  _swift_tsan_acquire = runtime_acquires;
  _swift_tsan_release = runtime_releases;
  _swift_tsan_enabled = true;
  napkin_looks_for_races = true;
}

static bool writes(int kind) { return kind == napkin_access_write || kind == napkin_access_atomic_write; }
static bool is_atomic(int kind) { return kind == napkin_access_atomic_read || kind == napkin_access_atomic_write; }

static word *word_at(uintptr_t address, bool makes) {
  size_t slot = (address * 0x9E3779B97F4A7C15u) >> 49;
  while (words[slot].execution == execution && words[slot].address != address) slot = (slot + 1) & (word_slots - 1);
  if (words[slot].execution == execution) return &words[slot];
  // A full table forgets, and a race may go unseen.
  if (!makes || word_count > word_slots / 4 * 3) return NULL;
  word_count++;
  words[slot] = (word){.address = address, .execution = execution};
  for (int index = 0; index < cells; index++) words[slot].cells[index].task = -1;
  return &words[slot];
}

static void describe(napkin_race_access *access, int task, int kind, uintptr_t caller, uint32_t number) {
  *access = (napkin_race_access){
      .task = task, .writes = writes(kind), .is_atomic = is_atomic(kind), .caller = caller - napkin_code_start};
  if (number == 0) return;
  const trace *found = &traces[number - 1];
  access->count = found->count;
  memcpy(access->frames, found->frames, sizeof access->frames);
  access->lock_count = (int32_t)found->lock_count;
  memcpy(access->locks, found->locks, sizeof access->locks);
}

static uint32_t keep_trace(void) {
  if (!keeps_traces || trace_count == most_traces) return 0;
  trace *kept = &traces[trace_count++];
  kept->count = (uint32_t)napkin_callers(kept->frames, napkin_split_frames);
  kept->lock_count = 0;
  for (size_t index = 0; index < napkin_self->held_count; index++) {
    const napkin_held_lock *held = &napkin_self->held[index];
    bool is_known = false;
    // A recursive lock is held as often as it was taken.
    for (size_t other = 0; other < index; other++) is_known |= napkin_self->held[other].address == held->address;
    if (is_known) continue;
    if (kept->lock_count < napkin_race_locks) kept->locks[kept->lock_count] = *held;
    kept->lock_count++;
  }
  return trace_count;
}

static void look_at_word(int task, uintptr_t address, uint8_t bytes, int kind, uintptr_t caller) {
  word *word = word_at(address, true);
  if (!word) return;
  uint32_t clock = tasks[task][task];
  int place = -1;
  for (int index = 0; index < cells; index++) {
    cell *old = &word->cells[index];
    if (old->task < 0) {
      if (place < 0) place = index;
      continue;
    }
    if (old->task == task) {
      if (old->bytes != bytes || old->kind != kind) continue;
      // The first access is kept of those that nothing parts.
      if (old->clock == clock) return;
      place = index;
      continue;
    }
    bool is_ordered = old->clock <= tasks[task][old->task];
    if (is_ordered && place < 0) place = index;
    if (is_ordered || (old->bytes & bytes) == 0 || (!writes(kind) && !writes(old->kind))) continue;
    if (is_atomic(kind) && is_atomic(old->kind)) continue;
    if (has_race) continue;
    has_race = true;
    describe(&race.first, old->task, old->kind, old->caller, old->trace);
    describe(&race.second, task, kind, caller, keep_trace());
  }
  if (place < 0) place = (int)(word->next++ & (cells - 1));
  word->cells[place] = (cell){caller, clock, keep_trace(), (int16_t)task, bytes, (uint8_t)kind};
}

bool napkin_look_at_access(uintptr_t address, size_t size, int kind, uintptr_t caller) {
  napkin_thread *self = napkin_self;
  int task = current_task();
  // What is on a thread's own stack is the running task's.
  if (task < 0 || self->ignores != 0) return false;
  if (address - self->stack_start < self->stack_size) return true;
  enum { most_bytes = 4096 };
  if (size > most_bytes) size = most_bytes;
  for (uintptr_t end = address + size; address < end;) {
    uintptr_t offset = address & 7;
    size_t count = end - address < 8 - offset ? end - address : 8 - offset;
    look_at_word(task, address >> 3, (uint8_t)(((1u << count) - 1) << offset), kind, caller);
    address += count;
  }
  return true;
}

bool napkin_take_race(napkin_race *found) {
  if (!has_race) return false;
  *found = race;
  has_race = false;
  return true;
}

static void forget_objects(uintptr_t start, uintptr_t end) {
  if (object_count == 0) return;
  if (end - start > object_slots) {
    for (size_t slot = 0; slot < object_slots; slot++) {
      if (objects[slot].address >= start && objects[slot].address < end) objects[slot].is_gone = true;
    }
    return;
  }
  for (uintptr_t address = start; address < end; address += 4) {
    size_t slot = slot_of(address);
    if (objects[slot].execution == execution) objects[slot].is_gone = true;
  }
}

// Memory that is given back may be another task's next, or that of another test, which runs at the same time.
//
// Another thread may give back what the tasks have used, such as the buffer of a global. It finds what is kept of that without a lock:
// an entry is made only where none is, and nothing but that memory's end changes it meanwhile. Clocks that it leaves order too much.
static void forget(void *memory) {
  if (!memory || !napkin_looks_for_races) return;
  size_t size = malloc_usable_size(memory);
  if (napkin_self && napkin_writes_accesses_down) napkin_note_end(memory, size);
  if (is_off) return;
  if (napkin_self) {
    forget_recent_accesses();
    napkin_forget_tried((uintptr_t)memory, (uintptr_t)memory + size);
    forget_objects((uintptr_t)memory, (uintptr_t)memory + size);
  }
  uintptr_t start = (uintptr_t)memory >> 3, end = ((uintptr_t)memory + size + 7) >> 3;
  if (end - start < 1024) {
    for (uintptr_t address = start; address < end; address++) {
      word *word = word_at(address, false);
      for (int index = 0; word && index < cells; index++) word->cells[index].task = -1;
    }
    return;
  }
  for (size_t slot = 0; slot < word_slots; slot++) {
    if (words[slot].execution != execution || words[slot].address < start || words[slot].address >= end) continue;
    for (int index = 0; index < cells; index++) words[slot].cells[index].task = -1;
  }
}

extern void __libc_free(void *);
extern void *__libc_realloc(void *, size_t);

void free(void *memory) {
  if (__builtin_expect(napkin_looks_for_races, 0)) forget(memory);
  __libc_free(memory);
}

void *realloc(void *memory, size_t size) {
  if (__builtin_expect(napkin_looks_for_races, 0)) forget(memory);
  return __libc_realloc(memory, size);
}
#endif
