// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Split.h"

#if NAPKIN_SPLITS
#include <dlfcn.h>

// Initialisers that run once: a task that wants the result while another one is half-way through waits in the simulation.

// More at a time are not waited for: a task that meets one of those blocks its thread, and the execution hangs.
enum { most_onces = 64 };
static struct {
  const void *control;
  // The thread that initialises it; zero if none does.
  volatile uint32_t is_busy;
} onces[most_onces];

/// Waits until no other thread of the simulation initialises it, and returns a place to write down that this one does.
static int wait_for_once(const void *control) {
  int place = most_onces;
  for (int index = 0; index < most_onces; index++) {
    if (!onces[index].is_busy) {
      place = index;
    } else if (onces[index].control == control && onces[index].is_busy != napkin_self->tid) {
      napkin_wait_in_simulation(napkin_waits_for_once, control, &onces[index].is_busy, true, 0, INT64_MAX);
    }
  }
  return place;
}

static void begin_once(int place, const void *control) {
  if (place == most_onces) return;
  onces[place].control = control;
  onces[place].is_busy = napkin_self->tid;
}

static void end_once(int place) {
  if (place < most_onces) onces[place].is_busy = 0;
}

void napkin_discard_onces(const napkin_thread *thread) {
  for (int index = 0; index < most_onces; index++) {
    if (onces[index].is_busy == thread->tid) onces[index].is_busy = 0;
  }
}

// Lazy globals. What an initialiser does happens once in a process, so its accesses do not count; it is only left half-way where it
// waits for a lock.
void swift_once(intptr_t *predicate, void (*initialise)(void *), void *context) {
  if (__builtin_expect(!running_thread(), 1)) return SYSTEM(swift_once)(predicate, initialise, context);
  int place = wait_for_once(predicate);
  int counted = napkin_pause_accesses();
  begin_once(place, predicate);
  SYSTEM(swift_once)(predicate, initialise, context);
  end_once(place);
  napkin_acquire(predicate);
  napkin_release_clocks(predicate);
  napkin_resume_accesses(counted);
}

// By glibc's way: the second bit is set when the initialiser has returned.
static bool is_over(const pthread_once_t *control) { return (__atomic_load_n(control, __ATOMIC_ACQUIRE) & 2) != 0; }

// A control in memory of the program's own is for the whole process, as a lazy global is. Others are made again in each execution.
int pthread_once(pthread_once_t *control, void (*initialise)(void)) {
  if (__builtin_expect(!running_thread(), 1)) return SYSTEM(pthread_once)(control, initialise);
  int place = is_over(control) ? most_onces : wait_for_once(control);
  bool initialises = !is_over(control);
  Dl_info image;
  int counted = napkin_counts_accesses;
  if (initialises && dladdr(control, &image)) counted = napkin_pause_accesses();
  if (initialises) begin_once(place, control);
  int result = SYSTEM(pthread_once)(control, initialise);
  if (initialises) end_once(place);
  if (initialises) napkin_release_clocks(control);
  else napkin_acquire(control);
  napkin_resume_accesses(counted);
  return result;
}
#endif
