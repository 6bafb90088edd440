// SPDX-License-Identifier: Apache-2.0
#include "Runtime.h"

#include <execinfo.h>

// Bound statically, like swift_task_switch: every task that the compiler's code creates comes through here. A task that the
// exploring thread creates belongs to the execution that runs, and no other task does.

typedef struct {
  void *task;
  void *context;
} task_and_context;
typedef SWIFT_CC task_and_context (*create_function)(size_t, void *, const void *, void *, void *);
typedef SWIFT_CC void (*begin_function)(void *, void *, const void *, void *, void *, void *);
typedef SWIFT_CC void (*immediate_function)(void *, uintptr_t, uintptr_t);

static create_function runtime_create;
static begin_function runtime_begin;
static immediate_function runtime_immediate;
static void ignore(void *task) {}
static napkin_create_handler create_handler = ignore;
static int creating = 0, starting = 0;

// The metadata of Void, which a task that returns nothing is created with: what the symbol has behind its first word. It is
// weak, so that a program without the runtime's library links, and says at its start what is missing.
#ifdef __APPLE__
extern const char metadata_of_void __asm__("_$sytN") __attribute__((weak_import));
#else
extern const char metadata_of_void __asm__("$sytN") __attribute__((weak));
#endif
static bool returns_nothing = false;

// A record of what a task is created with, as the ABI has it: the name is of kind 6.
typedef struct option {
  size_t flags;
  const struct option *next;
  const char *name;
} option;
enum { kind_of_option = 0xff, kind_of_name = 6, most_options = 16 };
static const char *created_name = NULL;

static const char *name_in(const option *options) {
  for (int count = 0; options && count < most_options; count++, options = options->next) {
    if ((options->flags & kind_of_option) == kind_of_name) return options->name;
  }
  return NULL;
}

const char *napkin_created_name(void) { return creating != 0 ? created_name : NULL; }

size_t napkin_callers(uintptr_t *addresses, size_t capacity) {
  void *frames[64];
  int count = backtrace(frames, 64);
  size_t found = 0;
  for (int index = 0; index < count && found < capacity; index++) addresses[found++] = (uintptr_t)frames[index];
  return found;
}

void napkin_take_created(napkin_create_handler handler) { create_handler = handler; }
bool napkin_is_creating(void) { return creating != 0; }
bool napkin_created_returns_nothing(void) { return returns_nothing; }
bool napkin_is_starting(void) { return starting != 0; }

SWIFT_CC task_and_context swift_task_create(size_t flags, void *options, const void *type, void *function,
                                            void *closure) {
  if (!napkin_is_exploring_thread()) return runtime_create(flags, options, type, function, closure);
  creating++;
  created_name = name_in(options);
  task_and_context created = runtime_create(flags, options, type, function, closure);
  creating--;
  returns_nothing = type == &metadata_of_void + sizeof(void *);
  int counted = napkin_pause_accesses();
  create_handler(created.task);
  napkin_resume_accesses(counted);
  return created;
}

SWIFT_CC void swift_asyncLet_begin(void *child, void *options, const void *type, void *function, void *closure,
                                   void *result) {
  bool is_exploring = napkin_is_exploring_thread();
  if (is_exploring) {
    creating++;
    created_name = name_in(options);
  }
  runtime_begin(child, options, type, function, closure, result);
  if (is_exploring) creating--;
}

// Runs a task up to its first suspension, before its creator goes on.
SWIFT_CC void swift_task_immediate(void *task, uintptr_t identity, uintptr_t implementation) {
  bool is_exploring = napkin_is_exploring_thread();
  if (is_exploring) starting++;
  runtime_immediate(task, identity, implementation);
  if (is_exploring) starting--;
}

__attribute__((constructor)) static void find_runtime_functions(void) {
  runtime_create = (create_function)napkin_runtime_symbol("swift_task_create", (void *)swift_task_create);
  runtime_begin = (begin_function)napkin_runtime_symbol("swift_asyncLet_begin", (void *)swift_asyncLet_begin);
  // No system before Apple's of 2025 has it, and there nothing calls it.
  runtime_immediate =
      (immediate_function)napkin_runtime_symbol("swift_task_immediate", (void *)swift_task_immediate);
  if (!runtime_create) napkin_stop_without("swift_task_create");
  if (!runtime_begin) napkin_stop_without("swift_asyncLet_begin");
}
