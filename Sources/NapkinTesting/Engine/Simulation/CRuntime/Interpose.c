// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Runtime.h"

#if (defined(__APPLE__) || defined(NAPKIN_LIKE_APPLE)) && defined(__LP64__)

#if defined(__APPLE__)
#define SYMBOL(name) "_" name
#define DATA ".section __DATA,__data\n"
#else
#define SYMBOL(name) name
#define DATA ".data\n"
#endif
#define QUOTED(name) "\"" SYMBOL(name) "\""
#define SWIFT_SELF __attribute__((swift_context))

// `Clock.sleep(until:tolerance:)` through the protocol, as `Task.sleep(for:)` and generic code call it. It stands here
// since no Swift function can call another one by an address and hand type parameters on.
#define THUNK "$ss5ClockP5sleep5until9tolerancey7InstantQz_8DurationQzSgtYaKFTj"

// The descriptor of an async function for its callers: where it is, and how much memory they have to give it.
typedef struct {
  int32_t function;
  uint32_t size;
} async_pointer;

typedef SWIFT_ASYNC void (*sleep_function)(SWIFT_ASYNC_CONTEXT void *, const void *deadline, const void *tolerance,
                                           const void *type, const void *witnesses, SWIFT_SELF const void *clock);

extern SWIFT_ASYNC void napkin_sleep_by_clock(SWIFT_ASYNC_CONTEXT void *, const void *deadline, const void *tolerance,
                                              const void *type, const void *witnesses, SWIFT_SELF const void *clock);
extern const async_pointer napkin_sleep_by_clock_pointer __asm__(SYMBOL("napkin_sleep_by_clockTu"));

SWIFT_ASYNC void napkin_clock_sleep(SWIFT_ASYNC_CONTEXT void *, const void *deadline, const void *tolerance,
                                    const void *type, const void *witnesses, SWIFT_SELF const void *clock)
    __asm__(SYMBOL(THUNK));
// Written in assembly, as C has no constant for a distance: a constructor of other code may start a task that sleeps before the one
// below has run. The size is more than either function asks for, and only such a task gets that much.
extern async_pointer napkin_clock_sleep_pointer __asm__(SYMBOL(THUNK "Tu"));
__asm__(DATA ".p2align 2\n.globl " QUOTED(THUNK "Tu") "\n" QUOTED(THUNK "Tu") ":\n"
        ".long " QUOTED(THUNK) " - " QUOTED(THUNK "Tu") "\n.long 1024\n.text\n");

#define INDIRECT __attribute__((swift_indirect_result))
#define NOW_THUNK "$ss5ClockP3now7InstantQzvgTj"
typedef SWIFT_CC void (*now_function)(INDIRECT void *, const void *type, const void *witnesses, SWIFT_SELF const void *clock);
extern SWIFT_CC void napkin_now_by_clock(INDIRECT void *, const void *type, const void *witnesses,
                                         SWIFT_SELF const void *clock);
SWIFT_CC void napkin_clock_now(INDIRECT void *result, const void *type, const void *witnesses,
                               SWIFT_SELF const void *clock) __asm__(SYMBOL(NOW_THUNK));

static bool leaves_waits = false;
void napkin_leave_waits(bool leaves) { leaves_waits = leaves; }

static now_function runtime_now;
static sleep_function runtime_sleep;
static const void *continuous_clock, *suspending_clock;

static void *function_of(const async_pointer *pointer) { return (char *)pointer + pointer->function; }

__attribute__((constructor)) static void find_clock_sleep(void) {
  const async_pointer *runtime = napkin_runtime_symbol(THUNK "Tu", &napkin_clock_sleep_pointer);
  if (!runtime) napkin_stop_without("Clock.sleep(until:tolerance:)");
  runtime_sleep = (sleep_function)function_of(runtime);
  uint32_t size = napkin_sleep_by_clock_pointer.size;
  if (runtime->size > size) size = runtime->size;
  napkin_clock_sleep_pointer.size = size;
  runtime_now = (now_function)napkin_runtime_symbol(NOW_THUNK, (void *)napkin_clock_now);
  if (!runtime_now) napkin_stop_without("Clock.now");
  continuous_clock = napkin_runtime_symbol("$ss15ContinuousClockVN", NULL);
  suspending_clock = napkin_runtime_symbol("$ss15SuspendingClockVN", NULL);
}

SWIFT_ASYNC void napkin_clock_sleep(SWIFT_ASYNC_CONTEXT void *context, const void *deadline, const void *tolerance,
                                    const void *type, const void *witnesses, SWIFT_SELF const void *clock) {
  UNMARK_FRAME();
  if (__builtin_expect(!runtime_sleep, 0)) find_clock_sleep();
  // A clock of another type has a time of its own.
  if (napkin_is_exploring_thread() && !leaves_waits && (type == continuous_clock || type == suspending_clock)) {
    __attribute__((musttail)) return napkin_sleep_by_clock(context, deadline, tolerance, type, witnesses, clock);
  }
  __attribute__((musttail)) return runtime_sleep(context, deadline, tolerance, type, witnesses, clock);
}

SWIFT_CC void napkin_clock_now(INDIRECT void *result, const void *type, const void *witnesses,
                               SWIFT_SELF const void *clock) {
  if (__builtin_expect(!runtime_now, 0)) find_clock_sleep();
  if (napkin_is_exploring_thread() && (type == continuous_clock || type == suspending_clock)) {
    napkin_now_by_clock(result, type, witnesses, clock);
  } else {
    runtime_now(result, type, witnesses, clock);
  }
}
#else
void napkin_leave_waits(bool leaves) {}
#endif
