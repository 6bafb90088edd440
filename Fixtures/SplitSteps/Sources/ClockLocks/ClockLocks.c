// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "ClockLocks.h"

#include <errno.h>

int steady_mutex_lock(pthread_mutex_t *lock, const struct timespec *end) {
  return pthread_mutex_clocklock(lock, CLOCK_MONOTONIC, end);
}

int steady_read_lock(pthread_rwlock_t *lock, const struct timespec *end) {
  return pthread_rwlock_clockrdlock(lock, CLOCK_MONOTONIC, end);
}

int steady_write_lock(pthread_rwlock_t *lock, const struct timespec *end) {
  return pthread_rwlock_clockwrlock(lock, CLOCK_MONOTONIC, end);
}

int steady_semaphore_wait(sem_t *semaphore, const struct timespec *end) {
  return sem_clockwait(semaphore, CLOCK_MONOTONIC, end) == 0 ? 0 : errno;
}
