// SPDX-License-Identifier: Apache-2.0
#include "NapkinTestingCRuntime.h"

// One lock and one condition for all waiting threads: waiting for something outside is rare, and is not what a step costs.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t rung = PTHREAD_COND_INITIALIZER;
static _Atomic(uint64_t) rings = 0;

uint64_t napkin_rings(void) { return atomic_load(&rings); }

void napkin_ring(void) {
  pthread_mutex_lock(&lock);
  atomic_fetch_add(&rings, 1);
  pthread_cond_broadcast(&rung);
  pthread_mutex_unlock(&lock);
}

void napkin_await_ring(uint64_t heard, int64_t nanoseconds) {
  int64_t end = napkin_real_time() + nanoseconds;
  pthread_mutex_lock(&lock);
  while (atomic_load(&rings) == heard) {
    int64_t left = end - napkin_real_time();
    if (left <= 0 || !napkin_wait_really(&rung, &lock, left)) break;
  }
  pthread_mutex_unlock(&lock);
}
