// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Runtime.h"

#include <dlfcn.h>
#include <stdlib.h>

// Work that an execution leaves to a dispatch queue or to a thread: it runs there as ever, and the execution learns when it is
// done. So a scheduler with nothing to run knows whether there is something to wait for in real time.

static napkin_outside outside;

void napkin_watch_outside(napkin_outside handlers) { outside = handlers; }
bool napkin_has_left_something(void) { return napkin_current->has_left_something; }
void napkin_leaves_something(void) {
  if (napkin_is_exploring_thread()) napkin_current->has_left_something = true;
}

#if NAPKIN_REPLACES
// The functions of dispatch that those defined here call.
extern void dispatch_async_f(void *queue, void *context, void (*)(void *));
extern void dispatch_barrier_async_f(void *queue, void *context, void (*)(void *));
extern void dispatch_group_async_f(void *group, void *queue, void *context, void (*)(void *));
extern void dispatch_after_f(uint64_t time, void *queue, void *context, void (*)(void *));
extern void *dispatch_block_create(uintptr_t flags, void *block);
extern void dispatch_group_async(void *group, void *queue, void *block);
extern void dispatch_group_notify(void *group, void *queue, void *block);
extern void *dispatch_group_create(void);
extern void dispatch_group_notify_f(void *group, void *queue, void *context, void (*)(void *));
extern void *dispatch_get_global_queue(intptr_t identifier, uintptr_t flags);

static void *main_queue;

__attribute__((constructor)) static void find_main_queue(void) { main_queue = dlsym(RTLD_DEFAULT, "_dispatch_main_q"); }

void *napkin_main_queue(void) { return main_queue; }

// A block that runs another one with the task-locals that say whose its issues are, by the ABI of blocks.
struct carrying_block {
  napkin_code code;
  const void *descriptor;
  void *carried;
  napkin_code *block;
};

static void copy_carrying(struct carrying_block *copy, const struct carrying_block *original) {
  napkin_retain(original->carried);
  copy->block = _Block_copy(original->block);
}

static void drop_carrying(struct carrying_block *block) {
  napkin_release(block->carried);
  _Block_release(block->block);
}

static void run_carried(void *block) { ((napkin_code *)block)->invoke(block); }
static void run_carrying(napkin_code *code) {
  struct carrying_block *block = (struct carrying_block *)code;
  outside.does(block->carried, run_carried, block->block);
}

static void end_carrying(struct carrying_block *block) {
  if (block->carried) napkin_release(block->carried);
}

void *napkin_carried(void) { return napkin_hears_issues() ? outside.carries() : NULL; }

void napkin_do_carried(void *carried, void (*work)(void *), void *context) {
  if (!carried) return work(context);
  outside.does(carried, work, context);
  napkin_release(carried);
}

extern void *_NSConcreteStackBlock[];
static bool is_work_item(void *block);

// The block itself, or the one on the stack, which is to be copied.
static void *carry(void *block, struct carrying_block *carrying) {
  static const struct {
    uintptr_t reserved, size;
    void (*copy)(struct carrying_block *, const struct carrying_block *);
    void (*dispose)(struct carrying_block *);
  } descriptor = {0, sizeof *carrying, copy_carrying, drop_carrying};
  enum { has_copy_and_dispose = 1 << 25 };
  // Where steps are split, a block is a task of the schedule, and is known by its address; its job carries them.
  bool is_carried = !napkin_simulates_queues() && !is_work_item(block);
  carrying->carried = is_carried ? napkin_carried() : NULL;
  if (!carrying->carried) return block;
  carrying->code = (napkin_code){_NSConcreteStackBlock, has_copy_and_dispose, 0, run_carrying};
  carrying->descriptor = &descriptor;
  carrying->block = block;
  return carrying;
}

#define CARRY(block) \
  __attribute__((cleanup(end_carrying))) struct carrying_block carrying; \
  block = carry(block, &carrying)

struct errand {
  uint64_t execution;
  napkin_code *block;
  bool is_counted;
};

