// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "System.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A crash and a hang take the process with them, so what led to them is reported before: by a signal handler on the
// exploring thread, which is the one that crashed, or that hangs and is sent a signal by the watchdog.
//
// The handler runs Swift code that allocates. That is not allowed in general; but a trap in Swift code is not inside the
// allocator, and where it is after all, an alarm ends the process a few seconds later, as it would have ended anyway.

static napkin_crash_handler crash_handler;
_Atomic(uint64_t) napkin_heartbeat = 0;
static _Atomic(pthread_t) watched;
static _Atomic(unsigned) patience = 0;
static volatile sig_atomic_t has_reported = 0;

static const int crashes[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGSEGV, SIGFPE};
enum { crash_count = sizeof crashes / sizeof *crashes, seconds_to_report = 5 };
static struct sigaction previous[crash_count];

#define HANG_SIGNAL SIGUSR2

enum { stack_margin = 1 << 20 };
static uintptr_t stack_end = 0;
static bool has_overflowed = false;
bool napkin_stack_overflowed(void) { return has_overflowed; }
void napkin_extend_last_moments(unsigned seconds) { alarm(seconds); }

static void report_crash(int signal) {
  if (has_reported || !napkin_is_exploring_thread()) return;
  has_reported = 1;
  // The work done here is no part of the job: it is not preempted, and no other one goes on meanwhile.
  napkin_leave_job();
  alarm(seconds_to_report);
  crash_handler(signal == HANG_SIGNAL ? 0 : signal);
  alarm(0);
}

// Whether the signal comes of the instruction at hand, which is executed again after the handler: the codes of signals that
// were sent are negative, zero, or larger than any of these. After a trap a processor of Intel's goes on behind it.
static bool is_of_an_instruction(int signal, int code) {
  enum { largest_code = 0x10000 };
#if defined(__x86_64__)
  if (signal == SIGTRAP) return false;
#endif
  return signal != SIGABRT && code > 0 && code < largest_code;
}

// The handler that was there before handles the signal now: the runtime's backtracer, or the system. It finds the thread where it
// crashed.
static void on_crash(int signal, siginfo_t *info, void *context) {
  // An overflow of a stack uses an address that is close to its end; the handler has a stack of its own.
  uintptr_t address = (uintptr_t)info->si_addr;
  bool is_fault = signal == SIGSEGV || signal == SIGBUS;
  has_overflowed =
      is_fault && stack_end != 0 && address < stack_end + stack_margin && address + stack_margin > stack_end;
  report_crash(signal);
  for (int index = 0; index < crash_count; index++) {
    if (crashes[index] == signal) sigaction(signal, &previous[index], NULL);
  }
  if (!is_of_an_instruction(signal, info->si_code)) raise(signal);
}

static void on_hang(int signal) {
  report_crash(signal);
  napkin_leave(70);
}

void napkin_find_stack(uintptr_t *start, uintptr_t *size) {
#if defined(__linux__)
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  pthread_attr_getstack(&attributes, (void **)start, size);
  pthread_attr_destroy(&attributes);
#else
  *size = pthread_get_stacksize_np(pthread_self());
  *start = (uintptr_t)pthread_get_stackaddr_np(pthread_self()) - *size;
#endif
}

static void *watch(void *unused) {
  uint64_t last = 0;
  unsigned seconds = 0;
  for (;;) {
    sleep(1);
    if (napkin_parent_has_ended()) napkin_leave(1);
    uint64_t now = atomic_load_explicit(&napkin_heartbeat, memory_order_relaxed);
    seconds = napkin_is_exploring() && now == last ? seconds + 1 : 0;
    last = now;
    if (seconds >= atomic_load(&patience)) {
      pthread_kill(atomic_load(&watched), HANG_SIGNAL);
      seconds = 0;
    }
  }
  return unused;
}

// A stack that has overflowed has no room for a handler, so the handlers have one of their own. A thread of the main queue comes with most
// signals blocked.
void napkin_accept_signals(void *handler_stack) {
  stack_t alternative = {.ss_sp = handler_stack, .ss_size = napkin_handler_stack_size};
  if (handler_stack) sigaltstack(&alternative, NULL);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, HANG_SIGNAL);
  pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}

// The main queue moves to another thread when the first one ends.
static void watch_this_thread(void) {
  if (atomic_load(&watched) == pthread_self()) return;
  atomic_store(&watched, pthread_self());
  uintptr_t size;
  napkin_find_stack(&stack_end, &size);
  static void *stack = NULL;
  if (!stack) stack = malloc(napkin_handler_stack_size);
  napkin_accept_signals(stack);
}

void napkin_watch_here(uintptr_t stack_start) {
  atomic_store_explicit(&watched, pthread_self(), memory_order_relaxed);
  if (stack_start) stack_end = stack_start;
}

void napkin_watch(napkin_crash_handler handler, unsigned seconds) {
  watch_this_thread();
  atomic_store(&patience, seconds);
  if (crash_handler) return;
  crash_handler = handler;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_NODEFER | SA_ONSTACK | SA_SIGINFO;
  action.sa_sigaction = on_crash;
  for (int index = 0; index < crash_count; index++) sigaction(crashes[index], &action, &previous[index]);
  action.sa_flags = SA_NODEFER | SA_ONSTACK;
  action.sa_handler = on_hang;
  sigaction(HANG_SIGNAL, &action, NULL);
  pthread_t thread;
  if (pthread_create(&thread, NULL, watch, NULL) == 0) pthread_detach(thread);
}
