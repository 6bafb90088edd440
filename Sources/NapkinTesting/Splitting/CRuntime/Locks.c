// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Split.h"

#if NAPKIN_SPLITS
#include <errno.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// Locks: a call that would make a thread of the simulation wait in the kernel lets another one go on instead. All calls are taken
// by their symbols, which the libraries refer to, too.

static long result_of(long result) {
  if (result >= 0 || result < -4095) return result;
  errno = (int)-result;
  return -1;
}

// The slow way of `Mutex`, whose fast way is compiled into the code that uses it.
static bool lock_word(uint32_t *word, long *result) {
  uint32_t own = napkin_self->tid;
  for (;;) {
    uint32_t before = 0;
    if (__atomic_compare_exchange_n(word, &before, own, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
      napkin_hold(word, napkin_waits_for_mutex);
      *result = 0;
      return true;
    }
    if ((before & FUTEX_TID_MASK) == own) {
      *result = -EDEADLK;
      return true;
    }
    if (!napkin_is_held_here((uintptr_t)word, before & FUTEX_TID_MASK)) return false;
    napkin_wait_in_simulation(napkin_waits_for_mutex, word, word, true, 0, INT64_MAX);
  }
}

static bool unlock_word(uint32_t *word) {
  uint32_t own = napkin_self->tid;
  if (!__atomic_compare_exchange_n(word, &own, 0, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return false;
  napkin_give_back(word);
  return true;
}

static bool futex(uint32_t *word, int operation, uint32_t value, const struct timespec *timeout, long *result) {
  switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_LOCK_PI:
#if defined(FUTEX_LOCK_PI2)
    case FUTEX_LOCK_PI2:
#endif
      // A lock that another thread has is waited for in the kernel, and found to be taken afterwards.
      return !timeout && lock_word(word, result);
    case FUTEX_UNLOCK_PI:
      *result = 0;
      if (unlock_word(word)) return true;
      // Such a thread waits for it.
      napkin_give_back(word);
      *result = napkin_raw_syscall(SYS_futex, (long)word, operation, 0, 0, 0, 0);
      return true;
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET: {
      *result = -EAGAIN;
      if (*(volatile uint32_t *)word != value) return true;
      int64_t left = -1;
      // One is a length of time, the other one ends at a time.
      bool is_length = (operation & FUTEX_CMD_MASK) == FUTEX_WAIT;
      clockid_t clock = operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC;
      if (timeout) left = is_length ? timeout->tv_sec * 1000000000LL + timeout->tv_nsec : napkin_left_until(clock, timeout);
      int64_t deadline = napkin_deadline_after(left);
      napkin_wait_in_simulation(napkin_waits_for_word, word, word, false, value, deadline);
      bool is_over = *(volatile uint32_t *)word == value && napkin_time() >= deadline;
      *result = is_over ? -ETIMEDOUT : 0;
      return true;
    }
    default: return false;
  }
}

long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long), d = va_arg(list, long),
       e = va_arg(list, long), f = va_arg(list, long);
  va_end(list);
  long result;
  if (number == SYS_futex && running_thread() &&
      futex((uint32_t *)a, (int)b, (uint32_t)c, (const struct timespec *)d, &result)) {
    return result_of(result);
  }
  return result_of(napkin_raw_syscall(number, a, b, c, d, e, f));
}

/// Waits for a lock in the kernel, for ten milliseconds at most.
static int lock_outside(pthread_mutex_t *lock) {
  int64_t end = napkin_real_time() + 10000000;
  struct timespec time = {.tv_sec = end / 1000000000, .tv_nsec = end % 1000000000};
  return SYSTEM(pthread_mutex_clocklock)(lock, CLOCK_MONOTONIC, &time);
}

static int take_mutex(napkin_thread *self, pthread_mutex_t *lock, int64_t deadline) {
  for (;;) {
    int result = SYSTEM(pthread_mutex_trylock)(lock);
    uint32_t owner = napkin_owner_of(lock);
    // A thread that is not of the simulation does not have it for long; one that was and has left it locked may be about to end.
    if (result == EBUSY && !napkin_is_held_here((uintptr_t)lock, owner) && (result = lock_outside(lock)) == ETIMEDOUT) continue;
    if (result == 0) napkin_hold(lock, napkin_waits_for_pthread_mutex);
    if (result != EBUSY) return result;
    if (owner == self->tid && (lock->__data.__kind & 3) == PTHREAD_MUTEX_ERRORCHECK) return EDEADLK;
    // The first word of a lock of glibc's is zero while it is free.
    if (napkin_time() >= deadline) return ETIMEDOUT;
    napkin_wait_in_simulation(napkin_waits_for_pthread_mutex, lock, (uint32_t *)lock, true, 0, deadline);
  }
}

