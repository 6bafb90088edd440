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

typedef ordering_object object;

enum { no_head = -1, first_slots = 1 << 6, most_slots = 1 << 18, most_bytes = 1 << 28 };

static atomic_flag tables_lock = ATOMIC_FLAG_INIT;
void napkin_lock_tables(void) {
  while (atomic_flag_test_and_set_explicit(&tables_lock, memory_order_acquire)) {}
}
void napkin_unlock_tables(void) { atomic_flag_clear_explicit(&tables_lock, memory_order_release); }

void napkin_end_races(napkin_search *search, int reason) {
  if (!search->is_off) search->is_off = reason;
}
void napkin_stop_looking_for_races(void) {
  napkin_lock_tables();
  if (napkin_searching) napkin_end_races(napkin_searching, napkin_races_left_to_others);
  napkin_unlock_tables();
}
int napkin_why_no_races(const napkin_split *split) { return split->search ? split->search->is_off : napkin_races_looked_for; }

void napkin_free_clocks(const napkin_search *search) {
  for (int task = 0; task < search->task_count; task++) {
    __libc_free(search->tasks[task].own.clocks);
    __libc_free(search->tasks[task].fenced.clocks);
    __libc_free(search->tasks[task].read.clocks);
  }
  for (uint32_t slot = 0; slot < search->object_slots; slot++) __libc_free(search->objects[slot].released.clocks);
  __libc_free(search->tasks);
  __libc_free(search->objects);
}

