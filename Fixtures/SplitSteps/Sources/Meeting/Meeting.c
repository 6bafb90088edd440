// SPDX-License-Identifier: Apache-2.0
#include "Meeting.h"

#include <sched.h>
#include <stdatomic.h>
#include <time.h>

static _Atomic(int) expected = 0, arrived = 0;

void expect_meeting(int count) {
  atomic_store_explicit(&arrived, 0, memory_order_relaxed);
  atomic_store_explicit(&expected, count, memory_order_relaxed);
}

static long long milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

void meet(void) {
  int count = atomic_load_explicit(&expected, memory_order_relaxed);
  if (count == 0) return;
  atomic_fetch_add_explicit(&arrived, 1, memory_order_relaxed);
  long long end = milliseconds() + 200;
  while (atomic_load_explicit(&arrived, memory_order_relaxed) < count && milliseconds() < end) sched_yield();
}
