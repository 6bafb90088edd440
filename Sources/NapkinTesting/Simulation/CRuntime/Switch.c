// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "NapkinTestingCRuntime.h"

#include <dlfcn.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define SWIFT_ASYNC __attribute__((swiftasynccall))
#define SWIFT_ASYNC_CONTEXT __attribute__((swift_async_context))
#define SWIFT_CC __attribute__((swiftcall))

// Where a task keeps the function and the context that it goes on with: words of `AsyncTask` on a 64-bit machine.
// Nothing relies on these before the probe has seen the runtime itself write there.
enum { resume_function_word = 7, resume_context_word = 8, drained_actor_word = 8 };

// Where a default actor keeps its jobs: those that have arrived, the last one first, and those that are sorted by priority
// already. Each job knows the next one. Nothing relies on these before the probe has found two known tasks there.
enum { arrived_jobs_word = 5, sorted_jobs_word = 8, next_job_word = 2 };
static enum { unseen, seen_arrived, seen_sorted, misplaced } queue = unseen;
static uintptr_t probed_actor;
static void *probed_second;

// The half-word of a task's state, and its bit for a task that has ended; used in reports alone, once it was seen to be set.
enum { state_half_word = 24, complete_bit = 0x2000 };
static bool knows_completion = false;

typedef SWIFT_ASYNC void (*switch_function)(SWIFT_ASYNC_CONTEXT void *, void *, uintptr_t, uintptr_t);

extern SWIFT_CC void *swift_task_getCurrent(void);
extern SWIFT_CC napkin_executor swift_task_getCurrentExecutor(void);
extern SWIFT_CC napkin_executor swift_task_getMainExecutor(void);
extern SWIFT_CC void swift_task_enqueueTaskOnExecutor(void *task, uintptr_t identity, uintptr_t implementation);
extern SWIFT_CC uint64_t swift_task_getJobTaskId(void *job);
extern SWIFT_CC size_t swift_task_getJobFlags(void *job);
extern SWIFT_CC void swift_task_cancel(void *task);
extern SWIFT_CC void *swift_task_suspend(void);
extern SWIFT_CC void *swift_task_createNullaryContinuationJob(size_t priority, void *continuation);
extern SWIFT_CC void swift_job_run(void *job, uintptr_t identity, uintptr_t implementation);
extern SWIFT_CC const char *swift_task_getCurrentTaskName(void);
extern void *swift_retain(void *object);
extern void swift_release(void *object);

// Zero when nobody explores. A thread's identity is compared before anything else of an exploration is touched, since
// every other thread of the process asks all the time.
_Atomic(uintptr_t) napkin_exploring_thread = 0;
static napkin_hop_handler hop_handler;
static napkin_queue_handler queue_handler;
static switch_function runtime_switch;

static enum { untested, probing, sound, unsound } layout = untested;
static void *probed_function, *probed_context;

SWIFT_ASYNC void swift_task_switch(SWIFT_ASYNC_CONTEXT void *context, void *function, uintptr_t identity,
                                   uintptr_t implementation);

_Noreturn void napkin_stop_without(const char *name) {
  static const char before[] = "NapkinTesting: ", after[] =
      " of the Swift runtime cannot be found. Link the runtime dynamically: without -static-stdlib, and not with the static SDK.\n";
  napkin_write_error(before, sizeof before - 1);
  napkin_write_error(name, strlen(name));
  napkin_write_error(after, sizeof after - 1);
  abort();
}

// What a hop is passed on to where the runtime's own function cannot be found, as in a static executable.
static SWIFT_ASYNC void missing_switch(SWIFT_ASYNC_CONTEXT void *context, void *function, uintptr_t identity,
                                       uintptr_t implementation) {
  napkin_stop_without("swift_task_switch");
}

// The runtime's own function of a name, in the library that its other functions are in; NULL if there is none.
void *napkin_runtime_function(const char *name, const void *own) {
  Dl_info runtime;
  void *library = NULL;
  if (dladdr((void *)swift_task_getCurrent, &runtime) && runtime.dli_fname) {
    library = dlopen(runtime.dli_fname, RTLD_NOLOAD | RTLD_LAZY);
  }
  void *found = dlsym(library ? library : RTLD_NEXT, name);
  return found == own ? NULL : found;
}

