// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Split.h"

#if NAPKIN_SPLITS
#include <dlfcn.h>
#include <stdlib.h>

// Initialisers that run once: a task that wants the result while another one is half-way through waits in the simulation.

// An initialisation that runs, or a place for the next one. Others may wait there until the execution has ended.
typedef struct napkin_once once;
struct napkin_once {
  const void *control;
  // The thread that initialises it; zero if none does.
  uint32_t thread;
  // The number of this initialisation; zero once it has ended.
  volatile uint32_t number;
  once *next;
};

void napkin_free_onces(once *onces) {
  while (onces) {
    once *next = onces->next;
    free(onces);
    onces = next;
  }
}

static once *busy_with(const void *control) {
  for (once *each = napkin_under_way->onces; each; each = each->next) {
    if (each->thread && each->control == control && each->thread != napkin_self->tid) return each;
  }
  return NULL;
}

/// Waits until no other thread of the simulation initialises it.
static void wait_for_once(const void *control) {
  once *other;
  while ((other = busy_with(control))) {
    napkin_wait_in_simulation(napkin_waits_for_once, control, &other->number, false, other->number, INT64_MAX);
  }
}

static once *begin_once(const void *control) {
  napkin_split *split = napkin_under_way;
  once *place = split->onces;
  while (place && place->thread) place = place->next;
  if (!place) {
    place = calloc(1, sizeof *place);
    if (!place) abort();
    place->next = split->onces;
    split->onces = place;
  }
  place->control = control;
  place->thread = napkin_self->tid;
  place->number = ++split->once_count;
  return place;
}

static void end_once(once *place) {
  place->thread = 0;
  place->number = 0;
}

// Lazy globals. An initialiser runs once in a process, so its accesses do not count; it is only left half-way where it
// waits for a lock.
//
// The accessor of such a global comes here each time. Only the caller that initialises it comes before the others.
struct initialiser {
  void (*run)(void *);
  void *context;
  bool has_run;
};

static void run_initialiser(void *context) {
  struct initialiser *initialiser = context;
  initialiser->has_run = true;
  initialiser->run(initialiser->context);
}

void swift_once(intptr_t *predicate, void (*initialise)(void *), void *context) {
  if (__builtin_expect(!running_thread(), 1)) {
    napkin_share_initialiser(true);
    SYSTEM(swift_once)(predicate, initialise, context);
    return napkin_share_initialiser(false);
  }
  wait_for_once(predicate);
  int counted = napkin_pause_accesses();
  once *place = begin_once(predicate);
  struct initialiser initialiser = {initialise, context, false};
  SYSTEM(swift_once)(predicate, run_initialiser, &initialiser);
  end_once(place);
  if (initialiser.has_run) napkin_release_clocks(predicate);
  else napkin_acquire(predicate);
  napkin_resume_accesses(counted);
}

// By glibc's way: the second bit is set when the initialiser has returned.
static bool is_over(const pthread_once_t *control) { return (__atomic_load_n(control, __ATOMIC_ACQUIRE) & 2) != 0; }

// A control in memory of the program's own is for the whole process, as a lazy global is. Others are made again in each execution.
int pthread_once(pthread_once_t *control, void (*initialise)(void)) {
  if (__builtin_expect(!running_thread(), 1)) return SYSTEM(pthread_once)(control, initialise);
  if (napkin_searching) napkin_note_lock((uintptr_t)control);
  if (!is_over(control)) wait_for_once(control);
  bool initialises = !is_over(control);
  Dl_info image;
  int counted = napkin_counts_accesses;
  if (initialises && dladdr(control, &image)) counted = napkin_pause_accesses();
  once *place = initialises ? begin_once(control) : NULL;
  int result = SYSTEM(pthread_once)(control, initialise);
  if (place) end_once(place);
  if (initialises) napkin_release_clocks(control);
  else napkin_acquire(control);
  napkin_resume_accesses(counted);
  return result;
}
#endif
