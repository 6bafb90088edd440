// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Clocks.h"

#include <string.h>

#if NAPKIN_SPLITS
#include <dlfcn.h>

// The order of what tasks do: each has a vector of clocks, and what orders tasks hands clocks on.
//
// The order is known from the runtime, which says so to the thread sanitizer, from the locks, and from atomic operations and fences, by
// the rules of C11. Where it may come from elsewhere, such as another thread, no race is looked for any more.

typedef struct {
  uintptr_t address;
  uint32_t execution;
  // The task whose releases alone are in these clocks, if it is one task.
  int32_t head;
  // Whether its memory was given back.
  bool is_gone;
  clock_vector released;
} object;

typedef struct {
  clock_vector own;
  // By its last release fence, what its relaxed stores publish; and what its relaxed loads have read, for an acquire fence.
  clock_vector fenced, read;
} task_clocks;

enum { no_head = -1, first_slots = 1 << 14, most_slots = 1 << 18, most_bytes = 1 << 28 };

// Why no race is looked for any more; zero if one is.
static int is_off = 0;
static uint32_t execution = 0;
static task_clocks tasks[napkin_most_tasks];
static int task_count = 0;
static object *objects = NULL;
static uint32_t slots = 0, object_count = 0;
static size_t bytes = 0;

static atomic_flag tables_lock = ATOMIC_FLAG_INIT;
void napkin_lock_tables(void) {
  while (atomic_flag_test_and_set_explicit(&tables_lock, memory_order_acquire)) {}
}
void napkin_unlock_tables(void) { atomic_flag_clear_explicit(&tables_lock, memory_order_release); }

void napkin_end_races(int reason) {
  if (!is_off) is_off = reason;
}
void napkin_stop_looking_for_races(void) { napkin_end_races(napkin_races_left_to_others); }
int napkin_why_no_races(void) { return is_off; }

void napkin_begin_clocks(void) {
  execution++;
  task_count = 0;
  object_count = 0;
  is_off = 0;
}

/// Makes room for that number of clocks; false if it is too much memory.
static bool reserve(clock_vector *vector, uint32_t count) {
  if (count > vector->capacity) {
    uint32_t capacity = vector->capacity ? vector->capacity : 16;
    while (capacity < count) capacity *= 2;
    size_t more = (capacity - vector->capacity) * sizeof *vector->clocks;
    uint32_t *larger = bytes + more <= most_bytes ? __libc_realloc(vector->clocks, capacity * sizeof *larger) : NULL;
    if (!larger) return napkin_end_races(napkin_races_too_many_locks), false;
    bytes += more;
    vector->clocks = larger;
    vector->capacity = capacity;
  }
  if (count > vector->count) {
    memset(vector->clocks + vector->count, 0, (count - vector->count) * sizeof *vector->clocks);
    vector->count = count;
  }
  return true;
}

static void join(clock_vector *target, const clock_vector *source) {
  if (!reserve(target, source->count)) return;
  for (uint32_t index = 0; index < source->count; index++) {
    if (source->clocks[index] > target->clocks[index]) target->clocks[index] = source->clocks[index];
  }
}

static bool include(int task) {
  while (task_count <= task) {
    task_clocks *included = &tasks[task_count];
    included->own.count = included->fenced.count = included->read.count = 0;
    if (!reserve(&included->own, (uint32_t)task_count + 1)) return false;
    included->own.clocks[task_count++] = 1;
  }
  return true;
}

int napkin_clock_task(void) {
  napkin_thread *self;
  if (!napkin_looks_for_races || is_off || !(self = running_thread())) return -1;
  if (self->tried) napkin_settle_tried(self);
  int task = napkin_slice_task();
  if (task < 0) return -1;
  if (task >= napkin_most_tasks) is_off = napkin_races_too_many_tasks;
  else if (napkin_has_left_something()) is_off = napkin_races_left_to_others;
  return !is_off && include(task) ? task : -1;
}

