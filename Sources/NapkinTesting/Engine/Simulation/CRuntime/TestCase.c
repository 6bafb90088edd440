// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Runtime.h"

// Where XCTest records that an assertion has failed, a method that the class of each test case has in its table of methods. Those
// tables are in the tests' image and are bound to the function here. A failed assertion in an execution is a
// failure of that execution alone; every other one goes on to XCTest. It is weak, so that a program that has XCTest linked
// statically keeps that one's.

#if defined(__linux__)
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>

#define RECORD_FAILURE "$s6XCTest0A4CaseC13recordFailure15withDescription6inFile6atLine8expectedySS_SSSiSbtF"
#define SWIFT_SELF __attribute__((swift_context))

typedef SWIFT_CC void (*record_function)(napkin_swift_string text, napkin_swift_string file, intptr_t line,
                                         bool is_expected, SWIFT_SELF void *test_case);

static napkin_failure_handler failure_handler = NULL;
void napkin_take_failures(napkin_failure_handler handler) { failure_handler = handler; }

SWIFT_CC void napkin_record_failure(napkin_swift_string text, napkin_swift_string file, intptr_t line, bool is_expected,
                                    SWIFT_SELF void *test_case) __asm__(RECORD_FAILURE) __attribute__((weak));

SWIFT_CC void napkin_record_failure(napkin_swift_string text, napkin_swift_string file, intptr_t line, bool is_expected,
                                    SWIFT_SELF void *test_case) {
  if (failure_handler && failure_handler(text, file, line)) return;
  record_function record = FOUND_ONCE(record_function, dlsym(RTLD_NEXT, RECORD_FAILURE));
  if (record) record(text, file, line, is_expected, test_case);
}
#else
void napkin_take_failures(napkin_failure_handler handler) { (void)handler; }
#endif

// Where XCTest begins a test, a method of the same tables, which is taken over only where steps are split.
#if NAPKIN_SPLITS
#define INVOKE_TEST "$s6XCTest0A4CaseC10invokeTestyyF"

typedef SWIFT_CC void (*invoke_function)(SWIFT_SELF void *test_case);

static _Atomic(bool) has_run_test_case = false;
bool napkin_has_run_test_case(void) { return atomic_load(&has_run_test_case); }

SWIFT_CC void napkin_invoke_test(SWIFT_SELF void *test_case) __asm__(INVOKE_TEST) __attribute__((weak));

SWIFT_CC void napkin_invoke_test(SWIFT_SELF void *test_case) {
  atomic_store(&has_run_test_case, true);
  invoke_function invoke = FOUND_ONCE(invoke_function, dlsym(RTLD_NEXT, INVOKE_TEST));
  // A test that does not run must not pass.
  if (!invoke) abort();
  invoke(test_case);
}
#else
bool napkin_has_run_test_case(void) { return false; }
#endif
