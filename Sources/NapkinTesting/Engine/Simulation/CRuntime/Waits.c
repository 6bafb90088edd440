// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Runtime.h"

#include <errno.h>
#include <stddef.h>
#include <time.h>

// Waiting for a time on the exploring thread: the time of the execution passes, and the call returns. Where the wait is for
// something, too, which only another thread can bring, it is really waited for, but not for long.

#if defined(__linux__)
static bool wait_really(pthread_cond_t *condition, pthread_mutex_t *lock, int64_t nanoseconds) {
  int64_t end = napkin_real_time() + nanoseconds;
  struct timespec moment = {end / 1000000000, end % 1000000000};
  return SYSTEM(pthread_cond_clockwait)(condition, lock, CLOCK_MONOTONIC, &moment) != ETIMEDOUT;
}
#else
static bool wait_really(pthread_cond_t *condition, pthread_mutex_t *lock, int64_t nanoseconds) {
  struct timespec left = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  return pthread_cond_timedwait_relative_np(condition, lock, &left) != ETIMEDOUT;
}
#endif

// One lock and one condition for all waiting threads: waiting for something outside is rare, and no part of a usual step.
static pthread_mutex_t bell = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t rung = PTHREAD_COND_INITIALIZER;
static _Atomic(uint64_t) rings = 0;

uint64_t napkin_rings(void) { return atomic_load(&rings); }

void napkin_ring(void) {
  pthread_mutex_lock(&bell);
  atomic_fetch_add(&rings, 1);
  pthread_cond_broadcast(&rung);
  pthread_mutex_unlock(&bell);
}

void napkin_await_ring(uint64_t heard, int64_t nanoseconds) {
  int64_t end = napkin_real_time() + nanoseconds;
  pthread_mutex_lock(&bell);
  while (atomic_load(&rings) == heard) {
    int64_t left = end - napkin_real_time();
    if (left <= 0 || !wait_really(&rung, &bell, left)) break;
  }
  pthread_mutex_unlock(&bell);
}

// How long another thread is really waited for: longer if the execution has left something to one.
enum { grace_alone = 10000000, grace_with_outside = 1000000000 };

__attribute__((unused)) static int64_t grace(int64_t nanoseconds) {
  int64_t most = napkin_has_left_something() ? grace_with_outside : grace_alone;
  return nanoseconds < most ? nanoseconds : most;
}

#if NAPKIN_REPLACES
#include <unistd.h>

static void let_pass(int64_t nanoseconds) {
  if (nanoseconds > 0) napkin_set_time(napkin_time() + nanoseconds);
}

// Every sleep lasts, if only for an instant: a loop around a sleep of nothing, as Foundation has it when its floating-point
// time rounds, ends after one of them.
static void sleep_for(int64_t nanoseconds) {
  if (!napkin_sleep_in_step(nanoseconds)) let_pass(nanoseconds > 0 ? nanoseconds : 1);
}

static int64_t length_of(const struct timespec *time) {
  // Some hundred years: longer than any execution.
  if (time->tv_sec > 4000000000LL) return 4000000000LL * 1000000000LL;
  return time->tv_sec * 1000000000LL + time->tv_nsec;
}

int64_t napkin_nanoseconds_until(clockid_t clock, const struct timespec *end) {
  struct timespec now;
  if (clock_gettime(clock, &now) != 0) return 0;
  int64_t seconds = end->tv_sec - now.tv_sec;
  if (seconds > 4000000000LL) seconds = 4000000000LL;
  return seconds * 1000000000LL + (end->tv_nsec - now.tv_nsec);
}

int nanosleep(const struct timespec *time, struct timespec *left) {
  if (!napkin_is_exploring_thread()) return SYSTEM(nanosleep)(time, left);
  sleep_for(length_of(time));
  if (left) *left = (struct timespec){0, 0};
  return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left) {
  if (!napkin_is_exploring_thread()) return SYSTEM(clock_nanosleep)(clock, flags, time, left);
  if (!(flags & TIMER_ABSTIME)) {
    sleep_for(length_of(time));
  } else {
    int64_t until = napkin_nanoseconds_until(clock, time);
    if (!napkin_sleep_in_step(until)) let_pass(until);
  }
  return 0;
}

