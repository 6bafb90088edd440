// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Runtime.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <sched.h>
#include <string.h>

// Bound statically, like swift_task_switch: every task that the compiler's code creates comes through here. A task that the
// exploring thread creates belongs to the execution that runs, one that another thread creates to the execution that this thread
// works for, and no other task to any.

typedef struct {
  void *task;
  void *context;
} task_and_context;
FAST_THREAD_LOCAL napkin_calls napkin_open_calls;

// The metadata of Void, which a task that returns nothing is created with: what the symbol has behind its first word. It is
// weak, so that a program without the runtime's library links, and says what is missing.
#ifdef __APPLE__
extern const char metadata_of_void __asm__("_$sytN") __attribute__((weak_import));
#else
extern const char metadata_of_void __asm__("$sytN") __attribute__((weak));
#endif
static bool returns_nothing = false;

// A record of what a task is created with, as the ABI has it. Its kinds: the executor that the task prefers, which it owns, is 6, and
// the name 7.
typedef struct option {
  size_t flags;
  const struct option *next;
  const char *name;
} option;
enum { kind_of_option = 0xff, kind_of_name = 7, most_options = 16 };

static const char *name_in(const option *options) {
  for (int count = 0; options && count < most_options; count++, options = options->next) {
    if ((options->flags & kind_of_option) == kind_of_name) return options->name;
  }
  return NULL;
}

const char *napkin_created_name(void) { return napkin_open_calls.name; }
const void *napkin_created_closure(void) { return napkin_open_calls.closure; }

// As the ABI has it: the metadata of each closure's context is in the image of the closure's code.
const void *napkin_metadata_of_closure(const void *context) {
  enum { kind_of_closure = 0x400, misaligned = sizeof(void *) - 1 };
  Dl_info image;
  if ((uintptr_t)context & misaligned) return NULL;
  const uintptr_t *metadata = *(const uintptr_t *const *)context;
  if ((uintptr_t)metadata & misaligned || !metadata || !dladdr(metadata, &image)) return NULL;
  return *metadata == kind_of_closure ? metadata : NULL;
}

// The code that creates a task: the function itself, and its callers, since one that is generic is the same for all tasks.
enum { creating_frames = 3 };

__attribute__((always_inline)) static inline void begin_creating(const option *options) {
  if (napkin_current->keeps_creators) {
    void *frames[1 + creating_frames];
    int count = backtrace(frames, 1 + creating_frames);
    uint64_t creator = 0;
    // The first frame is this image's own.
    for (int index = 1; index < count; index++) creator = (creator ^ (uint64_t)(uintptr_t)frames[index]) * 0x9E3779B97F4A7C15;
    napkin_open_calls.creator = creator;
  }
  napkin_open_calls.creating++;
  napkin_open_calls.name = name_in(options);
}

uint64_t napkin_creator(void) { return napkin_is_creating() ? napkin_open_calls.creator : 0; }

size_t napkin_callers(uintptr_t *addresses, size_t capacity) {
  return (size_t)backtrace((void **)addresses, (int)capacity);
}

_Unwind_Reason_Code napkin_add_caller(struct _Unwind_Context *caller, void *met) {
  enum { size_of_function = 256 };
  napkin_met_callers *callers = met;
  uintptr_t address = (uintptr_t)_Unwind_GetIP(caller);
  if (address - (uintptr_t)napkin_run_job < size_of_function || address - (uintptr_t)napkin_enter < size_of_function) {
    return _URC_END_OF_STACK;
  }
  callers->addresses[callers->count++] = address;
  return callers->count == callers->capacity ? _URC_END_OF_STACK : _URC_NO_REASON;
}

size_t napkin_job_callers(uintptr_t *addresses, size_t capacity) {
  napkin_met_callers callers = {addresses, 0, capacity};
  _Unwind_Backtrace(napkin_add_caller, &callers);
  return callers.count;
}

// How many tasks the exploring thread is about to make its execution's own. An executor with a thread of its own may run such a
// task before that is done.
static _Atomic(int) unowned = 0;

static void own_later(int count) {
  napkin_open_calls.unowned += count;
  atomic_fetch_add_explicit(&unowned, count, memory_order_release);
}

