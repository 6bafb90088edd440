// SPDX-License-Identifier: Apache-2.0
#include "Baton.h"
#include "Runtime.h"

// `Task.cancel()` and `cancelAll()` of groups, by the names that the compiler's code calls: inside its own library the runtime calls
// the functions behind them directly. The task, or the group, is the first argument; generic arguments follow, which none of them
// reads. Tasks that the runtime cancels by itself, such as the children of a cancelled task, do not come here.

#ifdef __APPLE__
#define SWIFT_NAME(name) __asm__("_$s" name)
#else
#define SWIFT_NAME(name) __asm__("$s" name)
#endif

extern SWIFT_CC void swift_taskGroup_cancelAll(void *group);
extern SWIFT_CC bool swift_task_isCancelled(void *task);

bool napkin_task_is_cancelled(void *task) { return swift_task_isCancelled(task); }

static bool is_allowed(const void *cancelled, void *task, uintptr_t caller) {
  if (!napkin_is_exploring_thread()) return true;
  napkin_reach_cancel(cancelled, caller);
  int counted = napkin_pause_accesses();
  bool is_allowed = napkin_scheduler.cancels(task);
  napkin_resume_accesses(counted);
  return is_allowed;
}

static void cancel(SWIFT_CC void (*runtime)(void *), void *cancelled, void *task, uintptr_t caller) {
  if (!is_allowed(cancelled, task, caller)) return;
  runtime(cancelled);
  napkin_reach_call(napkin_access_cancelled);
}

#define CANCELS(function, name, runtime, task) \
  SWIFT_CC void function(void *cancelled) SWIFT_NAME(name); \
  SWIFT_CC void function(void *cancelled) { cancel(runtime, cancelled, task, CALLER); }

CANCELS(napkin_cancel, "ScT6cancelyyF", swift_task_cancel, cancelled)
CANCELS(napkin_cancel_group, "ScG9cancelAllyyF", swift_taskGroup_cancelAll, NULL)
CANCELS(napkin_cancel_throwing_group, "Scg9cancelAllyyF", swift_taskGroup_cancelAll, NULL)
CANCELS(napkin_cancel_discarding_group, "s19DiscardingTaskGroupV9cancelAllyyF", swift_taskGroup_cancelAll, NULL)
CANCELS(napkin_cancel_throwing_discarding_group, "s27ThrowingDiscardingTaskGroupV9cancelAllyyF", swift_taskGroup_cancelAll, NULL)

// That of an `UnsafeCurrentTask`, whose layout is not the callers' to know: they pass its address.
SWIFT_CC void napkin_cancel_unsafe_task(__attribute__((swift_context)) void *const *task) SWIFT_NAME("Sct6cancelyyF");
SWIFT_CC void napkin_cancel_unsafe_task(__attribute__((swift_context)) void *const *task) {
  cancel(swift_task_cancel, *task, *task, CALLER);
}

// `Task.isCancelled`: another task may cancel this one before its next line.
#define IS_CANCELLED "ScTss5NeverORszABRs_rlE11isCancelledSbvgZ"
SWIFT_CC bool napkin_is_cancelled(void) SWIFT_NAME(IS_CANCELLED);
SWIFT_CC bool napkin_is_cancelled(void) {
  __typeof__(napkin_is_cancelled) *runtime =
      FOUND_ONCE(__typeof__(napkin_is_cancelled) *, napkin_runtime_symbol("$s" IS_CANCELLED, (void *)napkin_is_cancelled));
  if (!runtime) napkin_stop_without("Task.isCancelled");
  bool is_cancelled = runtime();
  if (napkin_under_way) napkin_reach_call(napkin_access_asked);
  return is_cancelled;
}
