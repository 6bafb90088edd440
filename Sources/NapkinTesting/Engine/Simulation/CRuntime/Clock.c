// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "NapkinTestingCRuntime.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

// Time does not pass while a task is ready, and a loop that reads the time until it has passed would never end. So
// after a thousand reads without any task going to sleep every further one lets some pass, and more from one to the next:
// a second is over after two and a half thousand reads, a minute after twelve thousand.
enum { patient_questions = 1000, nanoseconds_a_question = 1000 };

int64_t napkin_time(void) { return napkin_current->now; }

void napkin_set_time(int64_t nanoseconds) {
  napkin_current->now = nanoseconds;
  napkin_current->questions = 0;
}

int64_t napkin_asked_time(void) {
  int64_t questions = ++napkin_current->questions;
  if (questions > patient_questions) napkin_current->now += (questions - patient_questions) * nanoseconds_a_question;
  return napkin_current->now;
}

void napkin_forget_questions(void) { napkin_current->questions = 0; }

static int64_t nanoseconds_of(struct timespec time) { return time.tv_sec * 1000000000LL + time.tv_nsec; }

#if defined(NAPKIN_LINUX)
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

typedef int (*clock_function)(clockid_t, struct timespec *);
static clock_function system_clock;

__attribute__((constructor)) static void find_system_clock(void) {
  system_clock = (clock_function)dlsym(RTLD_NEXT, "clock_gettime");
}

static bool is_simulated(clockid_t clock) {
  switch (clock) {
    case CLOCK_REALTIME: case CLOCK_REALTIME_COARSE: case CLOCK_MONOTONIC: case CLOCK_MONOTONIC_COARSE:
    case CLOCK_MONOTONIC_RAW: case CLOCK_BOOTTIME: return true;
    default: return false;
  }
}

/// By how much the date is ahead of the other clocks, which it is asked for.
static int64_t date_ahead(int64_t now) {
  napkin_execution *execution = napkin_current;
  int64_t drift = now / 1000000000 * execution->date_drift + now % 1000000000 * execution->date_drift / 1000000000;
  bool has_stepped = execution->date_step != 0 && ++execution->date_readings >= execution->date_step_at;
  return has_stepped ? drift + execution->date_step : drift;
}

static int64_t floor_seconds(int64_t nanoseconds) { return (nanoseconds - (nanoseconds < 0 ? 999999999 : 0)) / 1000000000; }

// Bound before the system's, since the tests are an executable: the standard clocks, dispatch and Foundation all ask here,
// and get the time of the execution if the exploring thread asks.
int clock_gettime(clockid_t clock, struct timespec *time) {
  // Before the constructor has run, no exploration runs.
  if (!system_clock) return (int)syscall(SYS_clock_gettime, clock, time);
  if (!napkin_is_exploring_thread() || !is_simulated(clock)) return system_clock(clock, time);
  struct timespec *beginning = &napkin_current->beginnings[clock];
  bool has_begun = beginning->tv_sec != 0 || beginning->tv_nsec != 0;
  if (!has_begun && system_clock(clock, beginning) != 0) return -1;
  int64_t now = napkin_asked_time();
  if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) now += date_ahead(now);
  int64_t seconds = floor_seconds(now), nanoseconds = beginning->tv_nsec + now - seconds * 1000000000LL;
  time->tv_sec = beginning->tv_sec + seconds + nanoseconds / 1000000000;
  time->tv_nsec = nanoseconds % 1000000000;
  return 0;
}

// The older ways to ask for the date, which Foundation and C code take.
int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
  *time = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
  if (zone) memset(zone, 0, sizeof(struct timezone));
  return 0;
}

time_t time(time_t *seconds) {
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
  if (seconds) *seconds = now.tv_sec;
  return now.tv_sec;
}

static int64_t system_time(clockid_t clock) {
  struct timespec time = {0, 0};
  if (system_clock) system_clock(clock, &time);
  return nanoseconds_of(time);
}
#else
static int64_t system_time(clockid_t clock) {
  struct timespec time = {0, 0};
  clock_gettime(clock, &time);
  return nanoseconds_of(time);
}
#endif

int64_t napkin_real_time(void) { return system_time(CLOCK_MONOTONIC); }
int64_t napkin_used_time(void) { return system_time(CLOCK_THREAD_CPUTIME_ID); }