/// Makes room for that number of clocks; false if it is too much memory.
static bool reserve(napkin_search *search, clock_vector *vector, uint32_t count) {
  if (count > vector->capacity) {
    uint32_t capacity = vector->capacity ? vector->capacity : 16;
    while (capacity < count) capacity *= 2;
    size_t more = (capacity - vector->capacity) * sizeof *vector->clocks;
    bool has_room = search->bytes + more <= most_bytes;
    uint32_t *larger = has_room ? __libc_realloc(vector->clocks, capacity * sizeof *larger) : NULL;
    if (!larger) return napkin_end_races(search, napkin_races_too_many_locks), false;
    search->bytes += more;
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
  if (!reserve(napkin_searching, target, source->count)) return;
  for (uint32_t index = 0; index < source->count; index++) {
    if (source->clocks[index] > target->clocks[index]) target->clocks[index] = source->clocks[index];
  }
}

static bool include(napkin_search *search, int task) {
  while (search->task_count <= task) {
    uint32_t number = (uint32_t)search->task_count;
    if (number == search->task_room) search->tasks = napkin_grow(search->tasks, &search->task_room, sizeof *search->tasks);
    task_clocks *included = &search->tasks[number];
    *included = (task_clocks){0};
    if (!reserve(search, &included->own, number + 1)) return false;
    included->own.clocks[number] = 1;
    search->task_count++;
  }
  return true;
}

int napkin_clock_task(void) {
  napkin_thread *self;
  napkin_search *search = napkin_searching;
  if (!search || search->is_off || !(self = running_thread())) return -1;
  if (self->tried) napkin_settle_tried(self);
  int task = self->task;
  if (task >= napkin_most_tasks) search->is_off = napkin_races_too_many_tasks;
  else if (napkin_has_left_something()) search->is_off = napkin_races_left_to_others;
  return !search->is_off && (task < search->task_count || include(search, task)) ? task : -1;
}

__attribute__((always_inline)) static inline task_clocks *clocks_of(int task) { return &napkin_searching->tasks[task]; }

static void move_on(int task) {
  clocks_of(task)->own.clocks[task]++;
  forget_recent_accesses();
}

static uint32_t slot_of(const object *table, uint32_t size, uintptr_t address) {
  uint32_t slot = (uint32_t)(address * 0x9E3779B97F4A7C15u >> 32) & (size - 1);
  while (table[slot].address && table[slot].address != address) slot = (slot + 1) & (size - 1);
  return slot;
}

/// Makes the table larger, without what is gone; false if it cannot be.
static bool grow(napkin_search *search) {
  uint32_t slots = search->object_slots, live = 0;
  object *objects = search->objects;
  for (uint32_t slot = 0; slot < slots; slot++) live += objects[slot].address && !objects[slot].is_gone;
  uint32_t size = slots == 0 ? first_slots : live > slots / 4 ? slots * 2 : slots;
  object *larger = size <= most_slots ? __libc_calloc(size, sizeof *larger) : NULL;
  if (!larger) return false;
  napkin_lock_tables();
  for (uint32_t slot = 0; slot < slots; slot++) {
    object *old = &objects[slot];
    if (old->address && !old->is_gone) {
      larger[slot_of(larger, size, old->address)] = *old;
    } else {
      search->bytes -= old->released.capacity * sizeof *old->released.clocks;
      __libc_free(old->released.clocks);
    }
  }
  search->objects = larger;
  search->object_slots = size;
  search->object_count = live;
  napkin_unlock_tables();
  __libc_free(objects);
  return true;
}

static object *object_at(napkin_search *search, uintptr_t address, bool makes) {
  if (makes && search->object_count >= search->object_slots / 2 && !grow(search)) {
    return napkin_end_races(search, napkin_races_too_many_locks), NULL;
  }
  if (search->object_slots == 0) return NULL;
  object *found = &search->objects[slot_of(search->objects, search->object_slots, address)];
  // To another thread, what was none a moment ago may be one of another address by now.
  if (found->address == address && !found->is_gone) return found;
  if (!makes) return NULL;
  search->object_count += !found->address;
  found->released.count = 0;
  *found = (object){.address = address, .head = no_head, .released = found->released};
  return found;
}

static object *running_object(const volatile void *address, bool makes, int *task) {
  *task = napkin_clock_task();
  return *task < 0 ? NULL : object_at(napkin_searching, (uintptr_t)address, makes);
}

void napkin_note_lock(uintptr_t address) {
  int task;
  object *lock = running_object((const void *)address, true, &task);
  if (!lock) return;
  lock->is_lock = true;
  napkin_cover_scopes(address);
  if (napkin_searching->maybe_lock == address) napkin_searching->has_race = false;
}

bool napkin_is_lock(napkin_search *search, uintptr_t address) {
  const object *found = object_at(search, address, false);
  return found && found->is_lock;
}

void napkin_acquire(const volatile void *address) {
  int task;
  object *found = running_object(address, false, &task);
  if (found) join(&clocks_of(task)->own, &found->released);
}

static void add_release(object *target, int task, const clock_vector *clocks) {
  target->head = target->released.count == 0 || target->head == task ? task : no_head;
  join(&target->released, clocks);
}

void napkin_release_clocks(const volatile void *address) {
  int task;
  object *target = running_object(address, true, &task);
  if (!target) return;
  add_release(target, task, &clocks_of(task)->own);
  move_on(task);
}

void napkin_load_atomic(const volatile void *address, bool acquires) {
  int task;
  object *found = running_object(address, false, &task);
  if (found) join(acquires ? &clocks_of(task)->own : &clocks_of(task)->read, &found->released);
}

// A store ends the release sequences of other tasks, and goes on with those of its own.
void napkin_store_atomic(const volatile void *address, bool releases) {
  int task;
  object *target = running_object(address, releases, &task);
  if (task < 0) return;
  if (!target && clocks_of(task)->fenced.count > 0) target = object_at(napkin_searching, (uintptr_t)address, true);
  if (!target) return;
  if (releases || target->head != task) target->released.count = 0;
  add_release(target, task, releases ? &clocks_of(task)->own : &clocks_of(task)->fenced);
  if (releases) move_on(task);
}

// A change in one goes on with all of them.
void napkin_update_atomic(const volatile void *address, bool acquires, bool releases) {
  int task = napkin_clock_task();
  if (task < 0) return;
  bool adds = releases || clocks_of(task)->fenced.count > 0;
  object *target = object_at(napkin_searching, (uintptr_t)address, adds);
  if (!target) return;
  join(acquires ? &clocks_of(task)->own : &clocks_of(task)->read, &target->released);
  if (!adds) return;
  add_release(target, task, releases ? &clocks_of(task)->own : &clocks_of(task)->fenced);
  if (releases) move_on(task);
}

void napkin_fence(bool acquires, bool releases) {
  int task = napkin_clock_task();
  if (task < 0) return;
  if (acquires) join(&clocks_of(task)->own, &clocks_of(task)->read);
  if (!releases) return;
  clocks_of(task)->fenced.count = 0;
  join(&clocks_of(task)->fenced, &clocks_of(task)->own);
  move_on(task);
}

// No task knows more of another one than that one itself.
static void join_all(clock_vector *target) {
  int count = napkin_searching->task_count;
  if (!reserve(napkin_searching, target, (uint32_t)count)) return;
  for (int task = 0; task < count; task++) target->clocks[task] = clocks_of(task)->own.clocks[task];
}

void napkin_order_after_all(void) {
  int task = napkin_clock_task();
  if (task < 0) return;
  join_all(&clocks_of(task)->own);
  for (int other = 0; other < napkin_searching->task_count; other++) clocks_of(other)->own.clocks[other] += other != task;
}

void napkin_forget_clocks(napkin_search *search, uintptr_t start, uintptr_t end) {
  if (search->object_count == 0) return;
  if (end - start > search->object_slots) {
    for (uint32_t slot = 0; slot < search->object_slots; slot++) {
      object *each = &search->objects[slot];
      if (each->address >= start && each->address < end) each->is_gone = true;
    }
    return;
  }
  for (uintptr_t address = start; address < end; address += 4) {
    object *found = object_at(search, address, false);
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

void napkin_resume_at_rest(bool begins) {
  if (napkin_searching) napkin_searching->is_at_rest = begins;
}

// A task that is resumed when all tasks have come to rest comes after all of them.
static void release_all(napkin_search *search, uintptr_t address) {
  object *target = object_at(search, address, true);
  if (!target) return;
  join_all(&target->released);
  target->head = no_head;
  for (int task = 0; task < search->task_count; task++) clocks_of(task)->own.clocks[task]++;
  forget_recent_accesses();
}

// A task whose continuation is resumed before it waits for it does not suspend, and the runtime does not say that it acquires anything.
// So it does here, before the rest of its step.
static void order_parked(const void *address) {
  int task = napkin_clock_task();
  napkin_thread *parked = task < 0 ? NULL : napkin_thread_parked_in(address);
  if (!parked || parked->task < 0 || parked->task >= napkin_most_tasks || !include(napkin_searching, parked->task)) return;
  join(&clocks_of(parked->task)->own, &clocks_of(task)->own);
}

// Another thread has something to do with a task of the execution; one that uses the same lazy global has not.
static void release_outside(const void *address) {
  napkin_lock_tables();
  bool is_known = napkin_searching && object_at(napkin_searching, (uintptr_t)address, false);
  napkin_unlock_tables();
  Dl_info image;
  if (is_known && !dladdr(address, &image)) napkin_stop_looking_for_races();
}

static void runtime_releases(const void *address) {
  if (napkin_is_of_types(CALLER)) return;
  order_parked(address);
  napkin_release_clocks(address);
  if (napkin_self || !napkin_searching) return;
  if (!napkin_is_exploring_thread()) return release_outside(address);
  // The scheduler resumes tasks on the thread that has begun the execution, too.
  napkin_search *search = napkin_searching;
  if (search->is_at_rest && !search->is_off) release_all(search, (uintptr_t)address);
}

bool napkin_hear_runtime(void) {
  if (!&_swift_tsan_enabled) return false;
  _swift_tsan_acquire = runtime_acquires;
  _swift_tsan_release = runtime_releases;
  _swift_tsan_enabled = true;
  return true;
}
#endif
