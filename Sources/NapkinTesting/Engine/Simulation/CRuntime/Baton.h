// SPDX-License-Identifier: Apache-2.0

// The threads of the simulation, in which jobs can be half-run (Baton.c).
#pragma once
#include "System.h"

#include <setjmp.h>

typedef struct napkin_block napkin_block;

/// An access to a variable that has begun and not ended, by the law of exclusivity; and the one that it is inside of.
typedef struct {
  uintptr_t caller, flags, outer_start;
  const void *buffer;
  bool outer_is_covered;
} napkin_scope;

enum { napkin_most_deinits = 16 };

struct napkin_thread {
  _Atomic(uint32_t) baton;
  // Its number in the kernel.
  uint32_t tid;
  int32_t task;
  // The actor that its job is on; zero for none.
  uintptr_t actor;
  /// Whether a job runs on it, and not the scheduler.
  _Atomic(bool) is_in_job;
  // The task's object, while it is half-way through a step.
  const void *parked;
  struct napkin_thread *next_idle;
  uintptr_t stack_start, stack_size;
#if !defined(__linux__)
  pthread_mutex_t lock;
  pthread_cond_t is_given;
#endif

#if NAPKIN_SPLITS
  // The processor that it is kept on; negative for none.
  int processor;
  bool is_to_die;
  jmp_buf base;
  // The condition that it waits for: that a word is zero, or is not a value any more.
  int waits_for;
  bool until_zero;
  volatile uint32_t *word;
  uint32_t value;
  uintptr_t address;
  // When it goes on in any case, in the time of the execution.
  int64_t deadline;
  // The condition that it waits for, since when among the others, and whether that was signalled.
  pthread_cond_t *condition;
  uint64_t ticket;
  volatile uint32_t is_signaled;
  napkin_frames frames;

  // For a thread that the code under test has started: what it runs, its handle, whether it has not ended, and how often its end
  // was put off.
  bool is_own;
  void *(*start)(void *);
  void *argument;
  pthread_t handle;
  volatile uint32_t is_running;
  int ends;
  struct napkin_thread *next_ended;
  // Whether it may wait for ever.
  bool may_wait_forever;

  // The objects in whose ends it is, the outermost first: as many as have room.
  int deinit_count;
  uintptr_t deinits[napkin_most_deinits];

  // A `Mutex` that was not free when it was tried.
  const volatile uint32_t *tried;
  napkin_scope *scopes;
  size_t scope_count, scope_room;
#else
  /// Whether its job waits in the kernel for something that the job of another thread had, and runs without the baton; or has come
  /// as far as to need that again (Stops.c).
  _Atomic(int) is_out;
  /// Its number among all threads.
  uintptr_t identity;
  /// Whether it runs handlers for the scheduler, and is not stopped.
  bool is_between_jobs;
  /// The call at which it is stopped.
  uint64_t place;
  // Whether its job is in code of the kit.
  volatile int *counts;
#endif
};

/// The thread of the simulation that runs here; NULL on all others.
extern FAST_THREAD_LOCAL napkin_thread *napkin_self;
/// The thread that has begun the execution.
extern napkin_thread napkin_starter;
extern napkin_split_handlers napkin_handlers;
/// The execution that is under way in threads of the simulation; NULL if none is. One inside of it has whole steps.
extern _Atomic(napkin_split *) napkin_under_way;

/// Lets another thread go on, that which has begun the execution if it is NULL.
void napkin_give(napkin_thread *next);
/// The same, until this one is given the baton again, in the middle of its job.
void napkin_pass(napkin_thread *self, napkin_thread *next);
/// Sleeps until the thread is given the baton.
void napkin_take(napkin_thread *thread);
/// Whether the thread was given the baton, which it has then; and sleeps until it is, or until the nanoseconds are over where they are
/// not negative.
bool napkin_is_given(napkin_thread *thread);
void napkin_sleep_until_given(napkin_thread *thread, int64_t nanoseconds);
/// Says that the thread, which is the calling one, has the baton.
void napkin_got_baton(napkin_thread *thread);
void napkin_find_number(napkin_thread *thread);
/// Makes the calling thread one of the simulation.
void napkin_become(napkin_thread *thread);
void napkin_prepare_thread(napkin_thread *thread);
/// The memory of the calling thread's signal handlers.
void *napkin_handler_stack(void);

// The parts that split steps (Splitting/) have otherwise than stops at calls (Stops.c).

/// Waits for the baton in the middle of a job.
void napkin_await_turn(napkin_thread *self);
/// Called for the thread that has the baton from now on.
void napkin_note_holder(napkin_thread *thread);
/// Adds a thread to those of the simulation, if there is room, and takes it out.
bool napkin_enter_thread(napkin_thread *thread);
void napkin_forget_thread(napkin_thread *thread);

/// Whether a job of the simulation runs here.
__attribute__((always_inline)) static inline napkin_thread *running_thread(void) {
  napkin_thread *self = napkin_self;
  return self && atomic_load_explicit(&self->is_in_job, memory_order_relaxed) ? self : NULL;
}
