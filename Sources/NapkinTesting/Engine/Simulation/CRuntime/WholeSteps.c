// SPDX-License-Identifier: Apache-2.0
#include "System.h"

// The functions of split steps in a program that was built without asking for them: each step is whole, so there is nothing to do.

_Thread_local int napkin_counts_accesses = 0;

int napkin_pause_accesses(void) {
  int before = napkin_counts_accesses;
  if (before == 0) return 0;
  // Stored before it asks, and in one order with what a thread does that takes the baton over: it sees this, or is seen here.
  __atomic_store_n(&napkin_counts_accesses, 0, __ATOMIC_SEQ_CST);
  if (__builtin_expect(atomic_load(&napkin_any_is_out), 0)) (void)napkin_come_back();
  return before;
}

void napkin_resume_accesses(int before) { __atomic_store_n(&napkin_counts_accesses, before, __ATOMIC_RELEASE); }

#if !NAPKIN_SPLITS
#include <stdlib.h>

#if defined(__ELF__)
// The runtime of the thread sanitizer, which a program may have been linked with though this file was not compiled for it.
extern void __tsan_acquire(void *) __attribute__((weak));
static bool has_sanitizer(void) {
#if defined(HAS_SANITIZER)
  return true;
#else
  return __tsan_acquire != NULL;
#endif
}
#else
static bool has_sanitizer(void) { return false; }
#endif

#if defined(NAPKIN_SPLIT)
int napkin_splitting(void) { return has_sanitizer() ? napkin_split_beside_sanitizer : napkin_split_elsewhere; }
#else
int napkin_splitting(void) {
  if (!napkin_is_instrumented() || has_sanitizer()) return napkin_split_not_asked;
#if defined(NAPKIN_LINUX)
  return napkin_split_not_linked;
#else
  return napkin_split_elsewhere;
#endif
}
#endif

// Asked by the functions that stand in for those of the system.
void napkin_reach_cancel(const void *task, uintptr_t caller) {
  (void)task, (void)caller;
  napkin_reach_call(napkin_access_cancel);
}
bool napkin_sleep_in_step(int64_t nanoseconds) { return (void)nanoseconds, false; }
bool napkin_wait_in_step(intptr_t (*wait)(void *, uint64_t), void *object, uint64_t time, intptr_t *result,
                         uintptr_t caller) {
  return (void)wait, (void)object, (void)time, (void)result, (void)caller, false;
}
bool napkin_run_in_step(void *queue, void *code, bool is_barrier, uintptr_t caller) {
  return (void)queue, (void)code, (void)is_barrier, (void)caller, false;
}
bool napkin_simulates_threads(void) { return false; }
bool napkin_simulates_queues(void) { return false; }
void napkin_submit_block(void *queue, void *code, bool is_barrier, void *group) {
  (void)queue, (void)code, (void)is_barrier, (void)group;
}

// Asked by the scheduler, of an execution whose steps can be split alone.
void *napkin_make_cancellation(void *task) { return task; }
bool napkin_stay_on_processor(void) { return false; }
void napkin_leave_processor(void) {}
bool napkin_may_wait(const napkin_thread *thread) { return (void)thread, false; }
void napkin_discard_thread(napkin_thread *thread) { (void)thread; }

void napkin_others_are_ready(bool are_ready) { (void)are_ready; }

void napkin_stop_looking_for_races(void) {}
void napkin_resume_at_rest(bool begins) { (void)begins; }
void napkin_acquire(const volatile void *address) { (void)address; }
void napkin_release_clocks(const volatile void *address) { (void)address; }
#endif
