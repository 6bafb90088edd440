// SPDX-License-Identifier: Apache-2.0

// Declarations for the files that take over functions of the system, and their questions about the current step.
#pragma once
#include "NapkinTestingCRuntime.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define HAS_SANITIZER
#endif
#endif

// A sanitizer replaces many of these functions itself, and has to know of every wait.
#if defined(NAPKIN_LINUX) && !defined(HAS_SANITIZER)
#define NAPKIN_REPLACES 1
// The package's manifest defines NAPKIN_SPLIT where the environment asks for split steps, and links their files.
#if defined(NAPKIN_SPLIT)
#define NAPKIN_SPLITS 1
#endif
#endif

/// A pointer or a number that `look` finds: looked for until it is found, and kept. Threads that look at once find the same.
#define FOUND_ONCE(type, look) \
  ({ \
    static type found; \
    type known = __atomic_load_n(&found, __ATOMIC_RELAXED); \
    if (__builtin_expect(!known, 0)) { \
      known = (type)(look); \
      __atomic_store_n(&found, known, __ATOMIC_RELAXED); \
    } \
    known; \
  })

#if NAPKIN_REPLACES
/// The system's own function of a name that is defined here, too; found by its first call, which may come before any constructor has run.
#define SYSTEM(name) FOUND_ONCE(__typeof__(name) *, napkin_system_function(#name))
void *napkin_system_function(const char *name);
#else
#define SYSTEM(name) name
#endif

#if defined(__ELF__)
#define FAST_THREAD_LOCAL _Thread_local __attribute__((tls_model("initial-exec")))
#else
#define FAST_THREAD_LOCAL _Thread_local
#endif

#define CALLER ((uintptr_t)__builtin_return_address(0))

/// How a block of code begins, by the ABI that all compilers agree on.
typedef struct napkin_code {
  void *isa;
  int flags, reserved;
  void (*invoke)(struct napkin_code *);
} napkin_code;
extern void *_Block_copy(const void *block);
extern void _Block_release(const void *block);

intptr_t dispatch_group_wait(void *group, uint64_t time);
void dispatch_retain(void *object);
void dispatch_release(void *object);
const char *dispatch_queue_get_label(void *queue);

/// The calls in which a thread is: those of a half-run job are its own, and are lost with it.
typedef struct {
  /// How many create a task, how many of these tasks have yet to become the execution's own, and how many run one at once.
  int creating, unowned, starting;
  /// How many run a block that waits for the main queue.
  int on_main_queue;
  /// The name of the task that is created, and the context of its closure until that is with the execution.
  const char *name;
  const void *closure;
  /// A number for the code that creates it.
  uint64_t creator;
} napkin_calls;
extern FAST_THREAD_LOCAL napkin_calls napkin_open_calls;
/// Ends the calls of a job that is discarded.
void napkin_discard_calls(void);

/// The lowest address that the stack of the calling thread can grow to, and how large it can be.
void napkin_find_stack(uintptr_t *start, uintptr_t *size);
#if defined(__linux__)
/// The file of a program, NULL for this process's, in memory; NULL if it cannot be read.
const void *napkin_map_program(const char *path, size_t *size);
#endif
/// The main queue; NULL without dispatch.
void *napkin_main_queue(void);
/// The nanoseconds until a time by a clock; negative if it is over.
int64_t napkin_nanoseconds_until(clockid_t clock, const struct timespec *end);
#if NAPKIN_REPLACES
/// Whether a block is a work item that is to have a concurrent queue for itself.
bool napkin_is_barrier(void *block);
/// The task-locals of this thread that say whose its issues are, for work that inherits none; NULL if they are of no execution.
void *napkin_carried(void);
/// Does work with them, once.
void napkin_do_carried(void *carried, void (*work)(void *), void *context);
/// Leaves the block that waits for a group to dispatch, as the execution's own; false if it is of none.
bool napkin_leave_notification(void *group, void *queue, void *block);
#endif
/// Says that a block which an execution has left to a queue begins or ends on this thread, for a hang of it to be noticed.
void napkin_watch_errand(bool begins);
/// Says that the calling thread is the one to look at when a job does not end, and where its stack ends; zero if that is as before.
void napkin_watch_here(uintptr_t stack_start, uint32_t number);
/// A look at a thread by the kernel; used is the nanoseconds of a processor that it has had.
typedef struct {
  bool sleeps, is_on_processor;
  int64_t used;
} napkin_thread_look;
/// Looks at the thread of a number in the kernel; false if there is none.
bool napkin_look_at_thread(uint32_t thread, napkin_thread_look *look);
/// Prepares a thread for the handlers of crashes and hangs, which use this memory as their stack.
enum { napkin_handler_stack_size = 1 << 20 };
void napkin_accept_signals(void *handler_stack);

// Work for a step that can be split. For a whole step each of these functions says that there is nothing to do.

/// Lets the others go on for a time of the execution; false if the step is whole.
bool napkin_sleep_in_step(int64_t nanoseconds);
/// An execution is under way, with jobs that can be half-run, or with whole steps where it is NULL.
void napkin_use_split(napkin_split *split);
/// The job is about to cancel a task, or those of a group.
void napkin_reach_cancel(const void *cancelled, uintptr_t caller);
/// Waits by a function of dispatch; false if the step is whole.
bool napkin_wait_in_step(intptr_t (*wait)(void *, uint64_t), void *object, uint64_t time, intptr_t *result,
                         uintptr_t caller);
/// Runs a block in a queue, when the queue has come to it; false if the step is whole.
bool napkin_run_in_step(void *queue, void *code, bool is_barrier, uintptr_t caller);
/// Whether a thread that is started here is a task of the schedule.
bool napkin_simulates_threads(void);
/// Whether a block that is left to a queue here is a task of the schedule.
bool napkin_simulates_queues(void);
/// Leaves a block to a queue then; with a group, which is left when it has run.
void napkin_submit_block(void *queue, void *code, bool is_barrier, void *group);