void napkin_discard_calls(void) { own_later(-napkin_open_calls.unowned); }

// The execution that the calling thread works for, while it creates a task there.
static _Thread_local uint64_t creating_for = 0;

static uint64_t owning_soon(void) {
  enum { most_yields = 1000 };
  uint64_t here;
  // The task here may be the one that the exploring thread is about to make its execution's own.
  for (int yields = 0; (here = napkin_owning_here()) == 0 && yields < most_yields && swift_task_getCurrent(); yields++) {
    if (atomic_load_explicit(&unowned, memory_order_acquire) == 0) return napkin_owning_here();
    sched_yield();
  }
  return here;
}

uint64_t napkin_creating_for(void) { return creating_for; }

uint64_t napkin_owner_of_new(uint64_t task) {
  uint64_t owner = napkin_owner(task), here = napkin_owning_here();
  if (owner != 0 || here == 0) return owner;
  if (creating_for != 0) return creating_for;
  // A child of `async let` is not seen here to be made, nor is the task that the runtime makes to end the sleep of one: tasks are numbered in
  // the order in which they are made. Without a task here, one is on its way to another executor, and may be the one that is being made.
  void *current = napkin_current_task();
  bool is_new = current ? task >= napkin_job_task_id(current) : atomic_load_explicit(&unowned, memory_order_acquire) != 0;
  return is_new ? here : 0;
}

bool napkin_is_creating(void) { return napkin_open_calls.creating != 0; }
bool napkin_created_returns_nothing(void) { return returns_nothing; }
bool napkin_is_starting(void) { return napkin_open_calls.starting != 0; }

// The word in which a task keeps the list of its task-locals; zero before it is known. Each item of the list begins with the next one,
// whose lowest bits are the kind of the item; a value, which has none of them set, has its key behind that.
static _Atomic(size_t) locals_word = 0;
enum { first_own_word = 9, end_own_word = 28, kinds_of_item = 7, most_items = 64 };

void napkin_find_locals(const void *key) {
  static _Thread_local uintptr_t before[end_own_word];
  const uintptr_t *task = swift_task_getCurrent();
  if (!task || locals_word) return;
  if (!key) {
    memcpy(before, task, sizeof before);
    return;
  }
  for (size_t word = first_own_word; word < end_own_word; word++) {
    uintptr_t item[2];
    if (task[word] == before[word] || !task[word] || task[word] & kinds_of_item) continue;
    // A word of another kind may be no address.
    if (napkin_peek((const void *)task[word], item, sizeof item) && item[1] == (uintptr_t)key) locals_word = word;
  }
}

const void *napkin_local_key(size_t position) {
  const uintptr_t *task = swift_task_getCurrent();
  if (!task || !locals_word) return NULL;
  uintptr_t place = task[locals_word], item[2];
  for (size_t items = 0; place && items < most_items; items++) {
    if (!napkin_peek((const void *)place, item, sizeof item)) return NULL;
    bool is_value = !(item[0] & kinds_of_item);
    if (is_value && position-- == 0) return (const void *)item[1];
    place = item[0] & ~(uintptr_t)kinds_of_item;
  }
  return NULL;
}

uintptr_t napkin_exchange_locals(uintptr_t locals) {
  uintptr_t *task = swift_task_getCurrent();
  if (!task || !locals_word) return 0;
  uintptr_t before = task[locals_word];
  task[locals_word] = locals;
  return before;
}

// The arguments of the creation of a task, and its result.
typedef struct {
  size_t flags;
  void *options;
  const void *type;
  void *function, *closure;
  task_and_context created;
} creation;
SWIFT_CC task_and_context swift_task_create(size_t flags, void *options, const void *type, void *function,
                                            void *closure);
enum { flag_of_child = 1 << 8, flag_of_copy = 1 << 10 };

static void create_with_locals(void *context) {
  creation *new = context;
  new->created = RUNTIME(swift_task_create)(new->flags | flag_of_copy, new->options, new->type, new->function, new->closure);
}