__attribute__((noinline)) static int lock_mutex(pthread_mutex_t *lock, uintptr_t caller) {
  napkin_thread *self = running_thread();
  if (!self || napkin_is_of_types(caller)) return SYSTEM(pthread_mutex_lock)(lock);
  napkin_reach_lock((uintptr_t)lock, napkin_access_lock, caller);
  if (napkin_searching && napkin_caller_of(caller) == napkin_caller_of_system) napkin_order_after_all();
  return take_mutex(self, lock, INT64_MAX);
}

/// Keeps that a thread outside of the simulation has a lock of the code under test, which guards what tests share.
static int shared(pthread_mutex_t *lock, int result, bool is_taken, uintptr_t caller) {
  if (IS_SHARING && result == 0 && napkin_caller_of(caller) == napkin_caller_under_test) napkin_share_lock(lock, is_taken);
  return result;
}

// Every lock of the process comes through here, and nearly all of them leave by the first line.
int pthread_mutex_lock(pthread_mutex_t *lock) {
  if (__builtin_expect(!napkin_self, 1)) return shared(lock, SYSTEM(pthread_mutex_lock)(lock), true, CALLER);
  return lock_mutex(lock, CALLER);
}

int pthread_mutex_timedlock(pthread_mutex_t *restrict lock, const struct timespec *restrict end) {
  napkin_thread *self = running_thread();
  if (!self) return SYSTEM(pthread_mutex_timedlock)(lock, end);
  napkin_reach_lock((uintptr_t)lock, napkin_access_lock, CALLER);
  return take_mutex(self, lock, napkin_deadline_after(napkin_left_until(CLOCK_REALTIME, end)));
}

int pthread_mutex_clocklock(pthread_mutex_t *restrict lock, clockid_t clock, const struct timespec *restrict end) {
  napkin_thread *self = running_thread();
  if (!self) return SYSTEM(pthread_mutex_clocklock)(lock, clock, end);
  napkin_reach_lock((uintptr_t)lock, napkin_access_lock, CALLER);
  return take_mutex(self, lock, napkin_deadline_after(napkin_left_until(clock, end)));
}

int pthread_mutex_trylock(pthread_mutex_t *lock) {
  napkin_thread *self = running_thread();
  if (__builtin_expect(!self, 1)) return shared(lock, SYSTEM(pthread_mutex_trylock)(lock), true, CALLER);
  napkin_reach_lock((uintptr_t)lock, napkin_access_lock, CALLER);
  int result = SYSTEM(pthread_mutex_trylock)(lock);
  if (result == 0) napkin_hold(lock, napkin_waits_for_pthread_mutex);
  return result;
}

__attribute__((noinline)) static int unlock_mutex(pthread_mutex_t *lock, uintptr_t caller) {
  int result = SYSTEM(pthread_mutex_unlock)(lock);
  if (!running_thread() || napkin_is_of_types(caller)) return result;
  if (result == 0) napkin_give_back(lock);
  napkin_reach_lock((uintptr_t)lock, napkin_access_unlock, caller);
  return result;
}

int pthread_mutex_unlock(pthread_mutex_t *lock) {
  if (__builtin_expect(!napkin_self, 1)) return shared(lock, SYSTEM(pthread_mutex_unlock)(lock), false, CALLER);
  return unlock_mutex(lock, CALLER);
}

void napkin_unlock_discarded(const napkin_held_lock *held) {
  void *lock = (void *)held->address;
  uint32_t own = napkin_self->tid;
  switch (held->kind) {
    case napkin_waits_for_mutex:
      if (__atomic_compare_exchange_n((uint32_t *)lock, &own, 0, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) break;
      napkin_raw_syscall(SYS_futex, (long)lock, FUTEX_UNLOCK_PI | FUTEX_PRIVATE_FLAG, 0, 0, 0, 0);
      break;
    case napkin_waits_for_pthread_mutex:
      if (napkin_owner_of(lock) == own) SYSTEM(pthread_mutex_unlock)(lock);
      break;
    case napkin_waits_for_rwlock: SYSTEM(pthread_rwlock_unlock)(lock); break;
    case napkin_waits_for_spin_lock: SYSTEM(pthread_spin_unlock)(lock); break;
    default: break;
  }
}
#endif
