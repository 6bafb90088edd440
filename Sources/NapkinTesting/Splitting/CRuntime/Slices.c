// SPDX-License-Identifier: Apache-2.0
#include "Split.h"

#if NAPKIN_SPLITS
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

// A slice is what a job does in one piece: its accesses are counted for its task, and at some of them it is preempted.

int64_t napkin_accesses_left = INT64_MAX;

// After this number of accesses without a suspension, the task may be waiting in a loop for one that is half-way through a step.
enum { most_accesses_in_step = 20000 };

void napkin_begin_accesses(napkin_split *split, bool learns, bool looks, bool keeps) {
  napkin_under_way = split;
  napkin_writes_accesses_down = learns;
  napkin_keeps_callers = keeps;
  if (looks) napkin_begin_search(split);
}

void napkin_end_accesses(void) {
  napkin_lock_tables();
  napkin_searching = NULL;
  napkin_unlock_tables();
  napkin_writes_accesses_down = false;
  napkin_under_way = NULL;
}

void napkin_free_split(napkin_split *ended) {
  if (napkin_under_way == ended) napkin_end_accesses();
  if (ended->search) napkin_free_search(ended->search);
  napkin_free_onces(ended->onces);
  napkin_free_threads(ended->ended_threads);
  free(ended->held);
  free(ended->notes);
  free(ended->candidates);
  free(ended->counts);
  free(ended->plan);
  free(ended);
}

napkin_block **napkin_blocks(void) { return napkin_current->split ? &napkin_current->split->blocks : NULL; }

static void make_room(napkin_split *split, int32_t task) {
  if (task >= split->capacity) {
    int32_t capacity = split->capacity ? split->capacity : 64;
    while (capacity <= task) capacity *= 2;
    int64_t *larger = realloc(split->counts, (size_t)capacity * sizeof *larger);
    if (!larger) abort();
    split->counts = larger;
    split->capacity = capacity;
  }
  while (split->end <= task) split->counts[split->end++] = 0;
}

napkin_split *napkin_make_split(const napkin_point *points, size_t count) {
  napkin_split *made = calloc(1, sizeof *made);
  if (!made) abort();
  made->plan = count ? malloc(count * sizeof *points) : NULL;
  made->plan_count = made->plan ? count : 0;
  if (made->plan) memcpy(made->plan, points, count * sizeof *points);
  return made;
}

int64_t napkin_accesses_of(const napkin_split *split, int32_t task) {
  return task >= 0 && task < split->end ? split->counts[task] : 0;
}

static void begin_slice(int32_t task) {
  napkin_split *split = napkin_under_way;
  make_room(split, task);
  // A loop would else be left at the same place of each round, where it may have a lock of the program's own.
  int64_t left = most_accesses_in_step + (int64_t)((uint64_t)split->counts[task] * 0x9E3779B97F4A7C15u >> 54);
  for (size_t index = 0; index < split->plan_count; index++) {
    if (split->plan[index].task != task) continue;
    int64_t distance = split->plan[index].number - split->counts[task];
    if (distance > 0 && distance < left) left = distance;
  }
  split->slice_length = napkin_accesses_left = left;
  split->due_since = 0;
  forget_recent_accesses();
}

static int64_t accesses_of_slice(void) { return napkin_under_way->slice_length - napkin_accesses_left; }
static void end_slice(int32_t task) { napkin_under_way->counts[task] += accesses_of_slice(); }

void napkin_return_to_job(void) {
  atomic_store_explicit(&napkin_self->is_in_job, true, memory_order_relaxed);
  napkin_counts_accesses = 1;
}

bool napkin_leave_job(void) {
  napkin_thread *self = running_thread();
  if (!self) return false;
  atomic_store_explicit(&self->is_in_job, false, memory_order_relaxed);
  napkin_counts_accesses = 0;
  return true;
}

void napkin_begin_slice(int32_t task) {
  if (!napkin_self || !napkin_under_way) return;
  napkin_self->task = task;
  begin_slice(task);
  napkin_return_to_job();
}

void napkin_end_slice(void) {
  if (!napkin_leave_job()) return;
  napkin_self->tried = NULL;
  napkin_self->scope_count = 0;
  napkin_scope_start = 0;
  if (napkin_under_way->held_count > 0) napkin_leave_held(napkin_self);
  end_slice(napkin_self->task);
}

static bool is_planned(int32_t task, int64_t number) {
  for (size_t index = 0; index < napkin_under_way->plan_count; index++) {
    if (napkin_under_way->plan[index].task == task && napkin_under_way->plan[index].number == number) return true;
  }
  return false;
}

