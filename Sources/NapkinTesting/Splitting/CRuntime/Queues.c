// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Split.h"

#include "Runtime.h"

#if NAPKIN_SPLITS
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Blocks that a job leaves to a queue: each is one of the schedule's tasks, and none of the runtime's, which begins when the queue has come to it.
//
// A block of a queue that runs one at a time, and a barrier of another one, come after everything that was submitted before, and
// everything that is submitted after comes after them; so with the queues that it hands on to, its targets. It runs in the queue itself, so that code which asks where it is gets that queue.

struct napkin_block {
  napkin_block *next;
  void *queue, *group;
  napkin_code *code;
  bool is_barrier, has_begun, is_synchronous;
  volatile uint32_t can_begin;
};

void dispatch_group_leave(void *group);
extern void dispatch_sync_f(void *queue, void *context, void (*)(void *));
extern void dispatch_barrier_sync_f(void *queue, void *context, void (*)(void *));
extern void dispatch_group_enter(void *group);

bool napkin_simulates_queues(void) { return napkin_is_exploring_thread() && napkin_blocks() && napkin_knows_dispatch(); }

/// Whether a block has a queue for itself, one of those that its own hands on to.
static bool is_alone(const napkin_block *block, void *queue) {
  return napkin_is_serial(queue) || (block->queue == queue && block->is_barrier);
}

/// Whether a queue that both have to pass runs one of them at a time.
static bool exclude(const napkin_block *one, const napkin_block *other) {
  for (void *queue = one->queue; queue; queue = napkin_target(queue)) {
    for (void *shared = other->queue; shared; shared = napkin_target(shared)) {
      if (shared == queue && (is_alone(one, queue) || is_alone(other, queue))) return true;
    }
  }
  return false;
}

static bool is_suspended(void *queue) {
  for (; queue; queue = napkin_target(queue)) {
    if (napkin_is_suspended(queue)) return true;
  }
  return false;
}

static bool can_begin(const napkin_block *block) {
  for (napkin_block *other = *napkin_blocks(); other != block; other = other->next) {
    if (exclude(other, block)) return false;
  }
  return !is_suspended(block->queue);
}

// A job of the runtime's that is no task, since code in a queue is in none. The words are those of its `Job`.
typedef struct started_job started_job;
struct started_job {
  void *header[2];
  void *next[2];
  uint32_t flags, number;
  void *voucher[2];
  SWIFT_ASYNC void (*invoke)(started_job *);
  void (*run)(void *);
  void *context, *carried;
};
_Static_assert(offsetof(started_job, invoke) == resume_function_word * sizeof(void *), "the runtime calls this word");
_Static_assert(offsetof(started_job, flags) == flags_half_word * sizeof(uint32_t), "the runtime reads the kind here");
enum { own_kind_of_job = 0xff };

static SWIFT_ASYNC void do_job(started_job *made) {
  UNMARK_FRAME();
  started_job job = *made;
  free(made);
  napkin_do_carried(job.carried, job.run, job.context);
}

static void *make_job(void (*run)(void *), void *context, void *carried) {
  started_job *job = malloc(sizeof *job);
  if (!job) abort();
  *job = (started_job){.flags = own_kind_of_job, .invoke = do_job, .run = run, .context = context, .carried = carried};
  return job;
}

static void start_job(const char *name, bool on_main, void (*run)(void *), void *context) {
  napkin_handlers.starts_job(name, on_main, make_job(run, context, napkin_carried()));
}

static void cancel(void *task) {
  swift_task_cancel(task);
  swift_release(task);
}
void *napkin_make_cancellation(void *task) { return make_job(cancel, swift_retain(task), NULL); }

static void run_block(void *context);

enum { name_size = 128 };
static const char *name_of(void *queue, char *text) {
  const char *label = dispatch_queue_get_label(queue);
  if (queue == napkin_main_queue()) label = "the main queue";
  else if (!label || !*label) label = "a queue";
  else if (strncmp(label, "com.apple.root.", 15) == 0) label = "a global queue";
  snprintf(text, name_size, "block on %s", label);
  return text;
}

/// Whether the blocks of a queue run on the main thread.
static bool leads_to_main(void *queue) {
  while (queue && queue != napkin_main_queue()) queue = napkin_target(queue);
  return queue != NULL;
}

static void begin_those_that_can(void) {
  char name[name_size];
  for (napkin_block *block = *napkin_blocks(); block; block = block->next) {
    if (block->has_begun || !can_begin(block)) continue;
    block->has_begun = true;
    block->can_begin = 1;
    if (!block->is_synchronous) start_job(name_of(block->queue, name), leads_to_main(block->queue), run_block, block);
  }
}

static napkin_block *add_block(void *queue, void *code, bool is_barrier) {
  is_barrier = is_barrier || napkin_is_barrier(code);
  napkin_block *added = calloc(1, sizeof *added);
  if (!added) abort();
  added->queue = queue;
  added->code = code;
  // A queue of the system runs a barrier as any other block.
  added->is_barrier = (is_barrier && !napkin_is_global(queue)) || napkin_is_serial(queue);
  dispatch_retain(queue);
  napkin_block **last = napkin_blocks();
  while (*last) last = &(*last)->next;
  *last = added;
  return added;
}

