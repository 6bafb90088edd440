// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "System.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if !defined(__linux__)
#include <mach/mach.h>
#endif

// A crash and a hang take the process with them, so the execution is reported before: by a signal handler on the
// thread that crashed, or on the exploring thread, which hangs and is sent a signal by the watchdog. While another thread
// reports, the exploring one is held, so that its execution stays as it is.
//
// The handler runs Swift code that allocates. That is not allowed in general; but a trap in Swift code is not inside the
// allocator, and where it is after all, an alarm ends the process a few seconds later, as it would have ended anyway.

static napkin_crash_handler crash_handler;
_Atomic(uint64_t) napkin_heartbeat = 0;
static _Atomic(pthread_t) watched;
static _Atomic(uint32_t) watched_number = 0;
static _Atomic(unsigned) hang_limit = 0;
// The thread that reports how the process ends; zero before.
static _Atomic(uintptr_t) reporter = 0;
static _Atomic(bool) is_held = false;

// How many threads work for the kit alone, which is no part of a job: the first line of a large program takes a while to find.
static _Atomic(int) own_work = 0;
static _Thread_local int own_work_here = 0;

static const int crashes[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGSEGV, SIGFPE, SIGPIPE};
enum { crash_count = sizeof crashes / sizeof *crashes, seconds_to_report = 15 };
static struct sigaction previous[crash_count];

#define HANG_SIGNAL SIGUSR2

enum { stack_margin = 1 << 20 };
static uintptr_t stack_end = 0;
static bool has_overflowed = false;
bool napkin_stack_overflowed(void) { return has_overflowed; }

static bool is_in(uintptr_t address, const char *name) {
  Dl_info found;
  return dladdr((const void *)(address - 1), &found) && found.dli_sname && !strncmp(found.dli_sname, name, strlen(name));
}

bool napkin_resumes_once_more(void) {
  enum { most = 24 };
  uintptr_t callers[most];
  size_t count = napkin_callers(callers, most);
  for (size_t index = 1; index < count; ++index) {
    if (is_in(callers[index], "$sScC6resume") && is_in(callers[index - 1], "$ss17_assertionFailure")) return true;
  }
  return false;
}
void napkin_extend_last_moments(unsigned seconds) { alarm(seconds); }

static void hold(void) {
  atomic_store(&is_held, true);
  for (;;) pause();
}

// Whether the report was begun: its first lines, which need no lock of the code under test any more, are known.
static _Atomic(bool) is_written = false;
void napkin_has_begun_report(void) { atomic_store(&is_written, true); }

// Holds the exploring thread where it is. It may have a lock that the report needs; so if that does not come, it goes on, to the end
// of its job, or to a crash of its own.
static void hold_for_report(void) {
  enum { milliseconds_to_begin = 2000 };
  atomic_store(&is_held, true);
  for (int passed = 0; passed < milliseconds_to_begin; passed++) {
    if (atomic_load(&is_written)) hold();
    poll(NULL, 0, 1);
  }
}

bool napkin_begin_last_report(void) {
  uintptr_t before = 0;
  if (!napkin_owns_any()) return false;
  if (!atomic_compare_exchange_strong(&reporter, &before, napkin_this_thread())) {
    // A second crash of the reporting thread ends the process; another thread waits until the report is written.
    if (before != napkin_this_thread()) hold();
    return false;
  }
  // The thread that is held may have a lock that the report needs.
  alarm(seconds_to_report);
  // The work done here is no part of the job: it is not preempted, and no other one goes on meanwhile.
  napkin_leave_job();
  if (atomic_load(&watched) == pthread_self()) return true;
  pthread_kill(atomic_load(&watched), HANG_SIGNAL);
  // Its work for the kit may have locks of the allocator, so it is held at the end of that.
  enum { most_tries = 1000, most_tries_of_own_work = 5000 };
  for (int tries = 0; !atomic_load(&is_held); tries++) {
    if (tries >= (atomic_load(&own_work) > 0 ? most_tries_of_own_work : most_tries)) break;
    poll(NULL, 0, 1);
  }
  return true;
}

static void report_crash(int signal) {
  if (!napkin_begin_last_report()) return;
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
  uintptr_t reports = atomic_load(&reporter);
  if (reports == napkin_this_thread()) return;
  if (reports) {
    if (own_work_here == 0) hold_for_report();
    return;
  }
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

// Whether the watched thread runs, as the main queue's, a block that an execution has left to it.
static _Atomic(bool) runs_errand = false;

void napkin_watch_errand(bool begins) {
  if (atomic_load(&watched) == pthread_self()) atomic_store(&runs_errand, begins);
}

void napkin_begin_own_work(void) {
  atomic_fetch_add(&own_work, 1);
  own_work_here++;
}

void napkin_end_own_work(void) {
  napkin_beat();
  atomic_fetch_sub(&own_work, 1);
  if (--own_work_here > 0) return;
  uintptr_t reports = atomic_load(&reporter);
  if (reports != 0 && reports != napkin_this_thread()) hold();
}

#if defined(__linux__)
static bool read_of_thread(uint32_t thread, const char *name, char *text, size_t capacity) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%u/%s", thread, name);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t length = file < 0 ? 0 : read(file, text, capacity - 1);
  if (file >= 0) close(file);
  text[length > 0 ? length : 0] = 0;
  return length > 0;
}
#endif