int usleep(useconds_t microseconds) {
  if (!napkin_is_exploring_thread()) return SYSTEM(usleep)(microseconds);
  sleep_for(microseconds * 1000LL);
  return 0;
}

unsigned sleep(unsigned seconds) {
  if (!napkin_is_exploring_thread()) return SYSTEM(sleep)(seconds);
  sleep_for(seconds * 1000000000LL);
  return 0;
}

extern uint64_t dispatch_time(uint64_t, int64_t);
extern uint64_t dispatch_walltime(const struct timespec *, int64_t);

enum { forever = -1 };
static const uint64_t wall_clock_bits = 3ull << 62;

int64_t napkin_left_until_dispatch_time(uint64_t time) {
  if (time == ~0ull) return forever;
  if (time == 0) return 0;
  int64_t left = (time & wall_clock_bits) == wall_clock_bits ? (int64_t)(dispatch_walltime(NULL, 0) - time)
                                                             : (int64_t)(time - dispatch_time(0, 0));
  return left > 0 ? left : 0;
}

static intptr_t wait_for_dispatch(intptr_t (*wait)(void *, uint64_t), void *object, uint64_t time, uintptr_t caller) {
  intptr_t result;
  if (napkin_wait_in_step(wait, object, time, &result, caller)) return result;
  int64_t left = napkin_is_exploring_thread() ? napkin_left_until_dispatch_time(time) : forever;
  if (left == forever) {
    for (;;) {
      if (!napkin_is_exploring_thread()) return wait(object, time);
      if (wait(object, 0) == 0) return 0;
      int way = napkin_scheduler.waits_in_job();
      if (way == napkin_wait_is_real) return wait(object, time);
      if (way == napkin_wait_is_in_vain) return 0;
    }
  }
  if (wait(object, 0) == 0) return 0;
  // Really waited for in small parts of the real time, since a dispatch time is counted by the clock of the execution.
  int64_t end = napkin_real_time() + grace(left);
  while (napkin_real_time() < end) {
    SYSTEM(usleep)(200);
    if (wait(object, 0) == 0) return 0;
  }
  let_pass(left);
  return wait(object, 0);
}

intptr_t dispatch_semaphore_wait(void *semaphore, uint64_t time) {
  return wait_for_dispatch(SYSTEM(dispatch_semaphore_wait), semaphore, time, CALLER);
}

intptr_t dispatch_group_wait(void *group, uint64_t time) {
  return wait_for_dispatch(SYSTEM(dispatch_group_wait), group, time, CALLER);
}

// `RunLoop.run(until:)` and `run(mode:before:)` come here. The run loop handles its ready sources and timers, and the time passes.
int32_t CFRunLoopRunInMode(const void *mode, double seconds, unsigned char returns_after_source) {
  if (!napkin_is_exploring_thread() || seconds <= 0) return SYSTEM(CFRunLoopRunInMode)(mode, seconds, returns_after_source);
  int64_t left = seconds < 4e9 ? (int64_t)(seconds * 1e9) : 4000000000LL * 1000000000LL;
  double really = (double)grace(left) / 1e9;
  int64_t before = napkin_real_time();
  enum { finished = 1, timed_out = 3 };
  int32_t result = SYSTEM(CFRunLoopRunInMode)(mode, 0, returns_after_source);
  while (result == timed_out && napkin_has_left_something() && napkin_real_time() - before < (int64_t)(really * 1e9)) {
    SYSTEM(usleep)(200);
    result = SYSTEM(CFRunLoopRunInMode)(mode, 0, returns_after_source);
  }
  // One without sources returns at once, and Foundation calls it again until the time is over.
  if (result == timed_out || result == finished) let_pass(left);
  return result;
}
#endif
