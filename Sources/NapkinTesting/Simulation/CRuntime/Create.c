// SPDX-License-Identifier: Apache-2.0
#include "NapkinTestingCRuntime.h"

#include <stdlib.h>

// Bound statically, like swift_task_switch: every task that the compiler's code creates comes through here. A task that the
// exploring thread creates belongs to the execution that runs, and no other task does.

#define SWIFT_CC __attribute__((swiftcall))

typedef struct {
  void *task;
  void *context;
} task_and_context;
typedef SWIFT_CC task_and_context (*create_function)(size_t, void *, const void *, void *, void *);
typedef SWIFT_CC void (*begin_function)(void *, void *, const void *, void *, void *, void *);

static create_function runtime_create;
static begin_function runtime_begin;
static void ignore(void *task) {}
static napkin_create_handler create_handler = ignore;
static int creating = 0;

void napkin_take_created(napkin_create_handler handler) { create_handler = handler; }
bool napkin_is_creating(void) { return creating != 0; }

SWIFT_CC task_and_context swift_task_create(size_t flags, void *options, const void *type, void *function,
                                            void *closure) {
  if (!napkin_is_exploring_thread()) return runtime_create(flags, options, type, function, closure);
  creating++;
  task_and_context created = runtime_create(flags, options, type, function, closure);
  creating--;
  create_handler(created.task);
  return created;
}

SWIFT_CC void swift_asyncLet_begin(void *child, void *options, const void *type, void *function, void *closure,
                                   void *result) {
  bool is_exploring = napkin_is_exploring_thread();
  if (is_exploring) creating++;
  runtime_begin(child, options, type, function, closure, result);
  if (is_exploring) creating--;
}

__attribute__((constructor)) static void find_runtime_functions(void) {
  runtime_create = (create_function)napkin_runtime_function("swift_task_create", (void *)swift_task_create);
  runtime_begin = (begin_function)napkin_runtime_function("swift_asyncLet_begin", (void *)swift_asyncLet_begin);
  if (runtime_create && runtime_begin) return;
  static const char message[] =
      "NapkinTesting: swift_task_create of the Swift runtime cannot be found. Link the runtime dynamically.\n";
  napkin_write_error(message, sizeof message - 1);
  abort();
}
