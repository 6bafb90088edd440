// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Baton.h"
#include "Runtime.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// Zero when no exploration runs. A thread's identity is compared before anything else of an exploration is touched, since
// every other thread of the process asks all the time.
_Atomic(uintptr_t) napkin_exploring_thread = 0;
napkin_job_handlers napkin_scheduler;
void napkin_take_jobs(napkin_job_handlers handlers) { napkin_scheduler = handlers; }
static bool knows_completion = false;

static enum { untested, probing, sound, unsound } layout = untested;
static void *probed_function, *probed_context;

_Noreturn void napkin_stop_without(const char *name) {
  static const char before[] = "NapkinTesting: ", after[] =
      " of the Swift runtime cannot be found. Link the runtime dynamically: without -static-stdlib, and not with the static SDK.\n";
  napkin_write_error(before, sizeof before - 1);
  napkin_write_error(name, strlen(name));
  napkin_write_error(after, sizeof after - 1);
  abort();
}

static void *library_of_runtime(void) {
  Dl_info runtime;
  bool is_known = dladdr((void *)swift_task_getCurrent, &runtime) && runtime.dli_fname;
  return is_known ? dlopen(runtime.dli_fname, RTLD_NOLOAD | RTLD_LAZY) : NULL;
}

// Looked up in the library that the runtime's functions are in, past the function that this image defines by the same name.
void *napkin_runtime_symbol(const char *name, const void *own) {
  void *library = FOUND_ONCE(void *, library_of_runtime());
  void *found = dlsym(library ? library : RTLD_NEXT, name);
  return found == own ? NULL : found;
}

// On Linux an image binds to the first function of a name, which is this one's unless it is hidden from the others. On Apple's
// platforms it binds to the library that it was linked with.
bool napkin_comes_first(void) {
#if defined(__APPLE__)
  return false;
#else
  return dlsym(RTLD_DEFAULT, "swift_task_switch") == (void *)swift_task_switch;
#endif
}

// A program that has the runtime in itself, as a static executable does, ends before its first task.
__attribute__((constructor)) static void look_for_runtime(void) { (void)RUNTIME(swift_task_switch); }

