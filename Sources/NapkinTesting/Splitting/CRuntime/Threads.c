// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Split.h"

#if NAPKIN_SPLITS
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

// Threads that a job starts. Each is a task of the schedule: it has a thread of the system, which sleeps until it is given the baton.

static pthread_key_t end_key;
static bool has_end_key = false;

static void end_job(napkin_thread *self) {
  napkin_release_clocks(&self->is_running);
  napkin_end_slice();
}

// The end of a thread: the values that libraries keep for it are given back before, so that this happens in the schedule.
static void end_thread(void *value) {
  napkin_thread *self = value;
  // A thread that has called pthread_exit is still in its job.
  if (self->is_in_job) end_job(self);
  if (++self->ends < PTHREAD_DESTRUCTOR_ITERATIONS && pthread_setspecific(end_key, self) == 0) return;
  self->is_running = 0;
  napkin_thread *next = napkin_handlers.ends(self);
  napkin_leave_thread(self);
  napkin_give(next);
}

static void *run(void *argument) {
  napkin_thread *self = argument;
  void *(*start)(void *) = self->start;
  void *start_argument = self->argument;
  // A thread that is discarded before it begins is so where it waits for the baton.
  if (!napkin_begin_thread(self) || _setjmp(self->base) != 0) {
    napkin_end_discarded(self);
    return NULL;
  }
  pthread_setspecific(end_key, self);
  napkin_begin_slice(self->task);
  napkin_acquire(self);
  void *result = start(start_argument);
  end_job(self);
  return result;
}

static int start_thread(pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  if (!has_end_key) has_end_key = pthread_key_create(&end_key, end_thread) == 0;
  napkin_thread *thread = has_end_key ? calloc(1, sizeof *thread) : NULL;
  if (!thread) return EAGAIN;
  int counted = napkin_pause_accesses();
  thread->start = start;
  thread->argument = argument;
  thread->is_own = true;
  thread->is_running = 1;
  int result = EAGAIN;
  if (napkin_enter_thread(thread)) {
    result = SYSTEM(pthread_create)(handle, attributes, run, thread);
    if (result != 0) napkin_leave_thread(thread);
  }
  if (result == 0) {
    thread->handle = *handle;
    napkin_release_clocks(thread);
    napkin_handlers.starts(thread);
  } else {
    free(thread);
  }
  napkin_resume_accesses(counted);
  return result;
}

int pthread_join(pthread_t handle, void **result) {
  napkin_thread *thread = running_thread() ? napkin_thread_of(handle) : NULL;
  if (thread && thread != napkin_self && thread->is_running) {
    napkin_wait_in_simulation(napkin_waits_for_thread, thread, &thread->is_running, true, 0, INT64_MAX);
  }
  if (thread) napkin_acquire(&thread->is_running);
  return SYSTEM(pthread_join)(handle, result);
}

// Whether the program itself makes a thread, or has Foundation make one. Others are those of libraries for their own purposes.
static bool is_for_code_under_test(void *address) {
  if ((uintptr_t)address - napkin_code_start < napkin_code_size) return true;
  Dl_info info;
  return dladdr(address, &info) != 0 && info.dli_sname && strcmp(info.dli_sname, "_CFThreadCreate") == 0;
}

bool napkin_simulates_threads(void) { return running_thread() != NULL; }

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes, void *(*start)(void *),
                   void *restrict argument) {
  if (running_thread() && is_for_code_under_test(__builtin_return_address(0))) {
    return start_thread(thread, attributes, start, argument);
  }
  return napkin_create_outside(thread, attributes, start, argument);
}
#endif
