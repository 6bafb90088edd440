// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Split.h"

#if NAPKIN_SPLITS
#include <errno.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>

// Conditions, semaphores, locks of many readers and the locks of streams: a thread of the simulation that has to wait
// for one lets another one go on. A time limit is in the time of the execution.

// False if the time was over.
static bool wait_for_condition(pthread_cond_t *condition, pthread_mutex_t *lock, int64_t nanoseconds) {
  napkin_thread *self = napkin_self;
  if (napkin_searching) napkin_note_lock((uintptr_t)condition);
  self->condition = condition;
  self->is_signaled = 0;
  self->ticket = ++napkin_under_way->tickets;
  pthread_mutex_unlock(lock);
  // Another task may have signalled since it was unlocked.
  if (!self->is_signaled) {
    napkin_wait_in_simulation(
        napkin_waits_for_condition, condition, &self->is_signaled, false, 0, napkin_deadline_after(nanoseconds));
  }
  self->condition = NULL;
  bool is_signaled = self->is_signaled != 0;
  pthread_mutex_lock(lock);
  return is_signaled;
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *lock) {
  if (!running_thread()) return SYSTEM(pthread_cond_wait)(condition, lock);
  wait_for_condition(condition, lock, -1);
  return 0;
}

static int wait_a_while(pthread_cond_t *condition, pthread_mutex_t *lock, int64_t left) {
  return wait_for_condition(condition, lock, left > 0 ? left : 0) ? 0 : ETIMEDOUT;
}

int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict lock,
                           const struct timespec *restrict end) {
  if (!running_thread()) return SYSTEM(pthread_cond_timedwait)(condition, lock, end);
  // A condition does not say which clock it goes by. The two are decades apart, so the nearer one it is.
  int64_t by_date = napkin_nanoseconds_until(CLOCK_REALTIME, end);
  int64_t by_uptime = napkin_nanoseconds_until(CLOCK_MONOTONIC, end);
  bool is_date = (by_date < 0 ? -by_date : by_date) < (by_uptime < 0 ? -by_uptime : by_uptime);
  return wait_a_while(condition, lock, is_date ? by_date : by_uptime);
}

int pthread_cond_clockwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict lock, clockid_t clock,
                           const struct timespec *restrict end) {
  if (!running_thread()) return SYSTEM(pthread_cond_clockwait)(condition, lock, clock, end);
  return wait_a_while(condition, lock, napkin_nanoseconds_until(clock, end));
}

int pthread_cond_signal(pthread_cond_t *condition) {
  if (running_thread()) napkin_reach_lock((uintptr_t)condition, napkin_access_unlock, CALLER);
  return napkin_signal_threads(condition, false) ? 0 : SYSTEM(pthread_cond_signal)(condition);
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
  if (running_thread()) napkin_reach_lock((uintptr_t)condition, napkin_access_unlock, CALLER);
  napkin_signal_threads(condition, true);
  return SYSTEM(pthread_cond_broadcast)(condition);
}

// Takes a lock for a job: tries to, and if another one has it, waits until a word changes that does when it is given back.
static int take(void *lock, int kind, volatile uint32_t *word, int (*try)(void *), int64_t nanoseconds, uintptr_t caller) {
  napkin_reach_lock((uintptr_t)lock, napkin_access_lock, caller);
  int64_t deadline = napkin_deadline_after(nanoseconds);
  for (;;) {
    uint32_t before = *word;
    int result = try(lock);
    if (result != EBUSY) return result;
    if (napkin_time() >= deadline) return ETIMEDOUT;
    napkin_wait_in_simulation(kind, lock, word, false, before, deadline);
  }
}

static int try_semaphore(void *semaphore) {
  if (SYSTEM(sem_trywait)(semaphore) != 0) return EBUSY;
  if (running_thread()) napkin_acquire(semaphore);
  return 0;
}

int sem_trywait(sem_t *semaphore) {
  if (running_thread()) napkin_reach_lock((uintptr_t)semaphore, napkin_access_lock, CALLER);
  return try_semaphore(semaphore) == 0 ? 0 : -1;
}

// The count is the low half of a semaphore's first word.
static int take_semaphore(sem_t *semaphore, int64_t nanoseconds, uintptr_t caller) {
  int error = take(semaphore, napkin_waits_for_semaphore, (uint32_t *)semaphore, try_semaphore, nanoseconds, caller);
  if (error != 0) errno = error;
  return error == 0 ? 0 : -1;
}

int sem_post(sem_t *semaphore) {
  if (running_thread()) {
    napkin_release_clocks(semaphore);
    napkin_reach_lock((uintptr_t)semaphore, napkin_access_unlock, CALLER);
  }
  return SYSTEM(sem_post)(semaphore);
}

int sem_wait(sem_t *semaphore) {
  return running_thread() ? take_semaphore(semaphore, -1, CALLER) : SYSTEM(sem_wait)(semaphore);
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict end) {
  if (!running_thread()) return SYSTEM(sem_timedwait)(semaphore, end);
  return take_semaphore(semaphore, napkin_left_until(CLOCK_REALTIME, end), CALLER);
}