bool napkin_look_at_thread(uint32_t thread, napkin_thread_look *look) {
  *look = (napkin_thread_look){0};
#if defined(__linux__)
  char text[512], state = 0;
  unsigned long user = 0, system = 0;
  if (!read_of_thread(thread, "stat", text, sizeof text)) return false;
  // The name of the thread is in parentheses, and may have some itself. The state comes next, and the times eleven numbers later.
  const char *end = strrchr(text, ')');
  if (!end || sscanf(end + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &state, &user, &system) != 3) return false;
  // A thread that reads a page of a file is in a state of its own.
  look->sleeps = state == 'S';
  look->is_on_processor = state == 'R';
  // Without statistics of the scheduler, in hundredths of a second.
  look->used = read_of_thread(thread, "schedstat", text, sizeof text) ? strtoll(text, NULL, 10) : (int64_t)(user + system) * 10000000;
#else
  thread_basic_info_data_t info;
  mach_msg_type_number_t count = THREAD_BASIC_INFO_COUNT;
  if (thread_info(thread, THREAD_BASIC_INFO, (thread_info_t)&info, &count) != KERN_SUCCESS) return false;
  look->sleeps = info.run_state == TH_STATE_WAITING;
  look->is_on_processor = info.run_state == TH_STATE_RUNNING;
  look->used = (info.user_time.seconds + info.system_time.seconds) * 1000000000LL +
               (info.user_time.microseconds + info.system_time.microseconds) * 1000LL;
#endif
  return true;
}

// A second counts for a hang if the thread slept, or had a tenth of a processor at least. On a machine that gives it next to nothing the
// job may be about to end. Without an earlier look, which is negative, it counts.
static bool had_its_share(int64_t *before) {
  enum { share = 100000000 };
  napkin_thread_look look;
  bool is_there = napkin_look_at_thread(atomic_load(&watched_number), &look);
  bool counts = !is_there || look.sleeps || *before < 0 || look.used - *before >= share;
  *before = look.used;
  return counts;
}

static void *watch(void *unused) {
  enum { most_starved = 10 };
  uint64_t last = 0;
  unsigned seconds = 0, starved = 0;
  int64_t used = -1;
  for (;;) {
    sleep(1);
    if (napkin_parent_has_ended()) napkin_leave(1);
    uint64_t now = atomic_load_explicit(&napkin_heartbeat, memory_order_relaxed);
    bool is_busy = (napkin_is_exploring() || atomic_load(&runs_errand)) && atomic_load(&own_work) == 0;
    unsigned limit = atomic_load(&hang_limit);
    if (!is_busy || now != last) (seconds = starved = 0), (used = -1);
    else if (had_its_share(&used) || ++starved > most_starved * limit) seconds++;
    last = now;
    if (seconds >= limit) {
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
#if defined(__linux__)
  atomic_store(&watched_number, (uint32_t)gettid());
#else
  atomic_store(&watched_number, pthread_mach_thread_np(pthread_self()));
#endif
  uintptr_t size;
  napkin_find_stack(&stack_end, &size);
  static void *stack = NULL;
  if (!stack) stack = malloc(napkin_handler_stack_size);
  napkin_accept_signals(stack);
}

void napkin_watch_here(uintptr_t stack_start, uint32_t number) {
  atomic_store_explicit(&watched, pthread_self(), memory_order_relaxed);
  atomic_store_explicit(&watched_number, number, memory_order_relaxed);
  if (stack_start) stack_end = stack_start;
}

void napkin_watch(napkin_crash_handler handler, unsigned seconds) {
  watch_this_thread();
  atomic_store(&hang_limit, seconds);
  if (crash_handler) return;
  crash_handler = handler;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_NODEFER | SA_ONSTACK | SA_SIGINFO;
  action.sa_sigaction = on_crash;
  for (int index = 0; index < crash_count; index++) {
    sigaction(crashes[index], NULL, &previous[index]);
    if (previous[index].sa_handler != SIG_IGN) sigaction(crashes[index], &action, NULL);
  }
  action.sa_flags = SA_NODEFER | SA_ONSTACK;
  action.sa_handler = on_hang;
  sigaction(HANG_SIGNAL, &action, NULL);
  pthread_t thread;
  if (pthread_create(&thread, NULL, watch, NULL) == 0) pthread_detach(thread);
}