// While a task has a lock, others that want it do nothing but wait. So a loop is left where it has none, if it soon comes there.
static bool puts_off(napkin_thread *self, int64_t number) {
  if (self->tried) napkin_settle_tried(self);
  if (!napkin_holds_any(self)) return false;
  int64_t since = napkin_under_way->due_since ? napkin_under_way->due_since : number;
  if (number - since >= most_accesses_in_step) return false;
  end_slice(self->task);
  begin_slice(self->task);
  napkin_under_way->due_since = since;
  return true;
}

void napkin_decide_soon(void) {
  if (napkin_accesses_left <= 1) return;
  napkin_under_way->slice_length -= napkin_accesses_left - 1;
  napkin_accesses_left = 1;
}

void napkin_reach(uintptr_t address, int kind, uintptr_t caller) {
  napkin_thread *self = running_thread();
  if (!self || !napkin_under_way) return;
  int32_t task = self->task;
  int64_t number = napkin_under_way->counts[task] + accesses_of_slice();
  // The tasks that a thread runs one after the other have the same addresses on its stack.
  bool is_on_stack = address - self->stack_start < self->stack_size;
  if (napkin_writes_accesses_down && !is_on_stack) napkin_note_access(task, number, address, kind);
  if (napkin_accesses_left > 0) return;
  napkin_access access = {number, task, kind, is_planned(task, number), caller};
  if (!access.is_planned && puts_off(self, number)) return;
  int saved = errno;
  napkin_leave_job();
  end_slice(task);
  napkin_thread *next = NULL;
  if (napkin_handlers.preempts(self, &access, &next)) napkin_pass(self, next);
  begin_slice(task);
  napkin_return_to_job();
  errno = saved;
}

void napkin_reach_lock(uintptr_t address, int kind, uintptr_t caller) {
  if (napkin_counts_accesses == 0 || napkin_is_quiet_library(caller)) return;
  // Before another task can come to it.
  if (napkin_searching && kind != napkin_access_cancel) napkin_note_lock(address);
  if (--napkin_accesses_left <= 0 || napkin_writes_accesses_down) napkin_reach(address, kind, caller);
}

void napkin_reach_cancel(const void *task, uintptr_t caller) {
  napkin_reach_lock((uintptr_t)task, napkin_access_cancel, caller);
}

void napkin_wait_in_simulation(int kind, const void *address, volatile uint32_t *word, bool until_zero, uint32_t value,
                               int64_t deadline) {
  napkin_thread *self = napkin_self;
  int saved = errno, counted = napkin_counts_accesses;
  int32_t task = self->task;
  napkin_leave_job();
  end_slice(task);
  self->waits_for = kind;
  self->address = (uintptr_t)address;
  self->word = word;
  self->until_zero = until_zero;
  self->value = value;
  self->deadline = deadline;
  self->frames.count = napkin_job_callers(self->frames.addresses, napkin_split_frames);
  napkin_pass(self, napkin_handlers.waits(self, deadline));
  self->waits_for = napkin_waits_for_nothing;
  begin_slice(task);
  napkin_return_to_job();
  napkin_counts_accesses = counted;
  errno = saved;
}

int64_t napkin_deadline_after(int64_t nanoseconds) {
  if (nanoseconds < 0) return INT64_MAX;
  int64_t now = napkin_time();
  return nanoseconds > INT64_MAX - now ? INT64_MAX : now + nanoseconds;
}

int64_t napkin_left_until(clockid_t clock, const struct timespec *end) {
  int64_t left = napkin_nanoseconds_until(clock, end);
  return left > 0 ? left : 0;
}

// Lets the others go on for a time of the execution.
static void sleep_in_simulation(int64_t nanoseconds) {
  static volatile uint32_t never = 0;
  int64_t deadline = napkin_deadline_after(nanoseconds > 0 ? nanoseconds : 1);
  napkin_wait_in_simulation(napkin_waits_for_time, (const void *)&never, &never, false, 0, deadline);
}

bool napkin_sleep_in_step(int64_t nanoseconds) {
  if (!running_thread()) return false;
  sleep_in_simulation(nanoseconds);
  return true;
}

// A loop that lets others go first waits for what they do.
int sched_yield(void) {
  if (running_thread() && napkin_counts_accesses && !napkin_is_quiet_library(CALLER)) {
    sleep_in_simulation(1);
    return 0;
  }
  return (int)napkin_raw_syscall(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
}

bool napkin_can_go_on(const napkin_thread *thread) {
  if (thread->waits_for == napkin_waits_for_nothing) return true;
  if (napkin_time() >= thread->deadline) return true;
  uint32_t word = *thread->word;
  if (thread->until_zero ? word == 0 : word != thread->value) return true;
  return napkin_others_have_lock_of(thread);
}
#endif
