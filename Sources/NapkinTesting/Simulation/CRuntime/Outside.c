// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Split.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

// What an execution leaves to a dispatch queue or to a thread: it runs there as ever, and the execution learns when it is
// done. So a scheduler with nothing to run knows whether there is something to wait for in real time.

static napkin_outside outside;
static bool has_left_something = false;

void napkin_watch_outside(napkin_outside handlers) { outside = handlers; }
bool napkin_has_left_something(void) { return has_left_something; }
void napkin_set_has_left_something(bool has_left) { has_left_something = has_left; }

#if defined(NAPKIN_LINUX) && !defined(HAS_SANITIZER)
typedef void (*plain_function)(void *);
typedef void (*submit_function)(void *queue, void *block);
typedef void (*submit_plain_function)(void *queue, void *context, plain_function);
typedef void (*submit_to_group_function)(void *group, void *queue, void *block);
typedef void (*submit_plain_to_group_function)(void *group, void *queue, void *context, plain_function);
typedef void (*submit_later_function)(uint64_t time, void *queue, void *block);
typedef void (*submit_plain_later_function)(uint64_t time, void *queue, void *context, plain_function);

// The execution that the work on this thread belongs to.
static _Thread_local uint64_t executions_work = 0;

static void *main_queue;

__attribute__((constructor)) static void find_main_queue(void) { main_queue = dlsym(RTLD_DEFAULT, "_dispatch_main_q"); }

void *napkin_main_queue(void) { return main_queue; }

static void *find(const char *name) { return dlsym(RTLD_NEXT, name); }

#define FIND_ONCE(type, variable, name) \
  static type variable; \
  if (!variable) variable = (type)find(name)

void napkin_retain_dispatch(void *object) {
  FIND_ONCE(plain_function, retain, "dispatch_retain");
  retain(object);
}

void napkin_release_dispatch(void *object) {
  FIND_ONCE(plain_function, release, "dispatch_release");
  release(object);
}

struct errand {
  uint64_t execution;
  napkin_code *block;
};

static void run_errand(void *context) {
  struct errand errand = *(struct errand *)context;
  free(context);
  uint64_t outer = executions_work;
  executions_work = errand.execution;
  errand.block->invoke(errand.block);
  _Block_release(errand.block);
  executions_work = outer;
  outside.is_done(errand.execution);
}

static struct errand *errand_with(void *block) {
  struct errand *errand = malloc(sizeof *errand);
  if (errand) *errand = (struct errand){napkin_owning_here(), _Block_copy(block)};
  return errand;
}

// A work item keeps what it knows of itself in a block of another kind, which has to reach the queue as it is.
static bool is_work_item(void *block) {
  static void *invoke_of_work_items = NULL;
  if (!invoke_of_work_items) {
    void *(*create)(uintptr_t, void *) = dlsym(RTLD_DEFAULT, "dispatch_block_create");
    napkin_code *item = create ? create(0, block) : NULL;
    if (!item) return true;
    invoke_of_work_items = (void *)item->invoke;
    _Block_release(item);
  }
  return (void *)((napkin_code *)block)->invoke == invoke_of_work_items;
}

static const char *name_of(void *queue) {
  static const char *(*label)(void *) = NULL;
  if (!label) label = dlsym(RTLD_DEFAULT, "dispatch_queue_get_label");
  const char *name = queue && label ? label(queue) : NULL;
  return name ? name : "";
}

/// Whether the calling thread works for an execution: it is the exploring one, or runs what that has left to it.
static bool works_for_execution(void) { return napkin_owning_here() != 0; }

uint64_t napkin_owning_here(void) {
  return napkin_is_exploring_thread() ? napkin_owning() : executions_work;
}

static struct errand *leave(void *queue, void *block) {
  if (!works_for_execution()) return NULL;
  bool is_seen = !is_work_item(block);
  outside.leaves(napkin_owning_here(), napkin_left_to_queue, name_of(queue), is_seen);
  return is_seen ? errand_with(block) : NULL;
}

void dispatch_async(void *queue, void *block) {
  FIND_ONCE(submit_function, system, "dispatch_async");
  FIND_ONCE(submit_plain_function, plain, "dispatch_async_f");
  if (napkin_simulates_queues()) return napkin_submit_block(queue, block, false, NULL);
  struct errand *errand = leave(queue, block);
  if (errand) plain(queue, errand, run_errand);
  else system(queue, block);
}

void dispatch_barrier_async(void *queue, void *block) {
  FIND_ONCE(submit_function, system, "dispatch_barrier_async");
  FIND_ONCE(submit_plain_function, plain, "dispatch_barrier_async_f");
  if (napkin_simulates_queues()) return napkin_submit_block(queue, block, true, NULL);
  struct errand *errand = leave(queue, block);
  if (errand) plain(queue, errand, run_errand);
  else system(queue, block);
}

void dispatch_group_async(void *group, void *queue, void *block) {
  FIND_ONCE(submit_to_group_function, system, "dispatch_group_async");
  FIND_ONCE(submit_plain_to_group_function, plain, "dispatch_group_async_f");
  if (napkin_simulates_queues()) return napkin_submit_block(queue, block, false, group);
  struct errand *errand = leave(queue, block);
  if (errand) plain(group, queue, errand, run_errand);
  else system(group, queue, block);
}

