// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "NapkinTestingCRuntime.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

// A body that ended in a deadlock is held for ever by the task that waits in it. The compiler's check at the end of
// `withoutActuallyEscaping` would stop the process for that, so the contexts that are known to be held are registered here.
enum { most = 256 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uintptr_t forgiven[most];
static int count = 0;

typedef bool (*check_function)(const void *, const unsigned char *, int32_t, int32_t, int32_t, unsigned);
static check_function runtime_check;

void napkin_forgive_escape(uintptr_t context) {
  pthread_mutex_lock(&lock);
  if (count < most) forgiven[count++] = context;
  pthread_mutex_unlock(&lock);
}

void napkin_expect_no_escape(uintptr_t context) {
  pthread_mutex_lock(&lock);
  for (int index = 0; index < count; index++) {
    if (forgiven[index] == context) {
      forgiven[index] = forgiven[--count];
      break;
    }
  }
  pthread_mutex_unlock(&lock);
}

static bool is_forgiven(uintptr_t context) {
  bool found = false;
  pthread_mutex_lock(&lock);
  for (int index = 0; index < count; index++) found |= forgiven[index] == context;
  pthread_mutex_unlock(&lock);
  return found;
}

bool swift_isEscapingClosureAtFileLocation(const void *object, const unsigned char *file, int32_t file_length,
                                           int32_t line, int32_t column, unsigned verification);

// In the library of the core, not in that of Concurrency.
__attribute__((constructor)) static void find_runtime_check(void) {
  static const char name[] = "swift_isEscapingClosureAtFileLocation";
  runtime_check = (check_function)dlsym(RTLD_NEXT, name);
  if (!runtime_check || runtime_check == swift_isEscapingClosureAtFileLocation) napkin_stop_without(name);
}

bool swift_isEscapingClosureAtFileLocation(const void *object, const unsigned char *file, int32_t file_length,
                                           int32_t line, int32_t column, unsigned verification) {
  if (is_forgiven((uintptr_t)object)) return false;
  // A constructor of other code may call this before the one above has run.
  if (__builtin_expect(!runtime_check, 0)) find_runtime_check();
  return runtime_check(object, file, file_length, line, column, verification);
}