uint32_t napkin_clock_of(int task, int other) {
  const clock_vector *own = &tasks[task].own;
  return (uint32_t)other < own->count ? own->clocks[other] : 0;
}

static void move_on(int task) {
  tasks[task].own.clocks[task]++;
  forget_recent_accesses();
}

static uint32_t slot_of(const object *table, uint32_t size, uintptr_t address) {
  uint32_t slot = (uint32_t)(address * 0x9E3779B97F4A7C15u >> 32) & (size - 1);
  while (table[slot].execution == execution && table[slot].address != address) slot = (slot + 1) & (size - 1);
  return slot;
}

/// Makes the table larger, without what is gone; false if it cannot be.
static bool grow(void) {
  uint32_t live = 0;
  for (uint32_t slot = 0; slot < slots; slot++) live += objects[slot].execution == execution && !objects[slot].is_gone;
  uint32_t size = slots == 0 ? first_slots : live > slots / 4 ? slots * 2 : slots;
  object *larger = size <= most_slots ? __libc_calloc(size, sizeof *larger) : NULL;
  if (!larger) return false;
  napkin_lock_tables();
  for (uint32_t slot = 0; slot < slots; slot++) {
    object *old = &objects[slot];
    if (old->execution == execution && !old->is_gone) {
      larger[slot_of(larger, size, old->address)] = *old;
    } else {
      bytes -= old->released.capacity * sizeof *old->released.clocks;
      __libc_free(old->released.clocks);
    }
  }
  object *before = objects;
  objects = larger;
  slots = size;
  object_count = live;
  napkin_unlock_tables();
  __libc_free(before);
  return true;
}

static object *object_at(uintptr_t address, bool makes) {
  if (makes && object_count >= slots / 2 && !grow()) return napkin_end_races(napkin_races_too_many_locks), NULL;
  if (slots == 0) return NULL;
  object *found = &objects[slot_of(objects, slots, address)];
  bool is_new = found->execution != execution;
  if (!is_new && !found->is_gone) return found;
  if (!makes) return NULL;
  if (is_new) object_count++;
  found->released.count = 0;
  *found = (object){.address = address, .execution = execution, .head = no_head, .released = found->released};
  return found;
}

static object *running_object(const volatile void *address, bool makes, int *task) {
  *task = napkin_clock_task();
  return *task < 0 ? NULL : object_at((uintptr_t)address, makes);
}

void napkin_acquire(const volatile void *address) {
  int task;
  object *found = running_object(address, false, &task);
  if (found) join(&tasks[task].own, &found->released);
}

static void add_release(object *target, int task, const clock_vector *clocks) {
  target->head = target->released.count == 0 || target->head == task ? task : no_head;
  join(&target->released, clocks);
}

void napkin_release_clocks(const volatile void *address) {
  int task;
  object *target = running_object(address, true, &task);
  if (!target) return;
  add_release(target, task, &tasks[task].own);
  move_on(task);
}

void napkin_load_atomic(const volatile void *address, bool acquires) {
  int task;
  object *found = running_object(address, false, &task);
  if (found) join(acquires ? &tasks[task].own : &tasks[task].read, &found->released);
}

// A store ends the release sequences of other tasks, and goes on with those of its own.
void napkin_store_atomic(const volatile void *address, bool releases) {
  int task;
  object *target = running_object(address, releases, &task);
  if (task < 0) return;
  if (!target && tasks[task].fenced.count > 0) target = object_at((uintptr_t)address, true);
  if (!target) return;
  if (releases || target->head != task) target->released.count = 0;
  add_release(target, task, releases ? &tasks[task].own : &tasks[task].fenced);
  if (releases) move_on(task);
}

// A change in one goes on with all of them.
void napkin_update_atomic(const volatile void *address, bool acquires, bool releases) {
  int task = napkin_clock_task();
  if (task < 0) return;
  bool adds = releases || tasks[task].fenced.count > 0;
  object *target = object_at((uintptr_t)address, adds);
  if (!target) return;
  join(acquires ? &tasks[task].own : &tasks[task].read, &target->released);
  if (!adds) return;
  add_release(target, task, releases ? &tasks[task].own : &tasks[task].fenced);
  if (releases) move_on(task);
}

