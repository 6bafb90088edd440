// SPDX-License-Identifier: Apache-2.0
#include "NapkinTestingCRuntime.h"

#include <stdatomic.h>

// The tasks of the execution that runs, for every other thread to ask whether it is about to resume one of them. Each
// task has one place, which it may lose to another one: then the thread is not told, as if nobody had asked.
//
// A place holds a task's number and the low bits of that of its execution, so nothing has to be wiped in the end.
enum { places = 4096, execution_bits = 16 };
static _Atomic(uint64_t) owned[places];
static _Atomic(uint64_t) running = 0;
static _Atomic(bool) has_met_stray = false;
static uint64_t last = 0;

static uint64_t entry(uint64_t task, uint64_t execution) {
  return task << execution_bits | (execution & ((1 << execution_bits) - 1));
}

uint64_t napkin_begin_owning(void) {
  uint64_t outer = atomic_load_explicit(&running, memory_order_relaxed);
  atomic_store_explicit(&has_met_stray, false, memory_order_relaxed);
  // Never one whose low bits are zero: that is what an empty place looks like.
  do last++;
  while ((last & ((1 << execution_bits) - 1)) == 0);
  atomic_store_explicit(&running, last, memory_order_relaxed);
  return outer;
}

void napkin_end_owning(uint64_t outer) { atomic_store_explicit(&running, outer, memory_order_relaxed); }

void napkin_own(uint64_t task) {
  uint64_t execution = atomic_load_explicit(&running, memory_order_relaxed);
  atomic_store_explicit(&owned[task % places], entry(task, execution), memory_order_release);
}

bool napkin_owns_any(void) { return atomic_load_explicit(&running, memory_order_relaxed) != 0; }

bool napkin_catch_stray(uint64_t task) {
  uint64_t execution = atomic_load_explicit(&running, memory_order_relaxed);
  if (execution == 0) return false;
  if (atomic_load_explicit(&owned[task % places], memory_order_acquire) != entry(task, execution)) return false;
  atomic_store_explicit(&has_met_stray, true, memory_order_release);
  return true;
}

bool napkin_met_stray(void) { return atomic_load_explicit(&has_met_stray, memory_order_acquire); }