__attribute__((constructor)) static void find_runtime_functions(void) {
  runtime_switch = (switch_function)napkin_runtime_function("swift_task_switch", (void *)swift_task_switch);
  if (!runtime_switch) {
    runtime_switch = missing_switch;
    layout = unsound;
  }
}

void napkin_explore_on_this_thread(napkin_hop_handler on_hop, napkin_queue_handler on_queue) {
  hop_handler = on_hop;
  queue_handler = on_queue;
  atomic_store_explicit(&napkin_exploring_thread, napkin_this_thread(), memory_order_relaxed);
}

void napkin_stop_exploring(void) { atomic_store_explicit(&napkin_exploring_thread, 0, memory_order_relaxed); }

bool napkin_is_exploring(void) { return atomic_load_explicit(&napkin_exploring_thread, memory_order_relaxed) != 0; }

static int misread_words = 0;

void napkin_begin_probe(bool misreads) {
  misread_words = misreads ? 1 : 0;
#if __has_feature(ptrauth_calls)
  // The words are signed there, by their address.
  layout = unsound;
#endif
  if (layout == untested) layout = probing;
}

bool napkin_end_probe(void *job) {
  if (layout == probing) {
    void **words = (void **)job + misread_words;
    bool agrees = probed_function != NULL && words[resume_function_word] == probed_function &&
                  words[resume_context_word] == probed_context;
    layout = agrees ? sound : unsound;
  }
  return layout == sound;
}

bool napkin_takes_hops(void) { return layout == sound; }
void napkin_leave_hops(void) { layout = unsound; }

bool napkin_probe_arrived_jobs(uintptr_t actor, void *first, void *second) {
  if (layout != sound || queue != unseen) return false;
  void **words = (void **)actor;
  bool agrees = words[arrived_jobs_word] == second && ((void **)second)[next_job_word] == first &&
                ((void **)first)[next_job_word] == NULL && words[sorted_jobs_word] == NULL;
  queue = agrees ? seen_arrived : misplaced;
  probed_actor = actor;
  probed_second = second;
  return agrees;
}

// The first of the two tasks leaves the actor while the second one waits for its turn there.
static void probe_sorted_jobs(uintptr_t source) {
  if (source != probed_actor) return;
  void **words = (void **)source;
  bool agrees = words[sorted_jobs_word] == probed_second && words[arrived_jobs_word] == NULL &&
                ((void **)probed_second)[next_job_word] == NULL;
  queue = agrees ? seen_sorted : misplaced;
}

bool napkin_knows_queues(void) { return queue == seen_sorted; }

// Suspends the current task as a continuation would, after the handler has taken it: that one can still ask for what is
// known of a current task alone. False if the handler leaves the task to the runtime.
static bool park(void *function, void *context, uintptr_t source, napkin_executor target) {
  void **task = swift_task_getCurrent();
  task[resume_function_word] = function;
  task[resume_context_word] = context;
  if (queue == seen_arrived) probe_sorted_jobs(source);
  if (!hop_handler(task, source, target)) return false;
  swift_task_suspend();
  return true;
}

// Bound statically, since the tests are linked into the same image: every hop that the compiler wrote comes through here.
// A plain `Task { }` enters and leaves idle actors without any job, so without this such hops are no scheduling points.
SWIFT_ASYNC void swift_task_switch(SWIFT_ASYNC_CONTEXT void *context, void *function, uintptr_t identity,
                                   uintptr_t implementation) {
  uintptr_t source;
  if (napkin_is_exploring_thread() && (source = swift_task_getCurrentExecutor().identity) != identity) {
    if (layout == sound) {
      if (park(function, context, source, (napkin_executor){identity, implementation})) return;
    } else {
      probed_function = function;
      probed_context = context;
    }
  }
  __attribute__((musttail)) return runtime_switch(context, function, identity, implementation);
}