static void remove_block(napkin_block *removed) {
  napkin_block **place = napkin_blocks();
  while (*place && *place != removed) place = &(*place)->next;
  if (*place) *place = removed->next;
  begin_those_that_can();
  dispatch_release(removed->queue);
  free(removed);
}

// Clocks besides a queue's own: of the blocks that run there at a time, and of the past of the call that resumed it.
static void *shared_clock(void *queue) { return (char *)queue + 4; }
static void *resumed_clock(void *queue) { return (char *)queue + 8; }

// The past and the future of a queue are in one order; blocks that run at a time are not ordered by it.
static void run_in_queue(void *context) {
  napkin_block *block = context;
  napkin_code *code = block->code;
  napkin_hold(block->queue, napkin_waits_for_queue);
  for (void *queue = block->queue; queue; queue = napkin_target(queue)) {
    napkin_acquire(queue);
    napkin_acquire(resumed_clock(queue));
    if (is_alone(block, queue)) napkin_acquire(shared_clock(queue));
  }
  code->invoke(code);
  for (void *queue = block->queue; queue; queue = napkin_target(queue)) {
    napkin_release_clocks(is_alone(block, queue) ? queue : shared_clock(queue));
  }
  napkin_forget_held(block->queue);
}

// A block that could begin before its queue was suspended looks again when one is resumed.
static void enter_queue(napkin_block *block) {
  while (is_suspended(block->queue)) {
    bool could_wait_forever = napkin_self->may_wait_forever;
    // A suspended queue may keep its blocks at the end, which is no deadlock.
    napkin_self->may_wait_forever = !block->is_synchronous;
    napkin_wait_in_simulation(napkin_waits_for_queue, block->queue, &napkin_under_way->resumptions, false,
                              napkin_under_way->resumptions, INT64_MAX);
    napkin_self->may_wait_forever = could_wait_forever;
  }
  // The real main thread does not serve the main queue meanwhile.
  if (leads_to_main(block->queue)) run_in_queue(block);
  else (block->is_barrier ? dispatch_barrier_sync_f : dispatch_sync_f)(block->queue, block, run_in_queue);
}

#define RESUME(name) \
  void name(void *object); \
  void name(void *object) { \
    if (running_thread()) napkin_release_clocks(resumed_clock(object)); \
    SYSTEM(name)(object); \
    if (!napkin_simulates_queues()) return; \
    int counted = napkin_pause_accesses(); \
    napkin_under_way->resumptions++; \
    begin_those_that_can(); \
    napkin_resume_accesses(counted); \
  }
RESUME(dispatch_resume)
RESUME(dispatch_activate)

static void enter_group(napkin_block *block, void *group) {
  block->group = group;
  if (!group) return;
  dispatch_retain(group);
  dispatch_group_enter(group);
}

static void leave_group(void *group) {
  if (!group) return;
  dispatch_group_leave(group);
  dispatch_release(group);
}

static void run_block(void *context) {
  napkin_block *block = context;
  napkin_code *code = block->code;
  napkin_acquire(code);
  enter_queue(block);
  _Block_release(code);
  void *group = block->group;
  int counted = napkin_pause_accesses();
  remove_block(block);
  napkin_resume_accesses(counted);
  leave_group(group);
}

static void run_on_main(void *context) {
  napkin_block block = *(napkin_block *)context;
  free(context);
  napkin_acquire(block.code);
  block.code->invoke(block.code);
  _Block_release(block.code);
  leave_group(block.group);
}

void napkin_submit_block(void *queue, void *code, bool is_barrier, void *group) {
  int counted = napkin_pause_accesses();
  void *copy = _Block_copy(code);
  napkin_release_clocks(copy);
  if (queue == napkin_main_queue()) {
    char name[name_size];
    napkin_block *block = calloc(1, sizeof *block);
    if (!block) abort();
    block->code = copy;
    enter_group(block, group);
    start_job(name_of(queue, name), true, run_on_main, block);
  } else {
    enter_group(add_block(queue, copy, is_barrier), group);
    begin_those_that_can();
  }
  napkin_resume_accesses(counted);
}

static void run_in_turn(void *queue, void *code, bool is_barrier, uintptr_t caller) {
  napkin_reach_lock((uintptr_t)queue, napkin_access_lock, caller);
  int counted = napkin_pause_accesses();
  napkin_block *block = add_block(queue, code, is_barrier);
  block->is_synchronous = true;
  begin_those_that_can();
  if (!block->can_begin) {
    napkin_wait_in_simulation(napkin_waits_for_queue, queue, &block->can_begin, false, 0, INT64_MAX);
  }
  napkin_resume_accesses(counted);
  enter_queue(block);
  counted = napkin_pause_accesses();
  remove_block(block);
  napkin_resume_accesses(counted);
  napkin_reach_lock((uintptr_t)queue, napkin_access_unlock, caller);
}