// A detached task inherits no task-local, but for the two that say whose its issues are.
static task_and_context create(size_t flags, void *options, const void *type, void *function, void *closure) {
  creation new = {flags, options, type, function, closure, {NULL, NULL}};
  bool is_detached = !(flags & (flag_of_child | flag_of_copy)) && locals_word && napkin_hears_issues();
  if (is_detached && napkin_scheduler.creates_detached(create_with_locals, &new)) return new.created;
  return RUNTIME(swift_task_create)(flags, options, type, function, closure);
}

SWIFT_CC task_and_context swift_task_create(size_t flags, void *options, const void *type, void *function,
                                            void *closure) {
  if (!napkin_is_exploring_thread()) {
    uint64_t outer = creating_for;
    creating_for = owning_soon();
    task_and_context created = create(flags, options, type, function, closure);
    // Such a task may be in the queue of an actor that is in use, or has yet to be started.
    if (creating_for != 0) napkin_own_for(swift_task_getJobTaskId(created.task), creating_for);
    creating_for = outer;
    if (napkin_is_hearing()) napkin_hear_task(created.task, name_in(options));
    return created;
  }
  napkin_reach_call(napkin_access_starts);
  begin_creating(options);
  const char *name = napkin_open_calls.name;
  own_later(1);
  napkin_open_calls.closure = closure;
  task_and_context created = create(flags, options, type, function, closure);
  napkin_open_calls.creating--;
  napkin_open_calls.name = name;
  napkin_open_calls.closure = closure;
  returns_nothing = type == &metadata_of_void + sizeof(void *);
  int counted = napkin_pause_accesses();
  napkin_scheduler.creates(created.task);
  own_later(-1);
  napkin_open_calls.name = NULL;
  napkin_open_calls.closure = NULL;
  napkin_resume_accesses(counted);
  napkin_reach_call(napkin_access_started);
  return created;
}

// The task of an `async let`, which the runtime keeps among the first words of its memory; NULL if it is not found. All tasks begin with
// the same word.
static void *child_in(const uintptr_t *child) {
  enum { first_words = 8 };
  const uintptr_t *parent = swift_task_getCurrent();
  uintptr_t first;
  for (int word = 0; word < first_words && parent; word++) {
    bool may_be = child[word] && child[word] % sizeof(void *) == 0 && child[word] != (uintptr_t)parent;
    if (may_be && napkin_peek((const void *)child[word], &first, sizeof first) && first == parent[0]) return (void *)child[word];
  }
  return NULL;
}

SWIFT_CC void swift_asyncLet_begin(void *child, void *options, const void *type, void *function, void *closure,
                                   void *result) {
  if (!napkin_is_exploring_thread()) {
    uint64_t here = owning_soon(), outer = creating_for;
    if (here == 0) return RUNTIME(swift_asyncLet_begin)(child, options, type, function, closure, result);
    creating_for = here;
    own_later(1);
    RUNTIME(swift_asyncLet_begin)(child, options, type, function, closure, result);
    void *task = child_in(child);
    if (task) napkin_own_for(swift_task_getJobTaskId(task), here);
    own_later(-1);
    creating_for = outer;
    return;
  }
  napkin_reach_call(napkin_access_starts);
  begin_creating(options);
  RUNTIME(swift_asyncLet_begin)(child, options, type, function, closure, result);
  napkin_open_calls.creating--;
  napkin_open_calls.name = NULL;
  napkin_reach_call(napkin_access_started);
}

// Runs a task up to its first suspension, before its creator goes on. One that ends there may be gone then; none of these is a
// child of `async let`, whose memory is its parent's, so it can be kept until it is known.
SWIFT_CC void swift_task_immediate(void *task, uintptr_t identity, uintptr_t implementation) {
  if (!napkin_is_exploring_thread()) return RUNTIME(swift_task_immediate)(task, identity, implementation);
  napkin_retain(task);
  napkin_open_calls.starting++;
  RUNTIME(swift_task_immediate)(task, identity, implementation);
  napkin_open_calls.starting--;
  int counted = napkin_pause_accesses();
  if (!napkin_task_is_complete(task)) napkin_scheduler.starts(task);
  napkin_release(task);
  napkin_resume_accesses(counted);
  napkin_reach_call(napkin_access_started);
}