int sem_clockwait(sem_t *restrict semaphore, clockid_t clock, const struct timespec *restrict end) {
  if (!running_thread()) return SYSTEM(sem_clockwait)(semaphore, clock, end);
  return take_semaphore(semaphore, napkin_left_until(clock, end), CALLER);
}

// How often such a lock was given back, in the process: a thread that waits for one looks again then.
static uint32_t unlocks = 0;

// The clock of readers: a writer comes after them, and they come after writers alone.
static void *readers(void *lock) { return (char *)lock + 4; }

// A lock that is taken without waiting is held, too.
#define TAKE(lock, name, nanoseconds) take(lock, napkin_waits_for_rwlock, &unlocks, try_##name, nanoseconds, CALLER)
#define RWLOCK(name, writes) \
  static int try_##name(void *lock) { \
    int result = SYSTEM(pthread_rwlock_try##name)(lock); \
    if (result == 0 && running_thread()) { \
      napkin_hold(lock, napkin_waits_for_rwlock); \
      if (writes) napkin_acquire(readers(lock)); \
    } \
    return result; \
  } \
  int pthread_rwlock_try##name(pthread_rwlock_t *lock) { \
    if (running_thread()) napkin_reach_lock((uintptr_t)lock, napkin_access_lock, CALLER); \
    return try_##name(lock); \
  } \
  int pthread_rwlock_##name(pthread_rwlock_t *lock) { \
    return running_thread() ? TAKE(lock, name, -1) : SYSTEM(pthread_rwlock_##name)(lock); \
  } \
  int pthread_rwlock_timed##name(pthread_rwlock_t *restrict lock, const struct timespec *restrict end) { \
    if (!running_thread()) return SYSTEM(pthread_rwlock_timed##name)(lock, end); \
    return TAKE(lock, name, napkin_left_until(CLOCK_REALTIME, end)); \
  } \
  int pthread_rwlock_clock##name( \
      pthread_rwlock_t *restrict lock, clockid_t clock, const struct timespec *restrict end) { \
    if (!running_thread()) return SYSTEM(pthread_rwlock_clock##name)(lock, clock, end); \
    return TAKE(lock, name, napkin_left_until(clock, end)); \
  }
RWLOCK(rdlock, false)
RWLOCK(wrlock, true)

int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
  // By glibc's way: the thread that writes has its number there.
  bool writes = napkin_self && (uint32_t)lock->__data.__cur_writer == napkin_self->tid;
  int result = SYSTEM(pthread_rwlock_unlock)(lock);
  // Any thread may have had it.
  __atomic_fetch_add(&unlocks, 1, __ATOMIC_RELAXED);
  if (!napkin_self) return result;
  napkin_release_clocks(writes ? (void *)lock : readers(lock));
  napkin_forget_held(lock);
  if (running_thread()) napkin_reach_lock((uintptr_t)lock, napkin_access_unlock, CALLER);
  return result;
}

static int try_spin(void *lock) {
  int result = SYSTEM(pthread_spin_trylock)(lock);
  if (result == 0 && running_thread()) napkin_hold(lock, napkin_waits_for_spin_lock);
  return result;
}

int pthread_spin_trylock(pthread_spinlock_t *lock) {
  if (running_thread()) napkin_reach_lock((uintptr_t)lock, napkin_access_lock, CALLER);
  return try_spin((void *)lock);
}

int pthread_spin_lock(pthread_spinlock_t *lock) {
  if (!running_thread()) return SYSTEM(pthread_spin_lock)(lock);
  return take((void *)lock, napkin_waits_for_spin_lock, (volatile uint32_t *)lock, try_spin, -1, CALLER);
}

int pthread_spin_unlock(pthread_spinlock_t *lock) {
  int result = SYSTEM(pthread_spin_unlock)(lock);
  if (!running_thread()) return result;
  napkin_give_back((const void *)lock);
  napkin_reach_lock((uintptr_t)lock, napkin_access_unlock, CALLER);
  return result;
}

// Whether an object has one reference is decided after the other ones were given back, in any task; the kit's own are in no task.
#define UNIQUE(name) \
  bool name(const void *object) { \
    bool is_unique = SYSTEM(name)(object); \
    if (is_unique && napkin_searching && !is_quiet(CALLER)) napkin_order_after_all(); \
    return is_unique; \
  }
UNIQUE(swift_isUniquelyReferenced)
UNIQUE(swift_isUniquelyReferenced_native)
UNIQUE(swift_isUniquelyReferenced_nonNull)
UNIQUE(swift_isUniquelyReferenced_nonNull_native)
UNIQUE(swift_isUniquelyReferencedNonObjC)
UNIQUE(swift_isUniquelyReferencedNonObjC_nonNull)

// `print` has the lock of a stream while it asks for descriptions.
void flockfile(FILE *stream) {
  if (!running_thread()) {
    SYSTEM(flockfile)(stream);
    return;
  }
  // The lock's first word is zero while it is free.
  while (ftrylockfile(stream) != 0) {
    napkin_wait_in_simulation(napkin_waits_for_file, stream, (uint32_t *)stream->_lock, true, 0, INT64_MAX);
  }
}
#endif
