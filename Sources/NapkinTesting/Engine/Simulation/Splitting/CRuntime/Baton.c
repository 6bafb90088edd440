// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Clocks.h"
#include "Runtime.h"
#include "Split.h"

#if NAPKIN_SPLITS
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// The threads of the simulation. One has the baton, and is the exploring thread: it runs a job, or the scheduler. The others are
// half-way through a job, or idle, and sleep until they are given it. So what the simulation shares needs no lock.
//
// The thread that has begun the execution runs no job, and waits for the end: a deadlock leaves it free.

FAST_THREAD_LOCAL napkin_thread *napkin_self = NULL;

napkin_split_handlers napkin_handlers;
static napkin_thread starter;
static napkin_thread *idle = NULL;

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

void napkin_take_splits(napkin_split_handlers taken) { napkin_handlers = taken; }
napkin_thread *napkin_this_split_thread(void) { return napkin_self; }
int32_t napkin_thread_task(const napkin_thread *thread) { return thread->task; }

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
  starter.processor = -1;
  starter_number = napkin_this_thread();
  keep_on_processor(&starter);
  return processor >= 0;
}

void napkin_leave_processor(void) {
  processor = -1;
  sched_setaffinity(0, sizeof everywhere, &everywhere);
}

int napkin_create_outside(pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  napkin_thread *self = napkin_self ? napkin_self : napkin_this_thread() == starter_number ? &starter : NULL;
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

void napkin_give(napkin_thread *next) {
  napkin_thread *thread = next ? next : &starter;
  atomic_store_explicit(&thread->baton, 1, memory_order_release);
  napkin_raw_syscall(SYS_futex, (long)&thread->baton, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1, 0, 0, 0);
}

static void take(napkin_thread *thread) {
  while (atomic_exchange_explicit(&thread->baton, 0, memory_order_acquire) == 0) {
    napkin_raw_syscall(SYS_futex, (long)&thread->baton, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 0, 0, 0, 0);
  }
  keep_on_processor(thread);
  atomic_store_explicit(&napkin_exploring_thread, napkin_this_thread(), memory_order_relaxed);
  napkin_watch_here(napkin_self ? napkin_self->stack_start : 0);
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

static void forget(napkin_thread *thread) {
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

// Values that libraries keep for the thread are discarded as well: dispatch ends the process where a thread exits in the middle
// of a queue.
static void forget_own_values(void) {
  for (pthread_key_t key = 0; key < PTHREAD_KEYS_MAX; key++) {
    if (pthread_getspecific(key)) pthread_setspecific(key, NULL);
  }
}

static FAST_THREAD_LOCAL void *handler_stack = NULL;

static void become(napkin_thread *thread) {
  napkin_find_stack(&thread->stack_start, &thread->stack_size);
  thread->tid = (uint32_t)napkin_raw_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0);
  handler_stack = malloc(napkin_handler_stack_size);
  napkin_accept_signals(handler_stack);
  // Last: it has no baton yet, and may free memory up to here, as a thread outside of the simulation.
  napkin_self = thread;
}

static void *work(void *argument) {
  become(argument);
  if (_setjmp(napkin_self->base) == 0) {
    for (;;) {
      take(napkin_self);
      napkin_thread *next = napkin_handlers.go_on();
      napkin_self->next_idle = idle;
      idle = napkin_self;
      napkin_give(next);
    }
  }
  // The half-run job was discarded. What its frames hold is lost, as of any execution that does not end.
  napkin_end_discarded(napkin_self);
  return NULL;
}

static napkin_thread *make_thread(void) {
  napkin_thread *thread = calloc(1, sizeof *thread);
  if (!thread || !napkin_enter_thread(thread)) return free(thread), NULL;
  pthread_t system_thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  int result = SYSTEM(pthread_create)(&system_thread, &attributes, work, thread);
  pthread_attr_destroy(&attributes);
  if (result == 0) return thread;
  forget(thread);
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

void napkin_run_split(void) {
  napkin_thread *first = napkin_idle_thread();
  if (!first) {
    static const char text[] = "NapkinTesting: no thread can be made to run the execution's jobs in.\n";
    napkin_write_error(text, sizeof text - 1);
    abort();
  }
  napkin_give(first);
  take(&starter);
}

void napkin_pass(napkin_thread *self, napkin_thread *next) {
  self->parked = swift_task_getCurrent();
  uintptr_t scope_start = napkin_scope_start;
  bool scope_is_covered = napkin_scope_is_covered;
  napkin_calls calls = napkin_open_calls;
  napkin_scope_start = 0;
  napkin_open_calls = (napkin_calls){0};
  napkin_give(next);
  take(self);
  self->parked = NULL;
  if (self->is_to_die) {
    napkin_discard_calls(&calls);
    _longjmp(self->base, 1);
  }
  napkin_scope_start = scope_start;
  napkin_scope_is_covered = scope_is_covered;
  napkin_open_calls = calls;
}

void napkin_discard_thread(napkin_thread *thread) {
  uintptr_t exploring = atomic_load_explicit(&napkin_exploring_thread, memory_order_relaxed);
  thread->is_to_die = true;
  napkin_give(thread);
  take(&starter);
  atomic_store_explicit(&napkin_exploring_thread, exploring, memory_order_relaxed);
}

// Threads that the code under test has started.

bool napkin_begin_thread(napkin_thread *self) {
  become(self);
  take(self);
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
  forget(self);
  if (napkin_self != self) return;
  stack_t none = {.ss_flags = SS_DISABLE};
  sigaltstack(&none, NULL);
  // No task has used it, so no access to it is to be forgotten, each word of a megabyte.
  __libc_free(handler_stack);
  napkin_counts_accesses = 0;
  napkin_self = NULL;
  self->next_ended = napkin_under_way->ended_threads;
  napkin_under_way->ended_threads = self;
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

void napkin_set_thread_task(napkin_thread *thread, int32_t task) { thread->task = task; }
bool napkin_may_wait(const napkin_thread *thread) { return thread->is_own || thread->may_wait_forever; }
#endif
