// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "NapkinTestingCRuntime.h"

#include <dlfcn.h>
#include <stddef.h>

// The other way into the runtime, for toolchains without custom executors: variables that it looks at before it enqueues.
// They are found by name, since not every runtime has every one.

#define SWIFT_CC __attribute__((swiftcall))

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
static napkin_receive_handler receive;
static napkin_executor hooked_main;
static bool is_hooked = false;

static SWIFT_CC void on_global(void *job, global_original original) {
  if (napkin_is_exploring_thread()) enqueue(job, -1);
  else if (!receive(job)) original(job);
}

static SWIFT_CC void on_delay(unsigned long long nanoseconds, void *job, delay_original original) {
  if (napkin_is_exploring_thread()) enqueue(job, (int64_t)nanoseconds);
  else original(nanoseconds, job);
}

static SWIFT_CC void on_deadline(long long seconds, long long nanoseconds, long long tolerance_seconds,
                                 long long tolerance_nanoseconds, int clock, void *job, deadline_original original) {
  if (!napkin_is_exploring_thread()) {
    original(seconds, nanoseconds, tolerance_seconds, tolerance_nanoseconds, clock, job);
    return;
  }
  long long now_seconds = 0, now_nanoseconds = 0;
  swift_get_time(&now_seconds, &now_nanoseconds, clock);
  int64_t left = (seconds - now_seconds) * 1000000000 + (nanoseconds - now_nanoseconds);
  enqueue(job, left > 0 ? left : 0);
}

static SWIFT_CC napkin_executor on_main(main_original original) {
  return napkin_is_exploring_thread() ? hooked_main : original();
}

static bool set(const char *name, void *hook) {
  void **variable = dlsym(RTLD_DEFAULT, name);
  if (variable) *variable = hook;
  return variable != NULL;
}

bool napkin_install_hooks(napkin_enqueue_handler handler, napkin_receive_handler receiver, napkin_executor main) {
  enqueue = handler;
  receive = receiver;
  hooked_main = main;
  is_hooked = set("swift_task_enqueueGlobal_hook", (void *)on_global) &&
              set("swift_task_getMainExecutor_hook", (void *)on_main);
  set("swift_task_enqueueGlobalWithDelay_hook", (void *)on_delay);
  set("swift_task_enqueueGlobalWithDeadline_hook", (void *)on_deadline);
  return is_hooked;
}

bool napkin_uses_hooks(void) { return is_hooked; }
napkin_executor napkin_hooked_main(void) { return hooked_main; }
