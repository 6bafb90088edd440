// SPDX-License-Identifier: Apache-2.0
#include "Runtime.h"

#include <sched.h>
#include <stddef.h>
#include <stdlib.h>

// A default actor runs its jobs one after the other, and calls no executor between two of them. So the exploring thread never
// works through an actor's queue: it enters an actor as a plain task does, by the runtime's own switch, runs that one task
// there, and leaves. What is in the queue then is taken out by napkin_empty_queue.
//
// A task is made to go on in a function of this file for that, which knows what it would have gone on in.

// Whether an actor's queue was found to be what it is taken for here, and whether that was looked at.
bool napkin_has_seen_queues = false;
static bool has_looked = false;
static uintptr_t probed_actor;
static void *probed_second;
bool napkin_probes_queue = false;

void napkin_probe_arrived_jobs(uintptr_t actor, void *first, void *second) {
  if (!napkin_takes_hops() || has_looked) return;
  void **words = (void **)actor;
  bool agrees = words[arrived_jobs_word] == second && ((void **)second)[next_job_word] == first &&
                ((void **)first)[next_job_word] == NULL && words[sorted_jobs_word] == NULL &&
                ((uint32_t *)first)[flags_half_word] == (uint32_t)swift_task_getJobFlags(first);
  has_looked = true;
  napkin_probes_queue = agrees;
  probed_actor = actor;
  probed_second = second;
}

// The first of the two tasks leaves the actor while the second one waits to enter it.
void napkin_probe_leaving(uintptr_t actor) {
  if (actor != probed_actor) return;
  napkin_probes_queue = false;
  void **words = (void **)actor;
  napkin_has_seen_queues = words[sorted_jobs_word] == probed_second && words[arrived_jobs_word] == NULL &&
                           ((void **)probed_second)[next_job_word] == NULL;
}

typedef SWIFT_ASYNC void (*resume_function)(SWIFT_ASYNC_CONTEXT void *);

// The task that enters an actor, and how far it has come. Another thread that works for the actor may take it up, and sends
// it back.
static void *entering_function;
static napkin_executor entering_target;
static _Atomic(int) entry = napkin_entry_is_over;

static SWIFT_ASYNC void send_back(SWIFT_ASYNC_CONTEXT void *context) {
  UNMARK_FRAME();
  ((void **)swift_task_getCurrent())[resume_function_word] = entering_function;
  swift_task_suspend();
  atomic_store_explicit(&entry, napkin_entry_was_sent_back, memory_order_release);
}

static SWIFT_ASYNC void run_on_actor(SWIFT_ASYNC_CONTEXT void *context) {
  UNMARK_FRAME();
  if (!napkin_is_exploring_thread()) __attribute__((musttail)) return send_back(context);
  atomic_store_explicit(&entry, napkin_entry_is_over, memory_order_relaxed);
  __attribute__((musttail)) return ((resume_function)entering_function)(context);
}

static SWIFT_ASYNC void switch_to_actor(SWIFT_ASYNC_CONTEXT void *context) {
  UNMARK_FRAME();
  void *function = (void *)run_on_actor;
  if (swift_task_getPreferredTaskExecutor().identity != 0) {
    // Its executor works for the actor then.
    atomic_store_explicit(&entry, napkin_entry_is_elsewhere, memory_order_relaxed);
    function = entering_function;
  }
  // A call in this place is a tail call by the convention.
  return RUNTIME(swift_task_switch)(context, function, entering_target.identity, entering_target.implementation);
}

int napkin_enter(void *task, napkin_executor actor) {
  entering_function = ((void **)task)[resume_function_word];
  entering_target = actor;
  ((void **)task)[resume_function_word] = (void *)switch_to_actor;
  atomic_store_explicit(&entry, napkin_entry_is_open, memory_order_relaxed);
  swift_job_run(task, 0, 0);
  (void)napkin_is_exploring_thread();
  int state = napkin_entry();
  if (state == napkin_entry_is_elsewhere) atomic_store_explicit(&entry, napkin_entry_is_over, memory_order_relaxed);
  return state;
}

void napkin_yield_thread(void) { sched_yield(); }
int napkin_entry(void) { return atomic_load_explicit(&entry, memory_order_acquire); }

