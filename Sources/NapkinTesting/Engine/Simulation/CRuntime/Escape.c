// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Runtime.h"

// A body that ended in a deadlock is held for ever by the task that waits in it. The compiler's check at the end of
// `withoutActuallyEscaping` would stop the process for that, so the contexts that are known to be held are registered here.
enum { most = 256 };
static _Atomic(uintptr_t) forgiven[most];
static _Atomic(bool) are_any = false;

/// Puts one in the place of another; false if that one has none.
static bool replace(uintptr_t context, uintptr_t other) {
  for (int index = 0; index < most; index++) {
    uintptr_t before = context;
    if (atomic_compare_exchange_strong(&forgiven[index], &before, other)) return true;
  }
  return false;
}

void napkin_forgive_escape(uintptr_t context) {
  if (replace(0, context)) are_any = true;
}

void napkin_expect_no_escape(uintptr_t context) { replace(context, 0); }

bool swift_isEscapingClosureAtFileLocation(const void *object, const unsigned char *file, int32_t file_length,
                                           int32_t line, int32_t column, unsigned verification);

bool swift_isEscapingClosureAtFileLocation(const void *object, const unsigned char *file, int32_t file_length,
                                           int32_t line, int32_t column, unsigned verification) {
  if (object && are_any && replace((uintptr_t)object, (uintptr_t)object)) return false;
  return RUNTIME(swift_isEscapingClosureAtFileLocation)(object, file, file_length, line, column, verification);
}
