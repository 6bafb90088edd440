// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Clocks.h"
#include "Runtime.h"
#include "Split.h"

#if NAPKIN_SPLITS
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// The threads of the simulation where steps are split: the thread that has begun the execution runs no job, and waits for the end, so
// that a deadlock leaves it free.

enum { most_threads = 1024 };
static napkin_thread *threads[most_threads];
static size_t thread_count = 0;

void *napkin_grow(void *array, size_t *room, size_t size) {
  size_t larger = *room ? 2 * *room : 16;
  void *grown = __libc_realloc(array, larger * size);
  if (!grown) abort();
  *room = larger;
  return grown;
}

long napkin_raw_syscall(long number, long a, long b, long c, long d, long e, long f) {
#if defined(__x86_64__)
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = f;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
  return x0;
#else
#error "NapkinTesting splits steps on x86-64 and arm64."
#endif
}

// One thread runs at a time, so all are kept on one processor: to wake a thread on another one, which idles, takes several times
// as long. The starter is kept for some milliseconds at a time, since the system may want it elsewhere by then.
static int processor = -1;
static cpu_set_t everywhere;
static uintptr_t starter_number = 0;

static void keep_on_processor(napkin_thread *thread) {
  if (processor < 0 || thread->processor == processor) return;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(processor, &one);
  sched_setaffinity(0, sizeof one, &one);
  thread->processor = processor;
}

bool napkin_stay_on_processor(void) {
  // An exploration inside another one.
  if (processor >= 0 || sched_getaffinity(0, sizeof everywhere, &everywhere) != 0) return false;
  processor = sched_getcpu();
  napkin_starter.processor = -1;
  starter_number = napkin_this_thread();
  keep_on_processor(&napkin_starter);
  return processor >= 0;
}

void napkin_leave_processor(void) {
  processor = -1;
  sched_setaffinity(0, sizeof everywhere, &everywhere);
}

int napkin_create_outside(pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  napkin_thread *self = napkin_self ? napkin_self : napkin_this_thread() == starter_number ? &napkin_starter : NULL;
  bool is_kept = self && processor >= 0;
  // A thread begins with the processors of the one that makes it.
  if (is_kept) sched_setaffinity(0, sizeof everywhere, &everywhere);
  int result = SYSTEM(pthread_create)(handle, attributes, start, argument);
  if (is_kept) {
    self->processor = -1;
    keep_on_processor(self);
  }
  return result;
}

void napkin_note_holder(napkin_thread *thread) { keep_on_processor(thread); }

void napkin_await_turn(napkin_thread *self) {
  uintptr_t scope_start = napkin_scope_start;
  bool scope_is_covered = napkin_scope_is_covered;
  napkin_scope_start = 0;
  napkin_take(self);
  if (self->is_to_die) {
    napkin_discard_calls();
    _longjmp(self->base, 1);
  }
  napkin_scope_start = scope_start;
  napkin_scope_is_covered = scope_is_covered;
}

napkin_thread *napkin_thread_with(uint32_t tid) {
  for (size_t index = 0; index < thread_count; index++) {
    if (threads[index]->tid == tid && tid != 0) return threads[index];
  }
  return NULL;
}

napkin_thread *napkin_thread_parked_in(const void *task) {
  for (size_t index = 0; index < thread_count; index++) {
    if (threads[index]->parked == task) return threads[index];
  }
  return NULL;
}

void napkin_forget_tried(uintptr_t start, uintptr_t end) {
  for (size_t index = 0; index < thread_count; index++) {
    if ((uintptr_t)threads[index]->tried - start < end - start) threads[index]->tried = NULL;
  }
}

// Threads outside of the simulation look through them, too, when they signal a condition.
static atomic_flag threads_lock = ATOMIC_FLAG_INIT;
static void lock_threads(void) {
  while (atomic_flag_test_and_set_explicit(&threads_lock, memory_order_acquire)) {}
}
static void unlock_threads(void) { atomic_flag_clear_explicit(&threads_lock, memory_order_release); }

