// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Split.h"

#if NAPKIN_SPLITS
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Blocks that a job leaves to a queue: each is a task of the schedule, which begins when the queue has come to it.
//
// A block of a queue that runs one at a time, and a barrier of another one, come after everything that was submitted before, and
// everything that is submitted after comes after them. It runs in the queue itself, so that code which asks where it is gets that queue.

struct napkin_block {
  napkin_block *next;
  void *queue, *block, *group;
  bool is_barrier, has_begun, is_synchronous;
  volatile uint32_t can_begin;
};

void dispatch_group_leave(void *group);
extern void *dispatch_queue_create(const char *label, void *attribute);
extern void *dispatch_get_global_queue(intptr_t priority, uintptr_t flags);
extern void dispatch_sync_f(void *queue, void *context, void (*)(void *));
extern void dispatch_barrier_sync_f(void *queue, void *context, void (*)(void *));
extern void dispatch_group_enter(void *group);

// Where a queue keeps how many blocks it runs at a time: a half-word that has known values in known queues. Zero if it was not found.
static size_t find_width(void) {
  void *attribute = dlsym(RTLD_DEFAULT, "_dispatch_queue_attr_concurrent");
  if (!attribute) return 0;
  enum { one = 1, many = 0xffe, all = 0xfff, most_bytes = 128 };
  char *serial = dispatch_queue_create("", NULL), *concurrent = dispatch_queue_create("", attribute);
  char *root = dispatch_get_global_queue(0, 0);
  size_t found = 0;
  for (size_t offset = 8; offset < most_bytes; offset += 2) {
    if (*(uint16_t *)(serial + offset) != one || *(uint16_t *)(concurrent + offset) != many) continue;
    if (*(uint16_t *)(root + offset) != all) continue;
    found = offset;
    break;
  }
  dispatch_release(serial);
  dispatch_release(concurrent);
  return found;
}

static size_t width_offset(void) {
  static size_t offset = SIZE_MAX;
  if (offset == SIZE_MAX) offset = find_width();
  return offset;
}

static bool is_serial(void *queue) { return *(uint16_t *)((char *)queue + width_offset()) == 1; }

bool napkin_simulates_queues(void) {
  return napkin_is_exploring_thread() && napkin_blocks() && width_offset() != 0;
}

static bool can_begin(const napkin_block *block) {
  for (napkin_block *other = *napkin_blocks(); other != block; other = other->next) {
    if (other->queue == block->queue && (other->is_barrier || block->is_barrier)) return false;
  }
  return true;
}

struct started_work {
  void (*run)(void *);
  void *context;
};

void napkin_do(void *made) {
  struct started_work work = *(struct started_work *)made;
  free(made);
  work.run(work.context);
}

static void start_task(const char *name, bool on_main, void (*run)(void *), void *context) {
  struct started_work *work = malloc(sizeof *work);
  if (!work) abort();
  *work = (struct started_work){run, context};
  napkin_handlers.starts_task(name, on_main, work);
}

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

static void begin_those_that_can(void *queue) {
  char name[name_size];
  for (napkin_block *block = *napkin_blocks(); block; block = block->next) {
    if (block->queue != queue || block->has_begun || !can_begin(block)) continue;
    block->has_begun = true;
    block->can_begin = 1;
    if (!block->is_synchronous) start_task(name_of(queue, name), false, run_block, block);
  }
}

static napkin_block *add_block(void *queue, bool is_barrier) {
  napkin_block *added = calloc(1, sizeof *added);
  if (!added) abort();
  added->queue = queue;
  added->is_barrier = is_barrier || is_serial(queue);
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
  begin_those_that_can(removed->queue);
  dispatch_release(removed->queue);
  free(removed);
}

struct queue_entry {
  napkin_block *block;
  napkin_code *code;
};

// What comes before and after in a queue is in one order; blocks that run at a time are not ordered by it.
static void run_in_queue(void *context) {
  struct queue_entry *in_queue = context;
  napkin_block *block = in_queue->block;
  char *shared_clock = (char *)block->queue + 1;
  napkin_hold(block->queue, napkin_waits_for_queue);
  if (block->is_barrier) napkin_acquire(shared_clock);
  in_queue->code->invoke(in_queue->code);
  if (block->is_barrier) {
    napkin_give_back(block->queue);
  } else {
    napkin_release_clocks(shared_clock);
    napkin_forget_held(block->queue);
  }
}