static void run_errand(void *context) {
  struct errand errand = *(struct errand *)context;
  free(context);
  uint64_t outer = napkin_work_for(errand.execution);
  napkin_watch_errand(true);
  errand.block->invoke(errand.block);
  napkin_watch_errand(false);
  _Block_release(errand.block);
  napkin_work_for(outer);
  if (errand.is_counted) outside.is_done(errand.execution);
}

static struct errand *errand_with(void *block, bool is_counted) {
  struct errand *errand = malloc(sizeof *errand);
  if (errand) *errand = (struct errand){napkin_owning_here(), _Block_copy(block), is_counted};
  return errand;
}

// A work item keeps what it knows of itself in a block of another kind, which has to reach the queue as it is.
static void *invoke_of_work_items(void *block) {
  napkin_code *item = dispatch_block_create(0, block);
  void *invoke = (void *)item->invoke;
  _Block_release(item);
  return invoke;
}

static bool is_work_item(void *block) {
  return (void *)((napkin_code *)block)->invoke == FOUND_ONCE(void *, invoke_of_work_items(block));
}

// The flags of a work item are behind the words of any block, and those of a barrier differ from others by one bit.
enum { barrier = 1, first_word = 4, end_word = 8 };

static size_t word_of_flags(void *block) {
  const uintptr_t *plain = dispatch_block_create(0, block), *alone = dispatch_block_create(barrier, block);
  size_t word = first_word;
  while (word < end_word && (plain[word] ^ alone[word]) != barrier) word++;
  _Block_release(plain);
  _Block_release(alone);
  return word;
}

bool napkin_is_barrier(void *block) {
  if (!is_work_item(block)) return false;
  size_t word = FOUND_ONCE(size_t, word_of_flags(block));
  if (word < end_word) return (((const uintptr_t *)block)[word] & barrier) != 0;
  napkin_stop_looking_for_races();
  return false;
}

static const char *name_of(void *queue) {
  const char *name = queue ? dispatch_queue_get_label(queue) : NULL;
  return name ? name : "";
}

/// Whether the calling thread works for an execution: it is the exploring one, or runs what that has left to it.
static bool works_for_execution(void) { return napkin_owning_here() != 0; }

static struct errand *leave(void *queue, void *block) {
  if (!works_for_execution()) return NULL;
  bool is_seen = !is_work_item(block);
  outside.leaves(napkin_owning_here(), napkin_left_to_queue, name_of(queue), is_seen);
  return is_seen ? errand_with(block, true) : NULL;
}

static void end_item(void *context) {
  uint64_t execution = *(uint64_t *)context;
  free(context);
  outside.is_done(execution);
}

// A group says when a work item has come to its end, cancelled or not, and leaves it as it is.
static bool leave_item(void *queue, void *item) {
  uint64_t *execution = works_for_execution() && is_work_item(item) ? malloc(sizeof *execution) : NULL;
  if (!execution) return false;
  *execution = napkin_owning_here();
  outside.leaves(*execution, napkin_left_to_queue, name_of(queue), true);
  void *group = dispatch_group_create();
  SYSTEM(dispatch_group_async)(group, queue, item);
  dispatch_group_notify_f(group, dispatch_get_global_queue(0, 0), execution, end_item);
  dispatch_release(group);
  return true;
}

void dispatch_async(void *queue, void *block) {
  CARRY(block);
  if (napkin_simulates_queues()) return napkin_submit_block(queue, block, false, NULL);
  if (leave_item(queue, block)) return;
  struct errand *errand = leave(queue, block);
  if (errand) dispatch_async_f(queue, errand, run_errand);
  else SYSTEM(dispatch_async)(queue, block);
}

void dispatch_barrier_async(void *queue, void *block) {
  CARRY(block);
  if (napkin_simulates_queues()) return napkin_submit_block(queue, block, true, NULL);
  struct errand *errand = leave(queue, block);
  if (errand) dispatch_barrier_async_f(queue, errand, run_errand);
  else SYSTEM(dispatch_barrier_async)(queue, block);
}

void dispatch_group_async(void *group, void *queue, void *block) {
  CARRY(block);
  if (napkin_simulates_queues()) return napkin_submit_block(queue, block, false, group);
  struct errand *errand = leave(queue, block);
  if (errand) dispatch_group_async_f(group, queue, errand, run_errand);
  else SYSTEM(dispatch_group_async)(group, queue, block);
}