uint32_t napkin_job_kind(void *job) { return swift_task_getJobFlags(job) & 0xff; }
// The runtime keeps it among the flags of a job, whose bits it exports.
bool napkin_task_is_child(void *task) { return (swift_task_getJobFlags(task) >> 24 & 1) != 0; }
uint8_t napkin_task_priority(void *task) {
  // The job has the priority with which the task was enqueued last; the next time it is that of the task's state.
  return knows_completion ? (uint8_t)((uint32_t *)task)[state_half_word] : (uint8_t)(swift_task_getJobFlags(task) >> 8);
}
uint64_t napkin_job_task_id(void *job) { return swift_task_getJobTaskId(job); }

// A default actor runs its jobs one after the other, and between two of them nobody is asked. So its queue is kept empty:
// a task that the runtime puts there is made to go on in a function of this file, which parks it as a hop does. The
// scheduler then has every job of every actor, and hands them over one by one.

typedef SWIFT_ASYNC void (*resume_function)(SWIFT_ASYNC_CONTEXT void *);

// What the task that enters an actor goes on in there, and how far it has come. Another thread that works for the actor may
// take it up: that one sends it back.
static SWIFT_ASYNC void run_on_actor(void);
static void *entering_function;
static _Atomic(int) entry = napkin_entry_is_over;

// The tasks that are to park, and what they would have gone on in; the one that was covered last parks first.
typedef struct {
  void **task;
  void *function;
} covered_task;
static covered_task *covered;
static size_t covered_count = 0, covered_capacity = 0;

static void *uncover(void **task) {
  size_t index = covered_count;
  do index--;
  while (covered[index].task != task);
  void *function = covered[index].function;
  covered[index] = covered[--covered_count];
  return function;
}

static SWIFT_ASYNC void park_in_queue(void);

static void cover(void **job) {
  for (; job; job = job[next_job_word]) {
    // What is no task, such as an isolated deinit, runs where it stands.
    if (napkin_job_kind(job) != napkin_job_task) continue;
    // The last one that arrived is the first one here: what is behind a covered task is covered, too.
    if (job[resume_function_word] == (void *)park_in_queue) return;
    if (covered_count == covered_capacity) {
      covered_capacity = covered_capacity ? covered_capacity * 2 : 64;
      covered = realloc(covered, covered_capacity * sizeof *covered);
      if (!covered) abort();
    }
    void *function = job[resume_function_word];
    if (function == (void *)run_on_actor) {
      function = entering_function;
      atomic_store_explicit(&entry, napkin_entry_is_over, memory_order_relaxed);
    }
    covered[covered_count++] = (covered_task){job, function};
    job[resume_function_word] = (void *)park_in_queue;
  }
}

static void **arrived_jobs(uintptr_t actor) {
  return __atomic_load_n(&((void ***)actor)[arrived_jobs_word], __ATOMIC_ACQUIRE);
}

static SWIFT_ASYNC void park_in_queue(void) {
  void **task = swift_task_getCurrent();
  task[resume_function_word] = uncover(task);
  napkin_executor actor = swift_task_getCurrentExecutor();
  queue_handler(task, actor);
  swift_task_suspend();
  // What another thread has put there meanwhile would run here next.
  cover(arrived_jobs(actor.identity));
}

static void cover_queue(uintptr_t actor) {
  cover(((void ***)actor)[sorted_jobs_word]);
  cover(arrived_jobs(actor));
}

bool napkin_empty_queue(void *job) {
  if (queue != seen_sorted) return false;
  uintptr_t actor = ((uintptr_t *)job)[drained_actor_word];
  for (void **waiting = ((void **)actor)[arrived_jobs_word]; waiting; waiting = waiting[next_job_word]) {
    // An errand of the runtime would run now, in the middle of another job.
    if (napkin_job_kind(waiting) != napkin_job_task) return false;
  }
  cover_queue(actor);
  swift_job_run(job, 0, 0);
  return true;
}