bool napkin_run_in_step(void *queue, void *code, bool is_barrier, uintptr_t caller) {
  if (!running_thread()) return false;
  if (napkin_simulates_queues()) {
    run_in_turn(queue, code, is_barrier, caller);
    return true;
  }
  // The order that such a queue keeps is not known.
  napkin_stop_looking_for_races();
  return false;
}

#define RUN_IN_STEP(name, is_barrier) \
  void name(void *queue, void *code) { \
    if (!napkin_run_in_step(queue, code, is_barrier, CALLER)) SYSTEM(name)(queue, code); \
  }
RUN_IN_STEP(dispatch_barrier_sync, true)
RUN_IN_STEP(dispatch_async_and_wait, false)
RUN_IN_STEP(dispatch_barrier_async_and_wait, true)

// A block that is to run when a group is empty: a task that waits for it.
struct group_notification {
  void *group, *queue, *block;
};

static void notify(void *context) {
  struct group_notification notification = *(struct group_notification *)context;
  free(context);
  napkin_thread *self = napkin_self;
  if (self) self->may_wait_forever = true;
  dispatch_group_wait(notification.group, ~0ull);
  if (self) self->may_wait_forever = false;
  napkin_submit_block(notification.queue, notification.block, false, NULL);
  _Block_release(notification.block);
  dispatch_release(notification.queue);
  dispatch_release(notification.group);
}

void dispatch_group_notify(void *group, void *queue, void *code) {
  struct group_notification *made = napkin_simulates_queues() ? malloc(sizeof *made) : NULL;
  if (!made) {
    if (!napkin_leave_notification(group, queue, code)) SYSTEM(dispatch_group_notify)(group, queue, code);
    return;
  }
  int counted = napkin_pause_accesses();
  *made = (struct group_notification){group, queue, _Block_copy(code)};
  dispatch_retain(group);
  dispatch_retain(queue);
  napkin_release_clocks(made->block);
  start_job("notification of a group", false, notify, made);
  napkin_resume_accesses(counted);
}

// `concurrentPerform`: the caller and some tasks take one number after the other.
struct shared_loop {
  size_t next, end, done, workers;
  volatile uint32_t is_done;
  napkin_code *code;
};

static void work_on(struct shared_loop *loop) {
  napkin_acquire(loop);
  while (loop->next < loop->end) {
    size_t number = loop->next++;
    ((void (*)(void *, size_t))(void *)loop->code->invoke)(loop->code, number);
    loop->done++;
  }
  napkin_release_clocks(&loop->is_done);
  if (loop->done == loop->end) loop->is_done = 1;
}

static void leave_loop(struct shared_loop *loop) {
  if (--loop->workers == 0) free(loop);
}

static void help(void *context) {
  work_on(context);
  leave_loop(context);
}

void dispatch_apply(size_t count, void *queue, void *code) {
  enum { most_helpers = 3 };
  struct shared_loop *loop = count > 1 && running_thread() && napkin_simulates_queues() ? calloc(1, sizeof *loop) : NULL;
  if (!loop) {
    SYSTEM(dispatch_apply)(count, queue, code);
    return;
  }
  int counted = napkin_pause_accesses();
  size_t helpers = count - 1 < most_helpers ? count - 1 : most_helpers;
  *loop = (struct shared_loop){.end = count, .workers = helpers + 1, .code = code};
  napkin_release_clocks(loop);
  for (size_t helper = 0; helper < helpers; helper++) start_job("concurrentPerform", false, help, loop);
  napkin_resume_accesses(counted);
  work_on(loop);
  if (!loop->is_done) napkin_wait_in_simulation(napkin_waits_for_word, loop, &loop->is_done, false, 0, INT64_MAX);
  napkin_acquire(&loop->is_done);
  leave_loop(loop);
}

bool napkin_wait_in_step(intptr_t (*wait)(void *, uint64_t), void *object, uint64_t time, intptr_t *result,
                         uintptr_t caller) {
  if (!running_thread()) return false;
  napkin_reach_lock((uintptr_t)object, napkin_access_lock, caller);
  // The wait of dispatch is done in the simulation. A wait that is discarded keeps the object, since dispatch ends the process
  // where one is released while a thread waits for it.
  dispatch_retain(object);
  *result = wait(object, time);
  if (*result == 0) napkin_acquire(object);
  dispatch_release(object);
  return true;
}

// These order the task that waits after the calling one.
intptr_t dispatch_semaphore_signal(void *semaphore) {
  if (!running_thread()) return SYSTEM(dispatch_semaphore_signal)(semaphore);
  napkin_release_clocks(semaphore);
  intptr_t result = SYSTEM(dispatch_semaphore_signal)(semaphore);
  napkin_reach_lock((uintptr_t)semaphore, napkin_access_unlock, CALLER);
  return result;
}

void dispatch_group_leave(void *group) {
  if (running_thread()) napkin_release_clocks(group);
  SYSTEM(dispatch_group_leave)(group);
}
#endif
