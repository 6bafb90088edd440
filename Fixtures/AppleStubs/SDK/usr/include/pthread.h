// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <signal.h>
#include <sys/types.h>
typedef struct _opaque_pthread_t *pthread_t;
typedef struct _opaque_pthread_attr_t pthread_attr_t;
typedef struct _opaque_pthread_mutexattr_t pthread_mutexattr_t;
typedef struct {
  long __sig;
  char __opaque[56];
} pthread_mutex_t;
#define PTHREAD_MUTEX_INITIALIZER {0x32AAABA7, {0}}
pthread_t pthread_self(void);
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument);
int pthread_detach(pthread_t thread);
int pthread_join(pthread_t thread, void **result);
int pthread_kill(pthread_t thread, int signal);
int pthread_sigmask(int how, const sigset_t *set, sigset_t *old);
int pthread_main_np(void);
int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_unlock(pthread_mutex_t *mutex);
struct timespec;
typedef struct _opaque_pthread_condattr_t pthread_condattr_t;
typedef struct {
  long __sig;
  char __opaque[40];
} pthread_cond_t;
#define PTHREAD_COND_INITIALIZER {0x3CB0B1BB, {0}}
int pthread_cond_broadcast(pthread_cond_t *condition);
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *deadline);
int pthread_cond_timedwait_relative_np(
    pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *duration);
void *pthread_get_stackaddr_np(pthread_t thread);
size_t pthread_get_stacksize_np(pthread_t thread);