// On the exploring thread the delay passes in the time of the execution, and then the queue gets the block.
void dispatch_after(uint64_t time, void *queue, void *block) {
  CARRY(block);
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

bool napkin_is_on_main_queue(void) { return napkin_open_calls.on_main_queue != 0; }

// The block that waits for a group is no errand that is under way: the tasks that the group waits for may need the execution.
bool napkin_leave_notification(void *group, void *queue, void *block) {
  struct errand *errand = works_for_execution() && !is_work_item(block) ? errand_with(block, false) : NULL;
  if (!errand) return false;
  outside.leaves(errand->execution, napkin_left_to_queue, name_of(queue), false);
  dispatch_group_notify_f(group, queue, errand, run_errand);
  return true;
}

#if !defined(NAPKIN_SPLITS)
void dispatch_group_notify(void *group, void *queue, void *block) {
  CARRY(block);
  if (!napkin_leave_notification(group, queue, block)) SYSTEM(dispatch_group_notify)(group, queue, block);
}
#endif

// Dispatch itself calls the block that waits for a work item.
void dispatch_block_notify(void *item, void *queue, void *block) {
  if (works_for_execution()) outside.leaves(napkin_owning_here(), napkin_left_to_queue, name_of(queue), false);
  SYSTEM(dispatch_block_notify)(item, queue, block);
}

// A task on an actor, or on none, is off the main thread in the app, where this is allowed.
void dispatch_sync(void *queue, void *block) {
  bool is_off_main = queue == main_queue && main_queue && napkin_is_exploring_thread() &&
                     napkin_current_executor().identity != napkin_main_executor().identity;
  if (!is_off_main) {
    if (!napkin_run_in_step(queue, block, false, CALLER)) SYSTEM(dispatch_sync)(queue, block);
    return;
  }
  napkin_open_calls.on_main_queue++;
  ((napkin_code *)block)->invoke(block);
  napkin_open_calls.on_main_queue--;
}

// A timer of dispatch takes real time.
extern void dispatch_source_set_timer(void *source, uint64_t start, uint64_t interval, uint64_t leeway);
void dispatch_source_set_timer(void *source, uint64_t start, uint64_t interval, uint64_t leeway) {
  if (napkin_is_exploring_thread() && start != ~0ull) outside.arms_timer();
  SYSTEM(dispatch_source_set_timer)(source, start, interval, leeway);
}

struct thread_start {
  uint64_t execution;
  void *carried;
  void *(*start)(void *);
  void *argument;
};

static void start_thread(void *context) {
  struct thread_start *thread = context;
  thread->argument = thread->start(thread->argument);
}

static void *run_thread(void *context) {
  struct thread_start thread = *(struct thread_start *)context;
  free(context);
  napkin_work_for(thread.execution);
  napkin_do_carried(thread.carried, start_thread, &thread);
  if (thread.execution) outside.is_done(thread.execution);
  return thread.argument;
}

// Foundation's own way to start a thread, which `Thread` takes. One that is started by the system's function alone is not announced.
pthread_t _CFThreadCreate(pthread_attr_t attributes, void *(*start)(void *), void *argument);
pthread_t _CFThreadCreate(pthread_attr_t attributes, void *(*start)(void *), void *argument) {
  struct thread_start *context = NULL;
  void *carried = napkin_carried();
  bool is_left = works_for_execution() && !napkin_simulates_threads();
  if (is_left || carried) context = malloc(sizeof *context);
  if (!context) return SYSTEM(_CFThreadCreate)(attributes, start, argument);
  *context = (struct thread_start){is_left ? napkin_owning_here() : 0, carried, start, argument};
  if (is_left) outside.leaves(context->execution, napkin_left_to_thread, "", true);
  return SYSTEM(_CFThreadCreate)(attributes, run_thread, context);
}
#else
bool napkin_is_on_main_queue(void) { return false; }
void napkin_submit(void *queue, void *block) { (void)queue, (void)block; }
void napkin_drop(void *queue, void *block) { (void)queue, (void)block; }
#endif