// The context is taken from the task and not as a parameter: the compiler marks the frame pointer that a function with such
// a parameter saves, and an unwinder that goes through its frame follows the mark.
static SWIFT_ASYNC void run_on_actor(void) {
  void **task = swift_task_getCurrent();
  resume_function function = (resume_function)entering_function;
  task[resume_function_word] = entering_function;
  if (!napkin_is_exploring_thread()) {
    swift_task_suspend();
    atomic_store_explicit(&entry, napkin_entry_was_sent_back, memory_order_release);
    return;
  }
  atomic_store_explicit(&entry, napkin_entry_is_over, memory_order_relaxed);
  uintptr_t actor = swift_task_getCurrentExecutor().identity;
  // No tail call: when the task suspends or ends, the rest of the actor's queue is still to be parked.
  function(task[resume_context_word]);
  if (swift_task_getCurrentExecutor().identity == actor) cover_queue(actor);
}

void napkin_enter(void *task, napkin_executor target) {
  if (queue == seen_sorted && target.implementation == 0 && target.identity != 0) {
    entering_function = ((void **)task)[resume_function_word];
    ((void **)task)[resume_function_word] = (void *)run_on_actor;
    atomic_store_explicit(&entry, napkin_entry_is_open, memory_order_relaxed);
  }
  napkin_enqueue(task, target);
}

void napkin_yield_thread(void) { sched_yield(); }
int napkin_entry(void) { return atomic_load_explicit(&entry, memory_order_acquire); }

uintptr_t napkin_drained_actor(void *job) { return layout == sound ? ((uintptr_t *)job)[drained_actor_word] : 0; }
void *napkin_first_job_of_actor(uintptr_t actor) {
  if (queue != seen_sorted) return NULL;
  void **words = (void **)actor;
  // What has arrived since is sorted in behind those of its priority.
  if (words[sorted_jobs_word]) return words[sorted_jobs_word];
  void **job = arrived_jobs(actor);
  while (job && job[next_job_word]) job = job[next_job_word];
  return job;
}

void *napkin_current_task(void) { return swift_task_getCurrent(); }
napkin_executor napkin_current_executor(void) { return swift_task_getCurrentExecutor(); }
napkin_executor napkin_main_executor(void) {
  return napkin_uses_hooks() ? napkin_hooked_main() : swift_task_getMainExecutor();
}
napkin_executor napkin_platform_main(void) { return swift_task_getMainExecutor(); }
void napkin_run_job(void *job, napkin_executor executor) {
  swift_job_run(job, executor.identity, executor.implementation);
}
void *napkin_continuation_job(uintptr_t continuation) {
  enum { default_priority = 0x15 };
  return swift_task_createNullaryContinuationJob(default_priority, (void *)continuation);
}
void napkin_enqueue(void *task, napkin_executor target) {
  swift_task_enqueueTaskOnExecutor(task, target.identity, target.implementation);
}
void napkin_cancel_task(void *task) { swift_task_cancel(task); }
void napkin_retain(void *object) { swift_retain(object); }
void napkin_release(void *object) { swift_release(object); }
const char *napkin_current_task_name(void) { return swift_task_getCurrentTaskName(); }
bool napkin_learn_completion(void *ended_task) {
  knows_completion = layout == sound && (((uint32_t *)ended_task)[state_half_word] & complete_bit) != 0;
  return knows_completion;
}
bool napkin_task_is_complete(void *task) {
  return knows_completion && (((uint32_t *)task)[state_half_word] & complete_bit) != 0;
}
size_t napkin_resume_addresses(void *task, uintptr_t *addresses, size_t capacity) {
  if (layout != sound || capacity == 0) return 0;
  addresses[0] = (uintptr_t)((void **)task)[resume_function_word];
  // An async context begins with the context that waits for it, and the function which that one goes on in.
  size_t count = 1;
  for (void **context = ((void **)task)[resume_context_word]; context && count < capacity; context = context[0]) {
    addresses[count++] = (uintptr_t)context[1];
  }
  return count;
}