void napkin_forget_thread(napkin_thread *thread) {
  lock_threads();
  for (size_t index = 0; index < thread_count; index++) {
    if (threads[index] != thread) continue;
    threads[index] = threads[--thread_count];
    break;
  }
  unlock_threads();
}

bool napkin_signal_threads(pthread_cond_t *condition, bool all) {
  if (thread_count == 0) return false;
  bool is_any = false;
  lock_threads();
  do {
    napkin_thread *first = NULL;
    for (size_t index = 0; index < thread_count; index++) {
      napkin_thread *thread = threads[index];
      if (thread->condition != condition || thread->is_signaled) continue;
      if (!first || thread->ticket < first->ticket) first = thread;
    }
    if (!first) break;
    first->is_signaled = 1;
    is_any = true;
  } while (all);
  unlock_threads();
  // The simulation may be waiting for what other threads bring.
  if (is_any && !napkin_is_exploring_thread()) napkin_ring();
  return is_any;
}

void napkin_discard_thread(napkin_thread *thread) {
  uintptr_t exploring = atomic_load_explicit(&napkin_exploring_thread, memory_order_relaxed);
  thread->is_to_die = true;
  napkin_give(thread);
  napkin_take(&napkin_starter);
  atomic_store_explicit(&napkin_exploring_thread, exploring, memory_order_relaxed);
}

// Threads that the code under test has started.

bool napkin_begin_thread(napkin_thread *self) {
  napkin_become(self);
  napkin_take(self);
  return !self->is_to_die;
}

bool napkin_enter_thread(napkin_thread *thread) {
  thread->processor = -1;
  lock_threads();
  bool has_room = thread_count < most_threads;
  if (has_room) threads[thread_count++] = thread;
  unlock_threads();
  return has_room;
}

void napkin_leave_thread(napkin_thread *self) {
  napkin_forget_thread(self);
  if (napkin_self != self) return;
  stack_t none = {.ss_flags = SS_DISABLE};
  sigaltstack(&none, NULL);
  // No task has used it, so no access to it is to be forgotten, each word of a megabyte.
  __libc_free(napkin_handler_stack());
  napkin_counts_accesses = 0;
  napkin_self = NULL;
  self->next_ended = napkin_under_way->ended_threads;
  napkin_under_way->ended_threads = self;
}

// Values that libraries keep for the thread are discarded as well: dispatch ends the process where a thread exits in the middle
// of a queue.
static void forget_own_values(void) {
  for (pthread_key_t key = 0; key < PTHREAD_KEYS_MAX; key++) {
    if (pthread_getspecific(key)) pthread_setspecific(key, NULL);
  }
}

void napkin_end_discarded(napkin_thread *self) {
  napkin_counts_accesses = 0;
  self->is_running = 0;
  napkin_release_held(self);
  forget_own_values();
  napkin_leave_thread(self);
  napkin_give(NULL);
}

napkin_thread *napkin_thread_of(pthread_t handle) {
  for (size_t index = 0; index < thread_count; index++) {
    if (threads[index]->is_own && pthread_equal(threads[index]->handle, handle)) return threads[index];
  }
  napkin_thread *ended = napkin_under_way->ended_threads;
  while (ended && !pthread_equal(ended->handle, handle)) ended = ended->next_ended;
  return ended;
}

void napkin_free_threads(napkin_thread *ended) {
  while (ended) {
    napkin_thread *next = ended->next_ended;
    __libc_free(ended->scopes);
    free(ended);
    ended = next;
  }
}

// Its accesses are where a job can be stopped.
void napkin_reach_call(int kind) { (void)kind; }
bool napkin_stops_at_calls(void) { return false; }
int napkin_be_hasty(bool hasty) { return (void)hasty, 0; }
void napkin_cancel_between_jobs(void *task) { napkin_cancel_task(task); }
void napkin_use_split(napkin_split *split) { (void)split; }
_Atomic(bool) napkin_any_is_out = false;
bool napkin_come_back(void) { return false; }
bool napkin_is_lost(const napkin_split *split) { return (void)split, false; }
bool napkin_is_out(const napkin_thread *thread) { return (void)thread, false; }

bool napkin_may_wait(const napkin_thread *thread) { return thread->is_own || thread->may_wait_forever; }
#endif