void napkin_explore_on_this_thread(void) {
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

void napkin_end_probe(void *job) {
  if (layout != probing) return;
  void **words = (void **)job + misread_words;
  bool agrees = probed_function != NULL && words[resume_function_word] == probed_function &&
                words[resume_context_word] == probed_context;
  layout = agrees ? sound : unsound;
}

bool napkin_takes_hops(void) { return layout == sound; }
void napkin_leave_hops(void) { layout = unsound; }

// Suspends the current task as a continuation would, after the handler has taken it: the handler can still read
// the properties of a current task, such as its name. False if the handler leaves the task to the runtime.
static bool park(void *function, void *context, uintptr_t source, napkin_executor target) {
  void **task = swift_task_getCurrent();
  task[resume_function_word] = function;
  task[resume_context_word] = context;
  if (napkin_probes_queue) napkin_probe_leaving(source);
  if (!napkin_scheduler.hops(task, source, target)) return false;
  swift_task_suspend();
  return true;
}

// An await that suspends in no execution is seen in two ways: its task is at the place where the caller goes on when it gives the
// memory of the call back, and is not there at the beginning of any step.
enum { most_awaits = 1024 };
struct napkin_awaits {
  // By a hash of their resumptions, with a free place at least; those alone are zero where there is no call.
  uintptr_t resumptions[most_awaits];
  size_t count, suspended;
  // Where all of them have suspended, the steps of an execution show nothing new of them; a call that is not among them yet is
  // left for the next execution, which looks at its steps again.
  bool is_settled, has_missed;
  // Whether something is new of any.
  bool has_news;
  napkin_await calls[most_awaits];
};

napkin_awaits *napkin_make_awaits(void) {
  napkin_awaits *made = malloc(sizeof *made);
  if (!made) abort();
  memset(made, 0, offsetof(napkin_awaits, calls));
  return made;
}

bool napkin_begin_awaits(napkin_awaits *awaits) {
  awaits->is_settled = awaits->count != 0 && awaits->suspended == awaits->count && !awaits->has_missed;
  awaits->has_missed = false;
  return !awaits->is_settled;
}

static napkin_await *find_await(napkin_awaits *awaits, uintptr_t resumption) {
  enum { mask = most_awaits - 1 };
  // The outermost function goes on nowhere.
  if (resumption == 0) return NULL;
  size_t index = (resumption * 0x9e3779b97f4a7c15u) >> 40 & mask;
  while (awaits->resumptions[index] != resumption) {
    if (awaits->resumptions[index] == 0) {
      if (awaits->count == mask) return NULL;
      if (awaits->is_settled) {
        awaits->has_missed = true;
        return NULL;
      }
      awaits->count++;
      awaits->resumptions[index] = resumption;
      awaits->calls[index] = (napkin_await){.resumption = resumption, .is_new = true};
      awaits->has_news = true;
      break;
    }
    index = (index + 1) & mask;
  }
  return &awaits->calls[index];
}

bool napkin_has_news(const napkin_awaits *awaits) { return awaits->has_news; }

size_t napkin_take_awaits(napkin_awaits *awaits, napkin_await *calls, size_t capacity) {
  size_t taken = 0;
  awaits->has_news = false;
  if (awaits->count == most_awaits - 1) return 0;
  for (size_t index = 0; index < most_awaits && taken < capacity; index++) {
    if (awaits->resumptions[index] == 0 || !awaits->calls[index].is_new) continue;
    awaits->calls[index].is_new = false;
    calls[taken++] = awaits->calls[index];
  }
  return taken;
}

// An async context begins with the context that waits for it, and the function which that one goes on in. Other memory of a task
// may have these words there, too: from a context that was there before it, of which it has overwritten the first.
__attribute__((noinline)) static void note_outer(napkin_await *await, uintptr_t waiting) {
  uintptr_t words[2];
  if (!napkin_peek((void *)waiting, words, sizeof words)) return;
  await->outer = words[1];
  await->is_new = napkin_current->awaits->has_news = true;
}

SWIFT_CC void swift_task_dealloc(void *memory) {
  if (napkin_is_exploring_thread() && napkin_current->awaits && memory) {
    enum { farthest = 256 };
    uintptr_t *call = memory;
    if (CALLER - call[1] < farthest) {
      napkin_await *await = find_await(napkin_current->awaits, call[1]);
      if (await && call[0] && !await->outer) note_outer(await, call[0]);
    }
  }
  RUNTIME(swift_task_dealloc)(memory);
}

// A function that begins where its caller is does not suspend there.
static void note_entered(uintptr_t resumption, uintptr_t function) {
  napkin_await *await = find_await(napkin_current->awaits, resumption);
  if (!await || await->callee) return;
  await->callee = function;
  await->is_new = napkin_current->awaits->has_news = true;
}

void napkin_note_suspended(napkin_awaits *awaits, void *task) {
  enum { deepest = 1000 };
  if (layout != sound) return;
  uintptr_t *context = ((void **)task)[resume_context_word];
  for (int depth = 0; context && depth < deepest; depth++) {
    napkin_await *await = find_await(awaits, context[1]);
    if (await && !await->has_suspended) {
      await->has_suspended = await->is_new = awaits->has_news = true;
      awaits->suspended++;
    }
    context = (uintptr_t *)context[0];
  }
}

// Bound statically, since the tests are linked into the same image: every hop that the compiler wrote comes through here.
// A plain `Task { }` enters and leaves idle actors without any job, so without this such hops are no scheduling points.
SWIFT_ASYNC void swift_task_switch(SWIFT_ASYNC_CONTEXT void *context, void *function, uintptr_t identity,
                                   uintptr_t implementation) {
  UNMARK_FRAME();
  uintptr_t source;
  if (napkin_is_exploring_thread()) {
    if ((source = swift_task_getCurrentExecutor().identity) == identity) {
      if (napkin_current->awaits) note_entered(((uintptr_t *)context)[1], (uintptr_t)function);
    } else if (layout == sound) {
      // Asked here as well, since each hop of an execution of whole steps comes by.
      if (napkin_under_way) napkin_reach_call(napkin_access_hop);
      if (park(function, context, source, (napkin_executor){identity, implementation})) return;
    } else {
      probed_function = function;
      probed_context = context;
    }
  }
  __attribute__((musttail)) return RUNTIME(swift_task_switch)(context, function, identity, implementation);
}

uintptr_t napkin_image_anchor(void) { return (uintptr_t)&swift_task_switch; }
char *napkin_demangled(const char *symbol) { return swift_demangle(symbol, strlen(symbol), NULL, NULL, 0); }
uint32_t napkin_job_kind(void *job) { return swift_task_getJobFlags(job) & 0xff; }
// The runtime keeps it among the flags of a job, whose bits it exports.
bool napkin_task_is_child(void *task) { return (swift_task_getJobFlags(task) >> 24 & 1) != 0; }
bool napkin_task_is_in_group(void *task) { return (swift_task_getJobFlags(task) >> 26 & 1) != 0; }
uint8_t napkin_task_priority(void *task) {
  // The job has the priority with which the task was enqueued last; the next time it is that of the task's state.
  return knows_completion ? (uint8_t)((uint32_t *)task)[state_half_word] : (uint8_t)(swift_task_getJobFlags(task) >> 8);
}
uint64_t napkin_job_task_id(void *job) { return swift_task_getJobTaskId(job); }

void *napkin_current_task(void) { return swift_task_getCurrent(); }
napkin_executor napkin_current_executor(void) { return swift_task_getCurrentExecutor(); }
void napkin_run_job(void *job, napkin_executor executor) {
  swift_job_run(job, executor.identity, executor.implementation);
  // From here on it is the scheduler that runs.
  (void)napkin_is_exploring_thread();
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
bool napkin_knows_completion(void) { return knows_completion; }
bool napkin_task_is_complete(void *task) {
  return knows_completion && (((uint32_t *)task)[state_half_word] & complete_bit) != 0;
}
size_t napkin_resume_addresses(void *task, uintptr_t *addresses, size_t capacity) {
  if (layout != sound || capacity == 0) return 0;
  addresses[0] = (uintptr_t)((void **)task)[resume_function_word];
  // An async context begins with the context that waits for it, and the function which that one goes on in. A task that another thread
  // runs has what it began there with, which may be something else by now.
  uintptr_t context[2] = {(uintptr_t)((void **)task)[resume_context_word]};
  size_t count = 1;
  while (context[0] && count < capacity && napkin_peek((void *)context[0], context, sizeof context)) addresses[count++] = context[1];
  return count;
}
