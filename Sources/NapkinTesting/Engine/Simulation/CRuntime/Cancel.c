// SPDX-License-Identifier: Apache-2.0
#include "Baton.h"
#include "Runtime.h"
#include "System.h"

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

// The handlers run in it, while the task's state is locked.
static void cancel(SWIFT_CC void (*runtime)(void *), void *cancelled, void *task, uintptr_t caller) {
  if (!is_allowed(cancelled, task, caller)) return;
  napkin_begin_locked_call();
  runtime(cancelled);
  napkin_end_locked_call();
  napkin_reach_call(napkin_access_cancelled);
}

SWIFT_CC void napkin_cancel(void *task) SWIFT_NAME("ScT6cancelyyF");
SWIFT_CC void napkin_cancel(void *task) { cancel(swift_task_cancel, task, task, CALLER); }

SWIFT_CC void napkin_cancel_group(void *group) SWIFT_NAME("ScG9cancelAllyyF");
SWIFT_CC void napkin_cancel_group(void *group) { cancel(swift_taskGroup_cancelAll, group, NULL, CALLER); }

SWIFT_CC void napkin_cancel_throwing_group(void *group) SWIFT_NAME("Scg9cancelAllyyF");
SWIFT_CC void napkin_cancel_throwing_group(void *group) { cancel(swift_taskGroup_cancelAll, group, NULL, CALLER); }

// `Task.isCancelled`: another task may cancel this one before its next line.
SWIFT_CC bool napkin_is_cancelled(void) SWIFT_NAME("ScTss5NeverORszABRs_rlE11isCancelledSbvgZ");
SWIFT_CC bool napkin_is_cancelled(void) {
  void *task = swift_task_getCurrent();
  bool is_cancelled = task && swift_task_isCancelled(task);
  if (napkin_under_way) napkin_reach_call(napkin_access_asked);
  return is_cancelled;
}
