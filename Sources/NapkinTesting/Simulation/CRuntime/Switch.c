// SPDX-License-Identifier: Apache-2.0
#include "NapkinTestingCRuntime.h"

#include <pthread.h>
#include <stdatomic.h>

// Zero when nobody explores. A thread's identity is compared before anything else of an exploration is touched, since
// every other thread of the process asks all the time.
static _Atomic(uintptr_t) exploring_thread = 0;

static inline uintptr_t this_thread(void) { return (uintptr_t)pthread_self(); }

void napkin_explore_on_this_thread(void) { atomic_store_explicit(&exploring_thread, this_thread(), memory_order_relaxed); }
void napkin_stop_exploring(void) { atomic_store_explicit(&exploring_thread, 0, memory_order_relaxed); }
bool napkin_is_exploring_thread(void) {
  return atomic_load_explicit(&exploring_thread, memory_order_relaxed) == this_thread();
}
