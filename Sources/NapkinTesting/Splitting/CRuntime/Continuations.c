// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Split.h"

#include "Runtime.h"

#if NAPKIN_SPLITS
// Continuations of the code under test. A second resumption is not passed on to the runtime: the task may be half-way through a step, or
// have ended, and the runtime would change memory that is something else by then.

SWIFT_CC void *swift_continuation_init(void *context, size_t flags);
SWIFT_CC void swift_continuation_resume(void *task);
SWIFT_CC void swift_continuation_throwingResume(void *task);
SWIFT_CC void swift_continuation_throwingResumeWithError(void *task, void *error);

SWIFT_CC void *swift_continuation_init(void *context, size_t flags) {
  void *task = RUNTIME(swift_continuation_init)(context, flags);
  if (!running_thread()) return task;
  int counted = napkin_pause_accesses();
  napkin_handlers.has_continuation(task);
  napkin_resume_accesses(counted);
  return task;
}

static bool may_resume(void *task) {
  if (!running_thread()) return true;
  int counted = napkin_pause_accesses();
  bool may = napkin_handlers.resumes(task);
  napkin_resume_accesses(counted);
  return may;
}

SWIFT_CC void swift_continuation_resume(void *task) {
  if (may_resume(task)) RUNTIME(swift_continuation_resume)(task);
}

SWIFT_CC void swift_continuation_throwingResume(void *task) {
  if (may_resume(task)) RUNTIME(swift_continuation_throwingResume)(task);
}

SWIFT_CC void swift_continuation_throwingResumeWithError(void *task, void *error) {
  if (may_resume(task)) RUNTIME(swift_continuation_throwingResumeWithError)(task, error);
}
#endif
