// SPDX-License-Identifier: Apache-2.0
#include "NapkinTestingCRuntime.h"

#include <stdatomic.h>
#include <stdlib.h>

static napkin_execution no_execution;
napkin_execution *napkin_current = &no_execution;

napkin_execution *napkin_use_execution(napkin_execution *execution) {
  napkin_execution *before = napkin_current == &no_execution ? NULL : napkin_current;
  napkin_current = execution ? execution : &no_execution;
  // A loop that asked for the time before has ended, or begins anew.
  napkin_forget_questions();
  if (napkin_current->holds_output) napkin_buffer_output(false);
  return before;
}

// The execution of each task, for every thread to ask before it enqueues a job. The exploring thread alone writes.
//
// A place holds a task's number and the low bits of that of its execution. The runtime never uses a task's number again, so
// nothing has to be wiped in the end. A task that loses its place to another one has one in a second table.
enum { places = 4096, execution_bits = 16, execution_mask = (1 << execution_bits) - 1 };
static _Atomic(uint64_t) owned[places];
static _Atomic(uint64_t) live = 0;
static uint64_t last = 0;

static pthread_mutex_t displaced_lock = PTHREAD_MUTEX_INITIALIZER;
// Half of the places are free: tasks are numbered in a row, so that each is near its own place.
static uint64_t *displaced;
static size_t displaced_capacity;
static _Atomic(size_t) displaced_count = 0;

// The place of a task among those that were displaced, or the free one that it would have.
static uint64_t *displaced_place(uint64_t task) {
  size_t index = task & (displaced_capacity - 1);
  while (displaced[index] != 0 && displaced[index] >> execution_bits != task) index = (index + 1) & (displaced_capacity - 1);
  return displaced + index;
}

static bool grow_displaced(void) {
  uint64_t *before = displaced;
  size_t capacity = displaced_capacity;
  uint64_t *larger = calloc(capacity == 0 ? 2048 : capacity * 2, sizeof *larger);
  if (!larger) return false;
  displaced = larger;
  displaced_capacity = capacity == 0 ? 2048 : capacity * 2;
  for (size_t index = 0; index < capacity; index++) {
    if (before[index] != 0) *displaced_place(before[index] >> execution_bits) = before[index];
  }
  free(before);
  return true;
}

static void displace(uint64_t entry) {
  pthread_mutex_lock(&displaced_lock);
  size_t count = atomic_load_explicit(&displaced_count, memory_order_relaxed);
  if (count < displaced_capacity / 2 || grow_displaced()) {
    uint64_t *place = displaced_place(entry >> execution_bits);
    if (*place == 0) atomic_store_explicit(&displaced_count, count + 1, memory_order_release);
    *place = entry;
  }
  pthread_mutex_unlock(&displaced_lock);
}

static uint64_t displaced_owner(uint64_t task) {
  pthread_mutex_lock(&displaced_lock);
  uint64_t owner = displaced ? *displaced_place(task) & execution_mask : 0;
  pthread_mutex_unlock(&displaced_lock);
  return owner;
}

uint64_t napkin_begin_owning(void) {
  // Zero marks an empty place.
  last = (last & execution_mask) == execution_mask ? 1 : last + 1;
  atomic_fetch_add_explicit(&live, 1, memory_order_relaxed);
  return last;
}

uint64_t napkin_owning(void) { return napkin_current->number; }

void napkin_end_owning(void) {
  if (atomic_fetch_sub_explicit(&live, 1, memory_order_relaxed) != 1) return;
  if (atomic_load_explicit(&displaced_count, memory_order_relaxed) == 0) return;
  pthread_mutex_lock(&displaced_lock);
  atomic_store_explicit(&displaced_count, 0, memory_order_relaxed);
  free(displaced);
  displaced = NULL;
  displaced_capacity = 0;
  pthread_mutex_unlock(&displaced_lock);
}

void napkin_own(uint64_t task) {
  uint64_t execution = napkin_owning();
  uint64_t entry = task << execution_bits | execution;
  uint64_t before = atomic_exchange_explicit(&owned[task % places], entry, memory_order_release);
  if (before == 0 || before == entry) return;
  bool is_of_this_one = (before & execution_mask) == execution;
  if (is_of_this_one || atomic_load_explicit(&live, memory_order_relaxed) > 1) displace(before);
}

bool napkin_owns_any(void) { return atomic_load_explicit(&live, memory_order_relaxed) != 0; }

uint64_t napkin_owner(uint64_t task) {
  uint64_t entry = atomic_load_explicit(&owned[task % places], memory_order_acquire);
  if (entry >> execution_bits == task) return entry & execution_mask;
  return atomic_load_explicit(&displaced_count, memory_order_acquire) == 0 ? 0 : displaced_owner(task);
}