// The tasks that are to leave the queue of an actor when they are run there, and what they would have gone on in. The
// exploring thread adds to it; another one that works for the actor may take out.
typedef struct {
  void **task;
  void *function;
  uint32_t flags;
  // Whether the scheduler has it already.
  bool is_taken;
} covered_task;
static covered_task *covered;
static size_t covered_count = 0, covered_capacity = 0;
static pthread_mutex_t covered_lock = PTHREAD_MUTEX_INITIALIZER;

static SWIFT_ASYNC void leave_queue(SWIFT_ASYNC_CONTEXT void *context);

static void cover(void **task, void *function, bool is_taken) {
  pthread_mutex_lock(&covered_lock);
  if (covered_count == covered_capacity) {
    covered_capacity = covered_capacity ? covered_capacity * 2 : 64;
    covered = realloc(covered, covered_capacity * sizeof *covered);
    if (!covered) abort();
  }
  covered[covered_count++] = (covered_task){task, function, ((uint32_t *)task)[flags_half_word], is_taken};
  pthread_mutex_unlock(&covered_lock);
}

static covered_task uncover(void **task) {
  pthread_mutex_lock(&covered_lock);
  size_t index = covered_count;
  do index--;
  while (covered[index].task != task);
  covered_task found = covered[index];
  covered[index] = covered[--covered_count];
  pthread_mutex_unlock(&covered_lock);
  task[resume_function_word] = found.function;
  ((uint32_t *)task)[flags_half_word] = found.flags;
  return found;
}

static SWIFT_ASYNC void suspend_after_leaving(SWIFT_ASYNC_CONTEXT void *context) {
  UNMARK_FRAME();
  uncover(swift_task_getCurrent());
  swift_task_suspend();
}

// How many tasks of the queue at hand are still to leave it, on the exploring thread.
static size_t to_leave = 0;

static SWIFT_ASYNC void leave_queue(SWIFT_ASYNC_CONTEXT void *context) {
  UNMARK_FRAME();
  void **task = swift_task_getCurrent();
  covered_task found = uncover(task);
  napkin_executor actor = swift_task_getCurrentExecutor();
  if (napkin_is_exploring_thread() && --to_leave == 0) {
    // Jobs that other threads have put there meanwhile would run here next. The runtime's switch releases the actor instead.
    if (!found.is_taken) napkin_scheduler.leaves_queue(task, actor);
    cover(task, found.function, true);
    return RUNTIME(swift_task_switch)(context, (void *)suspend_after_leaving, 0, 0);
  }
  // Before it is handed over, since it may run on another thread at once.
  swift_task_suspend();
  // If its execution is over, it goes on where it was.
  if (!found.is_taken && !napkin_scheduler.leaves_queue(task, actor)) napkin_enqueue(task, actor);
}

static void *real_function(void **task) {
  void *function = task[resume_function_word];
  if (function != (void *)run_on_actor) return function;
  function = entering_function;
  atomic_store_explicit(&entry, napkin_entry_is_over, memory_order_release);
  return function;
}

static void **arrived_jobs(uintptr_t actor) {
  return __atomic_load_n(&((void ***)actor)[arrived_jobs_word], __ATOMIC_ACQUIRE);
}

// The execution that a task of a queue belongs to; zero if it belongs to none. One that this thread creates for an execution is not
// owned yet, and is in a queue that was empty.
static uint64_t owner_in_queue(void **job) {
  uint64_t task = swift_task_getJobTaskId(job), owner = napkin_owner(task), here = napkin_creating_for();
  if (owner != 0 || here == 0 || job[next_job_word]) return owner;
  napkin_own_for(task, here);
  return here;
}

// Lets the tasks of executions among these leave when they are run, and returns how many there are. What the runtime does with a queue
// orders this after what came before on other threads, which a sanitizer does not see.
__attribute__((no_sanitize("thread"))) static size_t cover_owned(void **job, bool lends) {
  size_t count = 0;
  for (; job; job = job[next_job_word]) {
    if (napkin_job_kind(job) != napkin_job_task || job[resume_function_word] == (void *)leave_queue) continue;
    uint64_t execution = owner_in_queue(job);
    if (execution == 0) continue;
    if (lends) napkin_scheduler.lends(execution);
    cover(job, real_function(job), false);
    job[resume_function_word] = (void *)leave_queue;
    count++;
  }
  return count;
}

