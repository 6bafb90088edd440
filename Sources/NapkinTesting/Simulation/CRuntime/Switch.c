// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "NapkinTestingCRuntime.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>

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
static switch_function runtime_switch;

static enum { untested, probing, sound, unsound } layout = untested;
static void *probed_function, *probed_context;

SWIFT_ASYNC void swift_task_switch(SWIFT_ASYNC_CONTEXT void *context, void *function, uintptr_t identity,
                                   uintptr_t implementation);

// What a hop is passed on to where the runtime's own function cannot be found, as in a static executable.
static SWIFT_ASYNC void missing_switch(SWIFT_ASYNC_CONTEXT void *context, void *function, uintptr_t identity,
                                       uintptr_t implementation) {
  static const char message[] =
      "NapkinTesting: swift_task_switch of the Swift runtime cannot be found. Link the Swift runtime dynamically.\n";
  napkin_write_error(message, sizeof message - 1);
  abort();
}

// The runtime's own function is in the library that its other functions are in.
__attribute__((constructor)) static void find_runtime_switch(void) {
  Dl_info runtime;
  void *library = NULL;
  if (dladdr((void *)swift_task_getCurrent, &runtime) && runtime.dli_fname) {
    library = dlopen(runtime.dli_fname, RTLD_NOLOAD | RTLD_LAZY);
  }
  runtime_switch = (switch_function)dlsym(library ? library : RTLD_NEXT, "swift_task_switch");
  if (!runtime_switch || runtime_switch == swift_task_switch) {
    runtime_switch = missing_switch;
    layout = unsound;
  }
}

void napkin_explore_on_this_thread(napkin_hop_handler handler) {
  hop_handler = handler;
  atomic_store_explicit(&napkin_exploring_thread, napkin_this_thread(), memory_order_relaxed);
}

void napkin_stop_exploring(void) { atomic_store_explicit(&napkin_exploring_thread, 0, memory_order_relaxed); }

bool napkin_is_exploring(void) { return atomic_load_explicit(&napkin_exploring_thread, memory_order_relaxed) != 0; }

void napkin_begin_probe(void) {
#if __has_feature(ptrauth_calls)
  // The words are signed there, by their address.
  layout = unsound;
#endif
  if (layout == untested) layout = probing;
}

bool napkin_end_probe(void *job) {
  if (layout == probing) {
    void **words = job;
    bool agrees = probed_function != NULL && words[resume_function_word] == probed_function &&
                  words[resume_context_word] == probed_context;
    layout = agrees ? sound : unsound;
  }
  return layout == sound;
}

bool napkin_takes_hops(void) { return layout == sound; }

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

// Suspends the current task as a continuation would, and leaves it to the handler. That one comes first, while the task can
// still be asked for what is known of a current task alone.
static void park(void *function, void *context, uintptr_t source, napkin_executor target) {
  void **task = swift_task_getCurrent();
  task[resume_function_word] = function;
  task[resume_context_word] = context;
  if (queue == seen_arrived) probe_sorted_jobs(source);
  hop_handler(task, source, target);
  swift_task_suspend();
}

// Bound statically, since the tests are linked into the same image: every hop that the compiler wrote comes through here.
// A plain `Task { }` enters and leaves idle actors without any job, so without this such hops are no scheduling points.
SWIFT_ASYNC void swift_task_switch(SWIFT_ASYNC_CONTEXT void *context, void *function, uintptr_t identity,
                                   uintptr_t implementation) {
  uintptr_t source;
  if (napkin_is_exploring_thread() && (source = swift_task_getCurrentExecutor().identity) != identity) {
    if (layout == sound) {
      park(function, context, source, (napkin_executor){identity, implementation});
      return;
    }
    probed_function = function;
    probed_context = context;
  }
  __attribute__((musttail)) return runtime_switch(context, function, identity, implementation);
}

uint32_t napkin_job_kind(void *job) { return swift_task_getJobFlags(job) & 0xff; }
// The runtime keeps it among the flags of a job, whose bits it exports.
bool napkin_task_is_child(void *task) { return (swift_task_getJobFlags(task) >> 24 & 1) != 0; }
uint64_t napkin_job_task_id(void *job) { return swift_task_getJobTaskId(job); }
uintptr_t napkin_drained_actor(void *job) { return layout == sound ? ((uintptr_t *)job)[drained_actor_word] : 0; }
void *napkin_first_job_of_actor(uintptr_t actor) {
  if (queue != seen_sorted) return NULL;
  void **words = (void **)actor;
  // What has arrived since is sorted in behind those of its priority, and it is only met here where nothing was sorted.
  if (words[sorted_jobs_word]) return words[sorted_jobs_word];
  void **job = words[arrived_jobs_word];
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