static void enter_queue(napkin_block *block, napkin_code *code) {
  struct queue_entry in_queue = {block, code};
  (block->is_barrier ? dispatch_barrier_sync_f : dispatch_sync_f)(block->queue, &in_queue, run_in_queue);
}

static void run_block(void *context) {
  napkin_block *block = context;
  napkin_code *code = block->block;
  napkin_acquire(code);
  enter_queue(block, code);
  _Block_release(code);
  void *group = block->group;
  int counted = napkin_pause_accesses();
  remove_block(block);
  napkin_resume_accesses(counted);
  if (!group) return;
  dispatch_group_leave(group);
  dispatch_release(group);
}

void napkin_submit_block(void *queue, void *code, bool is_barrier, void *group) {
  int counted = napkin_pause_accesses();
  void *copy = _Block_copy(code);
  napkin_release_clocks(copy);
  if (queue == napkin_main_queue()) {
    char name[name_size];
    start_task(name_of(queue, name), true, napkin_run_code, copy);
  } else {
    napkin_block *block = add_block(queue, is_barrier);
    block->block = copy;
    if (group) {
      block->group = group;
      dispatch_retain(group);
      dispatch_group_enter(group);
    }
    begin_those_that_can(queue);
  }
  napkin_resume_accesses(counted);
}

void napkin_run_code(void *context) {
  napkin_code *code = context;
  napkin_acquire(code);
  code->invoke(code);
  _Block_release(code);
}

static void run_in_turn(void *queue, void *code, bool is_barrier, uintptr_t caller) {
  napkin_reach_lock((uintptr_t)queue, napkin_access_lock, caller);
  int counted = napkin_pause_accesses();
  napkin_block *block = add_block(queue, is_barrier);
  block->is_synchronous = true;
  begin_those_that_can(queue);
  if (!block->can_begin) {
    napkin_wait_in_simulation(napkin_waits_for_queue, queue, &block->can_begin, false, 0, INT64_MAX);
  }
  napkin_resume_accesses(counted);
  enter_queue(block, code);
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
  // What such a queue orders is not known.
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
  if (self) self->is_patient = true;
  dispatch_group_wait(notification.group, ~0ull);
  if (self) self->is_patient = false;
  napkin_submit_block(notification.queue, notification.block, false, NULL);
  _Block_release(notification.block);
  dispatch_release(notification.queue);
  dispatch_release(notification.group);
}

void dispatch_group_notify(void *group, void *queue, void *code) {
  struct group_notification *made = napkin_simulates_queues() ? malloc(sizeof *made) : NULL;
  if (!made) {
    SYSTEM(dispatch_group_notify)(group, queue, code);
    return;
  }
  int counted = napkin_pause_accesses();
  *made = (struct group_notification){group, queue, _Block_copy(code)};
  dispatch_retain(group);
  dispatch_retain(queue);
  napkin_release_clocks(made->block);
  start_task("notification of a group", false, notify, made);
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
  for (size_t helper = 0; helper < helpers; helper++) start_task("concurrentPerform", false, help, loop);
  napkin_resume_accesses(counted);
  work_on(loop);
  if (!loop->is_done) napkin_wait_in_simulation(napkin_waits_for_word, loop, &loop->is_done, false, 0, INT64_MAX);
  napkin_acquire(&loop->is_done);
  leave_loop(loop);
}

bool napkin_wait_in_step(intptr_t (*wait)(void *, uint64_t), void *object, uint64_t time, intptr_t *result) {
  if (!running_thread()) return false;
  // What dispatch does to wait is done in the simulation. A wait that is discarded keeps the object, since dispatch ends the process
  // where one is released while a thread waits for it.
  dispatch_retain(object);
  *result = wait(object, time);
  if (*result == 0) napkin_acquire(object);
  dispatch_release(object);
  return true;
}

// What these give away is seen by the task that waits.
intptr_t dispatch_semaphore_signal(void *semaphore) {
  if (running_thread()) napkin_release_clocks(semaphore);
  return SYSTEM(dispatch_semaphore_signal)(semaphore);
}

void dispatch_group_leave(void *group) {
  if (running_thread()) napkin_release_clocks(group);
  SYSTEM(dispatch_group_leave)(group);
}
#endif
