// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Runtime.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>

// The way into the runtime where custom executors are not public: variables that it looks at before it enqueues. They are
// found by name, since not every runtime has every one.
//
// Other libraries set them, too, and may set them back. So the hook that was there is called for each job that no execution
// takes, and the kit's are set again for each execution.

typedef SWIFT_CC void (*global_original)(void *job);
typedef SWIFT_CC void (*global_hook)(void *job, global_original original);
typedef SWIFT_CC void (*delay_original)(unsigned long long nanoseconds, void *job);
typedef SWIFT_CC void (*delay_hook)(unsigned long long nanoseconds, void *job, delay_original original);
typedef SWIFT_CC void (*deadline_original)(long long seconds, long long nanoseconds, long long tolerance_seconds,
                                           long long tolerance_nanoseconds, int clock, void *job);
typedef SWIFT_CC void (*deadline_hook)(long long seconds, long long nanoseconds, long long tolerance_seconds,
                                       long long tolerance_nanoseconds, int clock, void *job,
                                       deadline_original original);
typedef SWIFT_CC napkin_executor (*main_original)(void);
typedef SWIFT_CC napkin_executor (*main_hook)(main_original original);

extern SWIFT_CC void swift_get_time(long long *seconds, long long *nanoseconds, int clock);

static napkin_enqueue_handler enqueue;
static napkin_executor hooked_main, platform_main;

enum { global, with_delay, with_deadline, main_executor, hook_count };
static const char *const names[hook_count] = {
    "swift_task_enqueueGlobal_hook",
    "swift_task_enqueueGlobalWithDelay_hook",
    "swift_task_enqueueGlobalWithDeadline_hook",
    "swift_task_getMainExecutor_hook",
};
static void **variables[hook_count];
// Another library's hooks. Written on the exploring thread; read on every other one.
static _Atomic(void *) previous[hook_count];
static bool is_hooked = false;
static _Thread_local bool passes_on = false;

// Whether a job has been taken for an execution. One that the scheduler passes on does not come back to it.
static bool takes(void *job, int64_t delay) { return !passes_on && enqueue(job, delay); }

static SWIFT_CC void on_global(void *job, global_original original) {
  if (takes(job, -1)) return;
  global_hook other = (global_hook)atomic_load_explicit(&previous[global], memory_order_relaxed);
  if (other) other(job, original);
  else original(job);
}

static SWIFT_CC void on_delay(unsigned long long nanoseconds, void *job, delay_original original) {
  if (takes(job, (int64_t)nanoseconds)) return;
  delay_hook other = (delay_hook)atomic_load_explicit(&previous[with_delay], memory_order_relaxed);
  if (other) other(nanoseconds, job, original);
  else original(nanoseconds, job);
}

static SWIFT_CC void on_deadline(long long seconds, long long nanoseconds, long long tolerance_seconds,
                                 long long tolerance_nanoseconds, int clock, void *job, deadline_original original) {
  long long now_seconds = 0, now_nanoseconds = 0;
  swift_get_time(&now_seconds, &now_nanoseconds, clock);
  int64_t left = (seconds - now_seconds) * 1000000000 + (nanoseconds - now_nanoseconds);
  if (left < 0) left = 0;
  if (takes(job, left)) return;
  deadline_hook other = (deadline_hook)atomic_load_explicit(&previous[with_deadline], memory_order_relaxed);
  if (other) other(seconds, nanoseconds, tolerance_seconds, tolerance_nanoseconds, clock, job, original);
  else original(seconds, nanoseconds, tolerance_seconds, tolerance_nanoseconds, clock, job);
}

// A task of an execution that another thread runs goes to the main actor of the execution.
static bool is_of_execution(void) {
  return napkin_is_exploring_thread() || (!passes_on && napkin_owning_here() != 0);
}

static SWIFT_CC napkin_executor on_main(main_original original) {
  if (is_of_execution()) return hooked_main;
  main_hook other = (main_hook)atomic_load_explicit(&previous[main_executor], memory_order_relaxed);
  return other ? other(original) : original();
}

static void *const hooks[hook_count] = {(void *)on_global, (void *)on_delay, (void *)on_deadline, (void *)on_main};

void napkin_find_hooks(napkin_enqueue_handler handler, napkin_executor main) {
  enqueue = handler;
  hooked_main = main;
  for (int index = 0; index < hook_count; index++) variables[index] = dlsym(RTLD_DEFAULT, names[index]);
  is_hooked = variables[global] && variables[main_executor];
#if __has_feature(ptrauth_calls)
  // Later runtimes sign the values of these variables, by their address.
  is_hooked = false;
#endif
}

void napkin_set_hooks(void) {
  if (!is_hooked) return;
  // An execution inside another one finds the hooked one here.
  if (!is_of_execution()) platform_main = swift_task_getMainExecutor();
  for (int index = 0; index < hook_count; index++) {
    if (!variables[index] || *variables[index] == hooks[index]) continue;
    atomic_store_explicit(&previous[index], *variables[index], memory_order_relaxed);
    *variables[index] = hooks[index];
  }
}

bool napkin_holds_hooks(void) {
  for (int index = 0; index < hook_count; index++) {
    if (variables[index] && *variables[index] != hooks[index]) return false;
  }
  return is_hooked;
}

napkin_executor napkin_main_executor(void) { return is_hooked ? hooked_main : swift_task_getMainExecutor(); }
bool napkin_is_main(napkin_executor executor) {
  return executor.identity == napkin_main_executor().identity ||
         (is_hooked && executor.identity == platform_main.identity);
}

extern SWIFT_CC void swift_task_enqueue(void *job, uintptr_t identity, uintptr_t implementation);

void napkin_pass_on(void *job, bool on_main) {
  napkin_executor executor = {0, 0};
  // Asked off the exploring thread, or between two executions, the runtime returns the platform's.
  if (on_main) executor = swift_task_getMainExecutor();
  passes_on = true;
  swift_task_enqueue(job, executor.identity, executor.implementation);
  passes_on = false;
}
