// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "ClockLocks.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic(uint32_t) batons[2];

static void give(int side) {
  atomic_store(&batons[side], 1);
  syscall(SYS_futex, &batons[side], FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1, 0, 0, 0);
}

static void take(int side) {
  while (atomic_exchange(&batons[side], 0) == 0) {
    syscall(SYS_futex, &batons[side], FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 0, 0, 0, 0);
  }
}

static void *hand_back(void *rounds) {
  for (int round = 0; round < *(int *)rounds; round++) {
    take(1);
    give(0);
  }
  return NULL;
}

double bare_round_trip(int rounds) {
  pthread_t other;
  struct timespec start, end;
  if (pthread_create(&other, NULL, hand_back, &rounds) != 0) return 0;
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (int round = 0; round < rounds; round++) {
    give(1);
    take(0);
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  pthread_join(other, NULL);
  return ((double)(end.tv_sec - start.tv_sec) * 1e9 + (double)(end.tv_nsec - start.tv_nsec)) / rounds;
}

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

typedef unsigned __int128 double_word;
extern double_word __tsan_atomic128_load(const volatile double_word *, int);
extern void __tsan_atomic128_store(volatile double_word *, double_word, int);
extern double_word __tsan_atomic128_exchange(volatile double_word *, double_word, int);
extern double_word __tsan_atomic128_fetch_add(volatile double_word *, double_word, int);
extern double_word __tsan_atomic128_fetch_nand(volatile double_word *, double_word, int);
extern double_word __tsan_atomic128_compare_exchange_val(volatile double_word *, double_word, double_word, int, int);

bool double_words_are_exchanged(void) {
  enum { sequentially_consistent = 5 };
  const int order = sequentially_consistent;
  const double_word one = (double_word)7 << 64 | 9, other = (double_word)1 << 100 | 3, carries = UINT64_MAX;
  double_word word = one;
  if (__tsan_atomic128_load(&word, order) != one) return false;
  __tsan_atomic128_store(&word, other, order);
  if (__tsan_atomic128_fetch_add(&word, carries, order) != other || word != other + carries) return false;
  if (__tsan_atomic128_compare_exchange_val(&word, one, 2, order, order) != other + carries) return false;
  if (__tsan_atomic128_compare_exchange_val(&word, other + carries, 2, order, order) != other + carries) return false;
  if (__tsan_atomic128_fetch_nand(&word, 3, order) != 2 || word != ~(double_word)2) return false;
  return __tsan_atomic128_exchange(&word, one, order) == ~(double_word)2 && word == one;
}
