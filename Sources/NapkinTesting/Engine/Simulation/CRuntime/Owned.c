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
// nothing has to be wiped in the end. A task that loses its place to another one is kept in a list.
enum { places = 4096, execution_bits = 16, execution_mask = (1 << execution_bits) - 1 };
static _Atomic(uint64_t) owned[places];
static _Atomic(uint64_t) live = 0;
static uint64_t last = 0;

static pthread_mutex_t displaced_lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t *displaced;
static size_t displaced_capacity;
static _Atomic(size_t) displaced_count = 0;

static void displace(uint64_t entry) {
  pthread_mutex_lock(&displaced_lock);
  size_t count = atomic_load_explicit(&displaced_count, memory_order_relaxed);
  if (count == displaced_capacity) {
    size_t capacity = count == 0 ? 1024 : count * 2;
    uint64_t *larger = realloc(displaced, capacity * sizeof *larger);
    if (larger) {
      displaced = larger;
      displaced_capacity = capacity;
    }
  }
  if (count < displaced_capacity) {
    displaced[count] = entry;
    atomic_store_explicit(&displaced_count, count + 1, memory_order_release);
  }
  pthread_mutex_unlock(&displaced_lock);
}

static uint64_t displaced_owner(uint64_t task) {
  uint64_t owner = 0;
  pthread_mutex_lock(&displaced_lock);
  for (size_t index = 0; index < displaced_count && owner == 0; index++) {
    if (displaced[index] >> execution_bits == task) owner = displaced[index] & execution_mask;
  }
  pthread_mutex_unlock(&displaced_lock);
  return owner;
}

uint64_t napkin_begin_owning(void) {
  // Never zero, which is what an empty place looks like.
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
