// SPDX-License-Identifier: Apache-2.0

// The runtime's tasks as the files know them that replace its functions, and the functions of it that these call.
#pragma once
#include "NapkinTestingCRuntime.h"
#include "System.h"

#include <unwind.h>

#define SWIFT_ASYNC __attribute__((swiftasynccall))
#define SWIFT_ASYNC_CONTEXT __attribute__((swift_async_context))
#define SWIFT_CC __attribute__((swiftcall))

// Where a task keeps the function and the context that it goes on with: words of `AsyncTask` on a 64-bit machine.
// Nothing relies on these before the probe has seen the runtime itself write there.
enum { resume_function_word = 7, resume_context_word = 8, drained_actor_word = 8 };

// Where a default actor keeps its jobs: those that have arrived, the last one first, and those that are sorted by priority
// already. Each job knows the next one. Nothing relies on these before the probe has found two known tasks there.
enum { arrived_jobs_word = 5, sorted_jobs_word = 8, next_job_word = 2 };

// The half-word of a job's flags, which hold its priority, and the highest one of those that a queue distinguishes.
enum { flags_half_word = 8, most_urgent = 0x21 };

// The half-word of a task's state, and its bit for a task that has ended; used in reports alone, once it was seen to be set.
enum { state_half_word = 24, complete_bit = 0x2000 };

extern SWIFT_CC void *swift_task_getCurrent(void);
extern SWIFT_CC napkin_executor swift_task_getCurrentExecutor(void);
extern SWIFT_CC napkin_executor swift_task_getMainExecutor(void);
extern SWIFT_CC void swift_task_enqueueTaskOnExecutor(void *task, uintptr_t identity, uintptr_t implementation);
extern SWIFT_CC uint64_t swift_task_getJobTaskId(void *job);
extern SWIFT_CC size_t swift_task_getJobFlags(void *job);
extern SWIFT_CC void swift_task_cancel(void *task);
extern SWIFT_CC void *swift_task_suspend(void);
extern SWIFT_CC napkin_executor swift_task_getPreferredTaskExecutor(void);
extern SWIFT_CC void *swift_task_createNullaryContinuationJob(size_t priority, void *continuation);
extern SWIFT_CC void swift_job_run(void *job, uintptr_t identity, uintptr_t implementation);
extern SWIFT_CC const char *swift_task_getCurrentTaskName(void);
extern char *swift_demangle(const char *symbol, size_t length, char *buffer, size_t *size, uint32_t flags);
extern void *swift_retain(void *object);
extern void swift_release(void *object);

/// For the beginning of each function of SWIFT_ASYNC that calls others: takes back the mark that the C compiler puts on the frame
/// pointer which such a function saves. Swift's functions on Linux have none, and unwinding the stack takes it for a part of the
/// address.
#if defined(__linux__) && defined(__LP64__)
#define UNMARK_FRAME() (*(uintptr_t *)__builtin_frame_address(0) &= ~((uintptr_t)1 << 60))
#else
#define UNMARK_FRAME() ((void)0)
#endif

/// The runtime's own function of a name that is defined here, too; found by its first call, which ends the process where there is none.
#define RUNTIME(name) \
  ({ \
    __typeof__(name) *function = FOUND_ONCE(__typeof__(name) *, napkin_runtime_symbol(#name, (void *)name)); \
    if (__builtin_expect(!function, 0)) napkin_stop_without(#name); \
    function; \
  })

SWIFT_ASYNC void swift_task_switch(SWIFT_ASYNC_CONTEXT void *context, void *function, uintptr_t identity,
                                   uintptr_t implementation);
SWIFT_CC void swift_task_dealloc(void *memory);
/// The scheduler's side, set before any thread explores.
extern napkin_job_handlers napkin_scheduler __attribute__((visibility("hidden")));
/// Whether one of the two tasks that were enqueued on the probed actor is about to leave it.
extern bool napkin_probes_queue;
/// Compares the rest of the actor's queue with the expected layout.
void napkin_probe_leaving(uintptr_t actor);

/// Says that a task belongs to an execution; on any thread.
void napkin_own_for(uint64_t task, uint64_t execution);
/// The execution that the calling thread creates a task for, which is not the exploring one; else zero.
uint64_t napkin_creating_for(void);
/// Says which execution the calling thread works for, and returns the one before; zero for none.
uint64_t napkin_work_for(uint64_t execution);

/// Keeps a task that was created, see napkin_hear_tasks.
void napkin_hear_task(void *task, const char *name);
/// The nanoseconds of a processor that the calling thread has used.
int64_t napkin_used_time(void);
/// Reads memory that may be gone; false if it is.
bool napkin_peek(const void *from, void *to, size_t size);
/// The addresses that callers return to, as they are met by `_Unwind_Backtrace`, up to the function that runs the job.
typedef struct {
  uintptr_t *addresses;
  size_t count, capacity;
} napkin_met_callers;
_Unwind_Reason_Code napkin_add_caller(struct _Unwind_Context *caller, void *met);
