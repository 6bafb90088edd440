// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Baton.h"
#include "Runtime.h"
#if NAPKIN_SPLITS
#include "Split.h"
#endif

#include <stdlib.h>
#include <time.h>
#if defined(__linux__)
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#else
#include <mach/mach.h>
#endif

// The threads of the simulation. One has the baton, and is the exploring thread: it runs a job, or the scheduler. The others are
// half-way through a job, or idle, and sleep until they are given it. So what the simulation shares needs no lock.

FAST_THREAD_LOCAL napkin_thread *napkin_self = NULL;

napkin_split_handlers napkin_handlers;
_Atomic(napkin_split *) napkin_under_way = NULL;
napkin_thread napkin_starter;
static napkin_thread *idle = NULL;

void napkin_take_splits(napkin_split_handlers taken) { napkin_handlers = taken; }
napkin_thread *napkin_starting_thread(void) { return &napkin_starter; }
napkin_thread *napkin_this_split_thread(void) { return napkin_self; }
int32_t napkin_thread_task(const napkin_thread *thread) { return thread->task; }
uintptr_t napkin_thread_actor(const napkin_thread *thread) { return thread->actor; }
void napkin_set_thread_actor(napkin_thread *thread, uintptr_t actor) { thread->actor = actor; }
void napkin_set_thread_task(napkin_thread *thread, int32_t task) { thread->task = task; }

#if defined(__linux__)
#if !NAPKIN_SPLITS
#define napkin_raw_syscall syscall
#endif

static void wake(napkin_thread *thread) {
  napkin_raw_syscall(SYS_futex, (long)&thread->baton, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1, 0, 0, 0);
}

void napkin_sleep_until_given(napkin_thread *thread, int64_t nanoseconds) {
  struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  long limit = nanoseconds < 0 ? 0 : (long)&time;
  napkin_raw_syscall(SYS_futex, (long)&thread->baton, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 0, limit, 0, 0);
}

void napkin_find_number(napkin_thread *thread) { thread->tid = (uint32_t)napkin_raw_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0); }
#else
static void wake(napkin_thread *thread) {
  pthread_mutex_lock(&thread->lock);
  pthread_cond_signal(&thread->is_given);
  pthread_mutex_unlock(&thread->lock);
}

void napkin_sleep_until_given(napkin_thread *thread, int64_t nanoseconds) {
  struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  pthread_mutex_lock(&thread->lock);
  if (atomic_load_explicit(&thread->baton, memory_order_acquire) == 0) {
    if (nanoseconds < 0) pthread_cond_wait(&thread->is_given, &thread->lock);
    else pthread_cond_timedwait_relative_np(&thread->is_given, &thread->lock, &time);
  }
  pthread_mutex_unlock(&thread->lock);
}

void napkin_find_number(napkin_thread *thread) { thread->tid = pthread_mach_thread_np(pthread_self()); }
#endif

void napkin_give(napkin_thread *next) {
  napkin_thread *thread = next ? next : &napkin_starter;
  atomic_store_explicit(&thread->baton, 1, memory_order_release);
  wake(thread);
}

bool napkin_is_given(napkin_thread *thread) {
  return atomic_exchange_explicit(&thread->baton, 0, memory_order_acquire) != 0;
}

void napkin_got_baton(napkin_thread *thread) {
  napkin_note_holder(thread);
  atomic_store_explicit(&napkin_exploring_thread, napkin_this_thread(), memory_order_relaxed);
  napkin_watch_here(thread->stack_start, thread->tid);
}

void napkin_take(napkin_thread *thread) {
  while (!napkin_is_given(thread)) napkin_sleep_until_given(thread, -1);
  napkin_got_baton(thread);
}

void napkin_prepare_thread(napkin_thread *thread) {
#if !defined(__linux__)
  pthread_mutex_init(&thread->lock, NULL);
  pthread_cond_init(&thread->is_given, NULL);
#endif
}

static FAST_THREAD_LOCAL void *handler_stack = NULL;
void *napkin_handler_stack(void) { return handler_stack; }

void napkin_become(napkin_thread *thread) {
  napkin_find_stack(&thread->stack_start, &thread->stack_size);
  napkin_find_number(thread);
  handler_stack = malloc(napkin_handler_stack_size);
  napkin_accept_signals(handler_stack);
#if !NAPKIN_SPLITS
  thread->counts = &napkin_counts_accesses;
  thread->identity = napkin_this_thread();
#endif
  // Last: it has no baton yet, and may free memory up to here, as a thread outside of the simulation.
  napkin_self = thread;
}

static void *work(void *argument) {
  napkin_become(argument);
#if NAPKIN_SPLITS
  if (_setjmp(napkin_self->base) != 0) {
    // The half-run job was discarded. What its frames hold is lost, as of any execution that does not end.
    napkin_end_discarded(napkin_self);
    return NULL;
  }
#endif
  for (;;) {
    napkin_take(napkin_self);
    napkin_thread *next = napkin_handlers.go_on();
    napkin_self->next_idle = idle;
    idle = napkin_self;
    napkin_give(next);
  }
}

static napkin_thread *make_thread(void) {
  napkin_thread *thread = calloc(1, sizeof *thread);
  if (!thread || !napkin_enter_thread(thread)) return free(thread), NULL;
  napkin_prepare_thread(thread);
  pthread_t system_thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  // As much as the main thread has, which runs the jobs of other executions.
  enum { stack_size = 8 << 20 };
  pthread_attr_setstacksize(&attributes, stack_size);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  int result = SYSTEM(pthread_create)(&system_thread, &attributes, work, thread);
  pthread_attr_destroy(&attributes);
  if (result == 0) return thread;
  napkin_forget_thread(thread);
  free(thread);
  return NULL;
}

bool napkin_has_idle_thread(void) {
  if (!idle) {
    idle = make_thread();
    if (idle) idle->next_idle = NULL;
  }
  return idle != NULL;
}

napkin_thread *napkin_idle_thread(void) {
  if (!napkin_has_idle_thread()) return NULL;
  napkin_thread *thread = idle;
  idle = thread->next_idle;
  return thread;
}

void napkin_run_split(napkin_thread *first) {
  napkin_give(first);
  napkin_take(&napkin_starter);
}

void napkin_let_run(napkin_thread *next) {
  int counted = napkin_counts_accesses;
  napkin_thread *self = napkin_self;
  if (!napkin_leave_job()) return;
  napkin_pass(self, next);
  napkin_return_to_job();
  napkin_resume_accesses(counted);
}

void napkin_pass(napkin_thread *self, napkin_thread *next) {
  self->parked = swift_task_getCurrent();
  napkin_give(next);
  napkin_await_turn(self);
  self->parked = NULL;
}