void napkin_fence(bool acquires, bool releases) {
  int task = napkin_clock_task();
  if (task < 0) return;
  if (acquires) join(&tasks[task].own, &tasks[task].read);
  if (!releases) return;
  tasks[task].fenced.count = 0;
  join(&tasks[task].fenced, &tasks[task].own);
  move_on(task);
}

// No task knows more of another one than that one itself.
static void join_all(clock_vector *target) {
  if (!reserve(target, (uint32_t)task_count)) return;
  for (int task = 0; task < task_count; task++) target->clocks[task] = tasks[task].own.clocks[task];
}

void napkin_order_after_all(void) {
  int task = napkin_clock_task();
  if (task < 0) return;
  join_all(&tasks[task].own);
  for (int other = 0; other < task_count; other++) tasks[other].own.clocks[other] += other != task;
}

void napkin_forget_clocks(uintptr_t start, uintptr_t end) {
  if (object_count == 0) return;
  if (end - start > slots) {
    for (uint32_t slot = 0; slot < slots; slot++) {
      if (objects[slot].address >= start && objects[slot].address < end) objects[slot].is_gone = true;
    }
    return;
  }
  for (uintptr_t address = start; address < end; address += 4) {
    object *found = object_at(address, false);
    if (found) found->is_gone = true;
  }
}

// The runtime calls these for the thread sanitizer.
extern void (*_swift_tsan_acquire)(const void *) __attribute__((weak));
extern void (*_swift_tsan_release)(const void *) __attribute__((weak));
extern bool _swift_tsan_enabled __attribute__((weak));

static void runtime_acquires(const void *address) {
  if (!napkin_is_of_types(CALLER)) napkin_acquire(address);
}

static bool is_at_rest = false;
void napkin_resume_at_rest(bool begins) { is_at_rest = begins; }

// A task that is resumed when all tasks have come to rest comes after all of them.
static void release_all(uintptr_t address) {
  object *target = object_at(address, true);
  if (!target) return;
  join_all(&target->released);
  target->head = no_head;
  for (int task = 0; task < task_count; task++) tasks[task].own.clocks[task]++;
  forget_recent_accesses();
}

// A task whose continuation is resumed before it waits for it does not suspend, and the runtime does not say that it acquires anything.
// So it does here, before the rest of its step.
static void order_parked(const void *address) {
  int task = napkin_clock_task();
  napkin_thread *parked = task < 0 ? NULL : napkin_thread_parked_in(address);
  if (!parked || parked->task < 0 || parked->task >= napkin_most_tasks || !include(parked->task)) return;
  join(&tasks[parked->task].own, &tasks[task].own);
}

static bool is_known_outside(const void *address) {
  napkin_lock_tables();
  bool is_known = object_at((uintptr_t)address, false) != NULL;
  napkin_unlock_tables();
  return is_known;
}

static void runtime_releases(const void *address) {
  if (napkin_is_of_types(CALLER)) return;
  order_parked(address);
  napkin_release_clocks(address);
  if (napkin_self || !napkin_looks_for_races || is_off) return;
  // The scheduler resumes tasks on the thread that has begun the execution, too.
  if (napkin_is_exploring_thread()) {
    if (is_at_rest) release_all((uintptr_t)address);
    return;
  }
  // Another thread has something to do with a task of the execution; one that uses the same lazy global has not.
  Dl_info image;
  if (is_known_outside(address) && !dladdr(address, &image)) is_off = napkin_races_left_to_others;
}

bool napkin_hear_runtime(void) {
  if (!&_swift_tsan_enabled) return false;
  _swift_tsan_acquire = runtime_acquires;
  _swift_tsan_release = runtime_releases;
  _swift_tsan_enabled = true;
  return true;
}
#endif
