// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/types.h>
struct timespec {
  time_t tv_sec;
  long tv_nsec;
};
typedef enum {
  CLOCK_REALTIME = 0,
  CLOCK_MONOTONIC_RAW = 4,
  CLOCK_MONOTONIC_RAW_APPROX = 5,
  CLOCK_MONOTONIC = 6,
  CLOCK_UPTIME_RAW = 8,
  CLOCK_UPTIME_RAW_APPROX = 9,
  CLOCK_PROCESS_CPUTIME_ID = 12,
  CLOCK_THREAD_CPUTIME_ID = 16,
} clockid_t;
time_t time(time_t *seconds);
int clock_gettime(clockid_t clock, struct timespec *time);
int nanosleep(const struct timespec *requested, struct timespec *left);
