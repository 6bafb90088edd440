// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Clocks.h"

#if NAPKIN_SPLITS
#include <malloc.h>
#include <sys/uio.h>
#include <unistd.h>

// The end of an object comes after whatever each task did before it gave back its reference to that object. The runtime orders these
// without saying so. A release that is called by its name is heard; one by the standard library's own code, as of the elements of an
// array, is not, so a task that has touched the object counts as one that has released it.

enum { most_users = 3, gone = 1, first_slots = 1 << 8, most_slots = 1 << 20 };

/// An object that tasks have released, and which: the last one first.
typedef struct released_object {
  uintptr_t object;
  int16_t tasks[most_users];
  uint8_t count;
  /// Whether more tasks have.
  bool is_any;
} released_object;

// The convention saves more than usual where callers may rely on that.
#if defined(__x86_64__)
#define CALLED_BY_NAME
#else
#define CALLED_BY_NAME __attribute__((preserve_most))
#endif
typedef CALLED_BY_NAME void release_function(void *object);
release_function swift_release, swift_bridgeObjectRelease;
CALLED_BY_NAME void swift_release_n(void *object, uint32_t count);
// The runtime's function, which the first call finds.
static release_function find_release;
static release_function *system_release = find_release;

static inline uint32_t slot_of(const napkin_search *search, uintptr_t object) {
  return (uint32_t)(object >> 4) & (search->released_slots - 1);
}

/// Where an object is in the table, or would be.
static released_object *entry_of(const napkin_search *search, uintptr_t object) {
  uint32_t slot = slot_of(search, object);
  while (search->released[slot].object && search->released[slot].object != object) slot = (slot + 1) & (search->released_slots - 1);
  return &search->released[slot];
}

/// Makes the table larger, without what is gone; false if it cannot be.
static bool grow(napkin_search *search) {
  uint32_t slots = search->released_slots, live = 0;
  released_object *objects = search->released;
  for (uint32_t slot = 0; slot < slots; slot++) live += objects[slot].object > gone;
  uint32_t size = slots == 0 ? first_slots : live > slots / 8 ? slots * 2 : slots;
  released_object *larger = size <= most_slots ? __libc_calloc(size, sizeof *larger) : NULL;
  if (!larger) return napkin_end_races(search, napkin_races_too_many_locks), false;
  search->released = larger;
  search->released_slots = size;
  search->released_count = live;
  for (uint32_t slot = 0; slot < slots; slot++) {
    if (objects[slot].object > gone) *entry_of(search, objects[slot].object) = objects[slot];
  }
  __libc_free(objects);
  return true;
}

static void add(napkin_search *search, uintptr_t object, int task) {
  if (search->is_off || (search->released_count >= search->released_slots / 4 && !grow(search))) return;
  released_object *entry = entry_of(search, object);
  if (!entry->object) {
    search->released_count++;
    *entry = (released_object){.object = object};
  }
  int place = 0;
  while (place < entry->count && entry->tasks[place] != task) place++;
  if (place == most_users) {
    entry->is_any = true;
    place--;
  } else if (place == entry->count) {
    entry->count++;
  }
  for (; place > 0; place--) entry->tasks[place] = entry->tasks[place - 1];
  entry->tasks[0] = (int16_t)task;
}

/// Takes note of a release that is not the last one: by the ABI, the upper bits count the references besides the first.
static void note(uintptr_t object) {
  napkin_search *search = napkin_searching;
  if (!search || (intptr_t)object <= 0 || ((const int64_t *)object)[1] >> 33 == 0) return;
  int task = napkin_self->task;
  if (search->released_slots != 0) {
    const released_object *entry = &search->released[slot_of(search, object)];
    if (entry->object == object && entry->tasks[0] == task) return;
  }
  add(search, object, task);
}

static CALLED_BY_NAME void find_release(void *object) {
  system_release = SYSTEM(swift_release);
  system_release(object);
}

static CALLED_BY_NAME void release(void *object) {
  note((uintptr_t)object);
  system_release(object);
}

// Called by all code of the process, so it does only the most necessary.
CALLED_BY_NAME void swift_release(void *object) {
  if (napkin_counts_accesses != 0) __attribute__((musttail)) return release(object);
  __attribute__((musttail)) return system_release(object);
}

CALLED_BY_NAME void swift_release_n(void *object, uint32_t count) {
  if (napkin_counts_accesses != 0) note((uintptr_t)object);
  SYSTEM(swift_release_n)(object, count);
}

// The release of text or an array: some bits of it are no part of the address.
CALLED_BY_NAME void swift_bridgeObjectRelease(void *object) {
  if (napkin_counts_accesses != 0 && (intptr_t)object > 0) note((uintptr_t)object & 0x00fffffffffffff8);
  SYSTEM(swift_bridgeObjectRelease)(object);
}

void napkin_free_releases(const napkin_search *search) { __libc_free(search->released); }

void napkin_forget_released(napkin_search *search, uintptr_t object) {
  released_object *entry = &search->released[slot_of(search, object)];
  if (entry->object == 0) return;
  if (entry->object != object) entry = entry_of(search, object);
  if (entry->object == object) entry->object = gone;
}

/// Whether an address is that of an object which ends and had no weak reference: where a structure ends the register may have anything.
static bool is_ending(uintptr_t object) {
  uint64_t words[2];
  struct iovec here = {words, sizeof words}, there = {(void *)object, sizeof words};
  if (process_vm_readv(getpid(), &here, 1, &there, 1, 0) != (ssize_t)sizeof words) return false;
  return (words[1] >> 32 & 1) != 0 && words[1] >> 63 == 0;
}

bool napkin_ends_after(const napkin_search *search, int task, uint32_t clock) {
  const napkin_thread *self = napkin_self;
  for (int index = 0; index < self->deinit_count; index++) {
    uintptr_t object = index < napkin_most_deinits ? self->deinits[index] : 0;
    if (object - self->stack_start < self->stack_size) continue;
    if (!is_ending(object)) return true;
    const released_object *entry = search->released_slots != 0 ? entry_of(search, object) : NULL;
    bool is_known = entry && entry->object;
    if (is_known && entry->is_any) return true;
    int users = is_known ? entry->count : 0;
    for (int user = 0; user < users; user++) {
      if (napkin_comes_before(search, task, clock, entry->tasks[user])) return true;
    }
    if (napkin_have_touched(search, object, malloc_usable_size((void *)object), task, clock)) return true;
  }
  return false;
}
#endif