// On the exploring thread the delay passes in the time of the execution, and then the queue gets the block.
void dispatch_after(uint64_t time, void *queue, void *block) {
  FIND_ONCE(submit_later_function, system, "dispatch_after");
  FIND_ONCE(submit_plain_later_function, plain, "dispatch_after_f");
  if (napkin_is_exploring_thread() && time != ~0ull) {
    napkin_retain_dispatch(queue);
    void *copy = _Block_copy(block);
    napkin_release_clocks(copy);
    outside.leaves_later(napkin_left_until_dispatch_time(time), queue, copy);
    return;
  }
  struct errand *errand = leave(queue, block);
  if (errand) plain(time, queue, errand, run_errand);
  else system(time, queue, block);
}

void napkin_drop(void *queue, void *block) {
  _Block_release(block);
  napkin_release_dispatch(queue);
}

void napkin_submit(void *queue, void *block) {
  dispatch_async(queue, block);
  napkin_drop(queue, block);
}

// How many blocks run that wait for the main queue; the exploring thread alone asks.
static int blocks_on_main = 0;
bool napkin_is_on_main_queue(void) { return blocks_on_main != 0; }

// Whether the block was run in the schedule.
static bool run_in_turn(void *queue, void *block, bool is_barrier, uintptr_t caller) {
  if (!running_thread()) return false;
  if (napkin_simulates_queues()) {
    napkin_run_in_turn(queue, block, is_barrier, caller);
    return true;
  }
  // What such a queue orders is not known.
  napkin_stop_looking_for_races();
  return false;
}
#define CALLER ((uintptr_t)__builtin_return_address(0))

void dispatch_barrier_sync(void *queue, void *block) {
  FIND_ONCE(submit_function, system, "dispatch_barrier_sync");
  if (!run_in_turn(queue, block, true, CALLER)) system(queue, block);
}

void dispatch_async_and_wait(void *queue, void *block) {
  FIND_ONCE(submit_function, system, "dispatch_async_and_wait");
  if (!run_in_turn(queue, block, false, CALLER)) system(queue, block);
}

void dispatch_barrier_async_and_wait(void *queue, void *block) {
  FIND_ONCE(submit_function, system, "dispatch_barrier_async_and_wait");
  if (!run_in_turn(queue, block, true, CALLER)) system(queue, block);
}

// What waits for a work item is called by dispatch itself.
void dispatch_block_notify(void *item, void *queue, void *block) {
  typedef void (*notify_function)(void *, void *, void *);
  FIND_ONCE(notify_function, system, "dispatch_block_notify");
  if (works_for_execution()) outside.leaves(napkin_owning_here(), napkin_left_to_queue, name_of(queue), false);
  system(item, queue, block);
}

// What is on an actor, or on none, is off the main thread in the app, where this is allowed.
void dispatch_sync(void *queue, void *block) {
  FIND_ONCE(submit_function, system, "dispatch_sync");
  bool is_off_main = queue == main_queue && main_queue && napkin_is_exploring_thread() &&
                     napkin_current_executor().identity != napkin_main_executor().identity;
  if (!is_off_main) {
    if (!run_in_turn(queue, block, false, CALLER)) system(queue, block);
    return;
  }
  blocks_on_main++;
  ((napkin_code *)block)->invoke(block);
  blocks_on_main--;
}

typedef int (*create_function)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

struct thread_start {
  uint64_t execution;
  void *(*start)(void *);
  void *argument;
};

static void *run_thread(void *context) {
  struct thread_start thread = *(struct thread_start *)context;
  free(context);
  executions_work = thread.execution;
  void *result = thread.start(thread.argument);
  outside.is_done(thread.execution);
  return result;
}

/// Whether code of a library, which makes threads for its own purposes, is at an address.
static bool is_of_dispatch(void *address) {
  Dl_info caller, dispatch;
  return dladdr(main_queue, &dispatch) != 0 && dladdr(address, &caller) != 0 &&
         caller.dli_fbase == dispatch.dli_fbase;
}

/// Whether the program itself makes a thread, or has Foundation make one. Others are those of libraries for their own purposes.
static bool is_for_code_under_test(void *address) {
  if ((uintptr_t)address - napkin_code_start < napkin_code_size) return true;
  Dl_info info;
  return dladdr(address, &info) != 0 && info.dli_sname && strcmp(info.dli_sname, "_CFThreadCreate") == 0;
}

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes, void *(*start)(void *),
                   void *restrict argument) {
  static create_function system;
  if (!system) system = (create_function)find("pthread_create");
  if (running_thread() && is_for_code_under_test(__builtin_return_address(0))) {
    return napkin_start_thread(thread, attributes, start, argument);
  }
  if (!works_for_execution() || is_of_dispatch(__builtin_return_address(0))) {
    return system(thread, attributes, start, argument);
  }
  struct thread_start *context = malloc(sizeof *context);
  if (!context) return system(thread, attributes, start, argument);
  *context = (struct thread_start){napkin_owning_here(), start, argument};
  outside.leaves(context->execution, napkin_left_to_thread, "", true);
  int result = system(thread, attributes, run_thread, context);
  if (result != 0) {
    outside.is_done(context->execution);
    free(context);
  }
  return result;
}
#else
bool napkin_is_on_main_queue(void) { return false; }
uint64_t napkin_owning_here(void) { return napkin_is_exploring_thread() ? napkin_owning() : 0; }
void napkin_submit(void *queue, void *block) { (void)queue, (void)block; }
void napkin_drop(void *queue, void *block) { (void)queue, (void)block; }
#endif
