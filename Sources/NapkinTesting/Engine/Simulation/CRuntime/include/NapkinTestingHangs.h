// SPDX-License-Identifier: Apache-2.0
//
// The tasks and threads of tests that explore nothing, for the report of a hang.
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { napkin_heard_creators = 6, napkin_seen_frames = 48 };

/// For what a suspended task waits.
enum { napkin_waits_unknown, napkin_waits_for_task, napkin_waits_for_continuation, napkin_waits_for_group, napkin_waits_for_executor };

/// A task as it is when it is looked at.
typedef struct {
  void *_Nullable task;
  /// The task that created it, which may have ended; NULL if it was made outside of any, or before tasks were heard of.
  const void *_Nullable parent;
  /// Its name, which belongs to the table; NULL if it has none.
  const char *_Nullable name;
  /// When it was created, in nanoseconds of napkin_real_time.
  int64_t created;
  /// The addresses that its creator's calls return to, the innermost first; zero behind the last one.
  uintptr_t creators[napkin_heard_creators];
  /// Its function and its context, which change when it goes on.
  uintptr_t resumption, context;
  /// How often it was enqueued, by an executor that this process knows.
  uint32_t moves;
  bool is_running, is_enqueued, is_child;
  /// For what it waits, and the task, the group or the executor.
  int wait;
  uintptr_t subject;
} napkin_heard_task;

/// How many jobs explorations have run.
uint64_t napkin_beats(void);
/// Whether tasks are kept; one relaxed load for each job of the process.
extern _Atomic(bool) napkin_hears_tasks;
static inline bool napkin_is_hearing(void) { return atomic_load_explicit(&napkin_hears_tasks, memory_order_relaxed); }
/// Says that a job is enqueued.
void napkin_note_move(const void *_Nonnull job);

/// Keeps the calling task, and each one that any thread creates from now on, until it has ended and napkin_forget_ended is called.
void napkin_hear_tasks(void);
/// Writes the tasks that have not ended, up to `capacity`; returns how many there are.
size_t napkin_heard_tasks(napkin_heard_task *_Nullable tasks, size_t capacity);
/// Looks at a task that another one waits for, such as a child of `async let`; false if it has ended, or cannot be read.
bool napkin_look_at_task(napkin_heard_task *_Nonnull seen, uintptr_t task);
void napkin_forget_ended(void);

/// A thread as it is when it is looked at.
typedef struct {
  uintptr_t id;
  /// Whether it is the main thread, and whether it runs, or waits for a processor.
  bool is_main, is_on_processor;
  /// The task that it runs; NULL for none, or where that is not known before it is asked.
  void *_Nullable task;
  /// The nanoseconds of a processor that it has used.
  int64_t used;
  /// The actor that it is on, zero for none, and its calls; known once it is asked.
  uintptr_t actor;
  size_t count;
  uintptr_t frames[napkin_seen_frames];
} napkin_seen_thread;

/// Looks at each other thread, by what the kernel says of it; returns how many there are.
size_t napkin_see_threads(napkin_seen_thread *_Nonnull threads, size_t capacity);
/// Asks a thread for its calls by a signal, SIGPROF, which may interrupt a wait of it in the kernel.
///
/// It may be held then until napkin_release_threads, for thirty seconds at most: only where it has long waited in the kernel, since
/// it must not have a lock that the report needs.
void napkin_ask_thread(napkin_seen_thread *_Nonnull thread, bool holds);
void napkin_release_threads(void);

/// Calls the function in a thread of its own: each second with false, and with true before SIGTERM or SIGINT ends the process.
///
/// If asked for, the end of the process's parent counts as SIGTERM.
void napkin_watch_hangs(bool ends_with_parent, void (*_Nonnull look)(bool ends));
/// The number of this process.
int napkin_process(void);
/// The addresses at which a suspended task goes on: its own, then those of the functions that wait for it, up to `capacity`.
size_t napkin_waiting_calls(const napkin_heard_task *_Nonnull seen, uintptr_t *_Nonnull addresses, size_t capacity);
