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

#if NAPKIN_SPLITS
// What stands beside the functions that are defined here.
extern void dispatch_async_f(void *queue, void *context, void (*)(void *));
extern void dispatch_barrier_async_f(void *queue, void *context, void (*)(void *));
extern void dispatch_group_async_f(void *group, void *queue, void *context, void (*)(void *));
extern void dispatch_after_f(uint64_t time, void *queue, void *context, void (*)(void *));
extern void *dispatch_block_create(uintptr_t flags, void *block);

// The execution that the work on this thread belongs to.
static _Thread_local uint64_t executions_work = 0;

static void *main_queue;

__attribute__((constructor)) static void find_main_queue(void) { main_queue = dlsym(RTLD_DEFAULT, "_dispatch_main_q"); }

void *napkin_main_queue(void) { return main_queue; }

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
    napkin_code *item = dispatch_block_create(0, block);
    invoke_of_work_items = (void *)item->invoke;
    _Block_release(item);
  }
  return (void *)((napkin_code *)block)->invoke == invoke_of_work_items;
}

static const char *name_of(void *queue) {
  const char *name = queue ? dispatch_queue_get_label(queue) : NULL;
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
  if (napkin_simulates_queues()) return napkin_submit_block(queue, block, false, NULL);
  struct errand *errand = leave(queue, block);
  if (errand) dispatch_async_f(queue, errand, run_errand);
  else SYSTEM(dispatch_async)(queue, block);
}

void dispatch_barrier_async(void *queue, void *block) {
  if (napkin_simulates_queues()) return napkin_submit_block(queue, block, true, NULL);
  struct errand *errand = leave(queue, block);
  if (errand) dispatch_barrier_async_f(queue, errand, run_errand);
  else SYSTEM(dispatch_barrier_async)(queue, block);
}

void dispatch_group_async(void *group, void *queue, void *block) {
  if (napkin_simulates_queues()) return napkin_submit_block(queue, block, false, group);
  struct errand *errand = leave(queue, block);
  if (errand) dispatch_group_async_f(group, queue, errand, run_errand);
  else SYSTEM(dispatch_group_async)(group, queue, block);
}

// On the exploring thread the delay passes in the time of the execution, and then the queue gets the block.
void dispatch_after(uint64_t time, void *queue, void *block) {
  if (napkin_is_exploring_thread() && time != ~0ull) {
    dispatch_retain(queue);
    void *copy = _Block_copy(block);
    napkin_release_clocks(copy);
    outside.leaves_later(napkin_left_until_dispatch_time(time), queue, copy);
    return;
  }
  struct errand *errand = leave(queue, block);
  if (errand) dispatch_after_f(time, queue, errand, run_errand);
  else SYSTEM(dispatch_after)(time, queue, block);
}

void napkin_drop(void *queue, void *block) {
  _Block_release(block);
  dispatch_release(queue);
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

#define RUN_IN_TURN(name, is_barrier) \
  void name(void *queue, void *block) { \
    if (!run_in_turn(queue, block, is_barrier, CALLER)) SYSTEM(name)(queue, block); \
  }
RUN_IN_TURN(dispatch_barrier_sync, true)
RUN_IN_TURN(dispatch_async_and_wait, false)
RUN_IN_TURN(dispatch_barrier_async_and_wait, true)

// What waits for a work item is called by dispatch itself.
void dispatch_block_notify(void *item, void *queue, void *block) {
  if (works_for_execution()) outside.leaves(napkin_owning_here(), napkin_left_to_queue, name_of(queue), false);
  SYSTEM(dispatch_block_notify)(item, queue, block);
}

// What is on an actor, or on none, is off the main thread in the app, where this is allowed.
void dispatch_sync(void *queue, void *block) {
  bool is_off_main = queue == main_queue && main_queue && napkin_is_exploring_thread() &&
                     napkin_current_executor().identity != napkin_main_executor().identity;
  if (!is_off_main) {
    if (!run_in_turn(queue, block, false, CALLER)) SYSTEM(dispatch_sync)(queue, block);
    return;
  }
  blocks_on_main++;
  ((napkin_code *)block)->invoke(block);
  blocks_on_main--;
}

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
  if (running_thread() && is_for_code_under_test(__builtin_return_address(0))) {
    return napkin_start_thread(thread, attributes, start, argument);
  }
  if (!works_for_execution() || is_of_dispatch(__builtin_return_address(0))) {
    return SYSTEM(pthread_create)(thread, attributes, start, argument);
  }
  struct thread_start *context = malloc(sizeof *context);
  if (!context) return SYSTEM(pthread_create)(thread, attributes, start, argument);
  *context = (struct thread_start){napkin_owning_here(), start, argument};
  outside.leaves(context->execution, napkin_left_to_thread, "", true);
  int result = SYSTEM(pthread_create)(thread, attributes, run_thread, context);
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
