// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <pthread.h>
#include <stdbool.h>
#include <semaphore.h>
#include <time.h>

// What only C sees of the system's locks: those with a limit by the clock that does not jump.
int steady_mutex_lock(pthread_mutex_t *lock, const struct timespec *end);
int steady_read_lock(pthread_rwlock_t *lock, const struct timespec *end);
int steady_write_lock(pthread_rwlock_t *lock, const struct timespec *end);
/// How many nanoseconds two threads take to hand a word to each other and back, by nothing but the kernel.
double bare_round_trip(int rounds);
int steady_semaphore_wait(sem_t *semaphore, const struct timespec *end);
/// Whether the functions that the compiler calls for atomic double words do what they are called for; Linux's library has no such type.
bool double_words_are_exchanged(void);