void napkin_lend_queue(void *job) {
  if (!napkin_knows_queues()) return;
  uintptr_t actor = ((uintptr_t *)job)[drained_actor_word];
  cover_owned(((void ***)actor)[sorted_jobs_word], true);
  cover_owned(arrived_jobs(actor), true);
}

static uint8_t priority_of(void **job) { return (uint8_t)(((uint32_t *)job)[flags_half_word] >> 8); }

// Takes the tasks of a queue, which are in the reverse order of their arrival.
static void take_all(void **last, napkin_executor actor) {
  // The one that runs first is at the end: of those of one priority, the one that arrived first. The exploring thread alone
  // touches this, while another one may take what it finds out of the covered ones.
  static void ***tasks;
  static size_t capacity = 0;
  size_t count = 0;
  for (void **job = last; job; job = job[next_job_word]) {
    if (count == capacity) {
      capacity = capacity ? capacity * 2 : 64;
      tasks = realloc(tasks, capacity * sizeof *tasks);
      if (!tasks) abort();
    }
    size_t index = count++;
    for (; index > 0 && priority_of(tasks[index - 1]) > priority_of(job); index--) tasks[index] = tasks[index - 1];
    tasks[index] = job;
  }
  for (size_t index = 0; index < count; index++) cover(tasks[index], real_function(tasks[index]), true);
  to_leave = count;
  for (size_t index = count; index > 0; index--) napkin_scheduler.leaves_queue(tasks[index - 1], actor);
  for (void **job = last; job; job = job[next_job_word]) {
    job[resume_function_word] = (void *)leave_queue;
    // Nothing that arrives from now on comes before it.
    uint32_t *flags = &((uint32_t *)job)[flags_half_word];
    *flags = (*flags & ~0xff00u) | most_urgent << 8;
  }
}

int napkin_empty_queue(void *job) {
  if (!napkin_knows_queues()) return napkin_queue_has_errands;
  uintptr_t actor = ((uintptr_t *)job)[drained_actor_word];
  void **last = arrived_jobs(actor), **sorted = ((void ***)actor)[sorted_jobs_word];
  bool is_owned = !sorted;
  for (void **waiting = last; waiting; waiting = waiting[next_job_word]) {
    // An errand of the runtime would run now, in the middle of another job.
    if (napkin_job_kind(waiting) != napkin_job_task) return napkin_queue_has_errands;
    // The task that is being created is in a queue that was empty.
    bool is_created = napkin_is_creating() && !waiting[next_job_word];
    if (!is_created && !napkin_scheduler.owns(waiting)) is_owned = false;
  }
  if (!is_owned) return napkin_queue_is_shared;
  take_all(last, (napkin_executor){actor, 0});
  swift_job_run(job, 0, 0);
  return napkin_queue_is_empty;
}

static bool has_others(void **job) {
  for (; job; job = job[next_job_word]) {
    if (napkin_job_kind(job) == napkin_job_task && !napkin_scheduler.owns(job)) return true;
  }
  return false;
}

bool napkin_run_errand(void *job) {
  if (napkin_knows_queues()) {
    uintptr_t actor = ((uintptr_t *)job)[drained_actor_word];
    void **last = arrived_jobs(actor), **sorted = ((void ***)actor)[sorted_jobs_word];
    if (has_others(sorted) || has_others(last)) return false;
    to_leave = cover_owned(sorted, false) + cover_owned(last, false);
  }
  swift_job_run(job, 0, 0);
  return true;
}

void *napkin_last_arrived(uintptr_t actor) { return napkin_knows_queues() ? arrived_jobs(actor) : NULL; }
void *napkin_arrived_before(void *job) { return ((void **)job)[next_job_word]; }

uintptr_t napkin_drained_actor(void *job) { return napkin_takes_hops() ? ((uintptr_t *)job)[drained_actor_word] : 0; }
