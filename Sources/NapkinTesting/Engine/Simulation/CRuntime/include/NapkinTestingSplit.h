// SPDX-License-Identifier: Apache-2.0
//
// Half-run jobs. A job keeps its thread; one thread at a time runs, the one that has the baton, and that one is the exploring thread.
//
// Steps that can be split: code that was compiled with `-Xfrontend -sanitize=thread` calls a function at each access to memory
// that may be shared, and a job may be preempted there. In other programs its accesses are the calls of the runtime (Stops.c).
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A thread of the simulation. It runs jobs, keeps a half-run one, or is idle.
typedef struct napkin_thread napkin_thread;

enum { napkin_split_frames = 24 };
/// The addresses that calls return to, the innermost first.
typedef struct {
  uintptr_t addresses[napkin_split_frames];
  size_t count;
} napkin_frames;

enum {
  napkin_access_read = 0,
  napkin_access_write = 1,
  napkin_access_atomic_read = 2,
  napkin_access_atomic_write = 3,
  napkin_access_lock = 4,
  napkin_access_unlock = 5,
  // It cancels another task, or those of a group.
  napkin_access_cancel = 6,
  // It has cancelled one, or has asked whether it is cancelled itself; it has made another task ready; it is about to suspend itself.
  napkin_access_cancelled = 7,
  napkin_access_asked = 8,
  napkin_access_started = 9,
  napkin_access_hop = 10,
  // It adds a handler of its own cancellation, or that begins; it is about to make another task ready.
  napkin_access_handler = 11,
  napkin_access_starts = 12,
  // It hands a variable over by `&`, and may write all of it.
  napkin_access_handed = 13,
};

/// An access at which a job may be preempted.
typedef struct {
  /// How many accesses of its task came before it, and this one.
  int64_t number;
  int32_t task;
  int32_t kind;
  /// Whether the plan says that the task is preempted here; else its step has had too many accesses.
  bool is_planned;
  /// Where the call that says so returns to.
  uintptr_t caller;
} napkin_access;

/// The scheduler's side, each called on the thread that has the baton. They return the thread that gets it next, NULL for the one that
/// has begun the execution.
typedef struct {
  /// Runs jobs until a half-run one is picked, which goes on in its own thread, or none is ready.
  napkin_thread *_Nullable (*_Nonnull go_on)(void);
  /// Decides whether a job is preempted at an access, and which thread goes on in place of it.
  bool (*_Nonnull preempts)(napkin_thread *_Nonnull thread, const napkin_access *_Nonnull access,
                            napkin_thread *_Nullable *_Nonnull next);
  /// A job has to wait until napkin_can_go_on, which it can at a time of the execution in any case.
  napkin_thread *_Nullable (*_Nonnull waits)(napkin_thread *_Nonnull thread, int64_t deadline);
  /// The code under test has started a thread, which is a task of its own.
  void (*_Nonnull starts)(napkin_thread *_Nonnull thread);
  /// That one has ended.
  napkin_thread *_Nullable (*_Nonnull ends)(napkin_thread *_Nonnull thread);
  /// Makes a job of the runtime's ready that is no task; with a name, and on the main actor or on none.
  void (*_Nonnull starts_job)(const char *_Nonnull name, bool on_main, void *_Nonnull job);
  /// A task begins to wait for its continuation.
  void (*_Nonnull has_continuation)(void *_Nonnull task);
  /// The running task is about to resume a task's continuation; returns whether that was not done before.
  bool (*_Nonnull resumes)(void *_Nonnull task);
  /// The job of a thread waits in the kernel, and the one of another goes on without being chosen (Stops.c).
  void (*_Nonnull loses)(napkin_thread *_Nonnull thread, napkin_thread *_Nonnull other);
} napkin_split_handlers;

/// Whether jobs can be preempted at the accesses of this program, and if not, why: it was not asked for; the program was built for it
/// without code that calls the functions for its accesses, or the other way round; those of a sanitizer are called; the program has no
/// symbols, which distinguish the code under test from the kit's; or the platform is another one.
enum {
  napkin_splits_steps = 0,
  napkin_split_not_asked = 1,
  napkin_split_not_compiled = 2,
  napkin_split_not_linked = 3,
  napkin_split_beside_sanitizer = 4,
  napkin_split_without_symbols = 5,
  napkin_split_elsewhere = 6,
};
int napkin_splitting(void);
/// Whether jobs can be stopped at calls of the runtime.
bool napkin_stops_at_calls(void);
/// Takes a baton over wherever its holder is in its own code, as if that waited for a lock, at as many places as there are: for the
/// tests of that alone. Returns how often that has happened.
int napkin_be_hasty(bool hasty);
/// Whether any code of this program was compiled to call the functions for its accesses.
bool napkin_is_instrumented(void);
void napkin_take_splits(napkin_split_handlers handlers);
/// A task and the number of an access of it.
typedef struct {
  int32_t task;
  int64_t number;
} napkin_point;
/// The accesses of an execution that begins, in which jobs are to be preempted at these points; NULL where steps are whole.
napkin_split *_Nullable napkin_make_split(const napkin_point *_Nullable points, size_t count);
void napkin_free_split(napkin_split *_Nonnull split);
int64_t napkin_accesses_of(const napkin_split *_Nonnull split, int32_t task);
/// Keeps the calling thread, and those of the simulation, on the processor where it is; false if they are on one already, or cannot be.
bool napkin_stay_on_processor(void);
void napkin_leave_processor(void);
/// Cancels a task, whose handlers may want a lock that a stopped job has.
void napkin_cancel_between_jobs(void *_Nonnull task);
/// A job, of none of the runtime's tasks, that cancels one.
void *_Nonnull napkin_make_cancellation(void *_Nonnull task);
/// Gives the baton to a thread, and waits until it comes back.
void napkin_run_split(napkin_thread *_Nonnull thread);
/// The same in the middle of a job, whose thread goes on when it is chosen again; NULL is the thread that has begun the execution.
void napkin_let_run(napkin_thread *_Nullable thread);
/// Whether an execution has lost control of a job, and counts for nothing; and whether a job runs without being chosen, and
/// does not wait to be yet.
bool napkin_is_lost(const napkin_split *_Nonnull split);
bool napkin_is_out(const napkin_thread *_Nonnull thread);
/// The job is at a call of the runtime where it can be stopped, unless steps are split.
void napkin_reach_call(int kind);
/// An idle thread, which is made if there is none; NULL if none can be made.
napkin_thread *_Nullable napkin_idle_thread(void);
bool napkin_has_idle_thread(void);
/// Says that a job of a task begins on the calling thread, and that it has ended.
void napkin_begin_slice(int32_t task);
void napkin_end_slice(void);
/// Says that the calling thread leaves the job that it runs, for an exploration inside another one. Returns whether it was in one.
bool napkin_leave_job(void);
void napkin_return_to_job(void);
/// The thread that begins executions.
napkin_thread *_Nonnull napkin_starting_thread(void);
/// The calling thread of the simulation, NULL for another one.
napkin_thread *_Nullable napkin_this_split_thread(void);
/// The task whose job a thread runs or keeps.
int32_t napkin_thread_task(const napkin_thread *_Nonnull thread);
/// The actor that its job is on, zero for none.
uintptr_t napkin_thread_actor(const napkin_thread *_Nonnull thread);
void napkin_set_thread_actor(napkin_thread *_Nonnull thread, uintptr_t actor);
void napkin_set_thread_task(napkin_thread *_Nonnull thread, int32_t task);
/// Whether a thread may wait for ever: one that the code under test has started may serve as long as the process lives.
bool napkin_may_wait(const napkin_thread *_Nonnull thread);
/// Whether a thread that waits can go on.
bool napkin_can_go_on(const napkin_thread *_Nonnull thread);
/// Discards a half-run job: its frames are abandoned, the locks that it holds are released, and its thread ends.
void napkin_discard_thread(napkin_thread *_Nonnull thread);

/// Says of an execution that begins whether accesses are written down, so that it can be seen which addresses several tasks
/// come to; whether those are looked for that nothing orders; and whether their callers are kept, and those of calls that take locks.
void napkin_begin_accesses(napkin_split *_Nonnull split, bool learns, bool looks_for_races, bool keeps_callers);
/// Says that its tasks have no more accesses.
void napkin_end_accesses(void);
/// How many words of four bytes the calling thread has exchanged in code that says so: taking and giving back a Mutex are two.
uint64_t napkin_exchanges(void);
/// Says that accesses from now on may be ordered by something that is not seen.
void napkin_stop_looking_for_races(void);
/// Says that the task which is resumed now comes after all that others have done, since they have come to rest; and that it was.
void napkin_resume_at_rest(bool begins);
/// Orders the running task from now on after every task up to its last release of an address; and releases the address.
void napkin_acquire(const volatile void *_Nonnull address);
void napkin_release_clocks(const volatile void *_Nonnull address);

/// Whether XCTest has begun a test in this process; false where steps are not split.
bool napkin_has_run_test_case(void);

/// Code between these two is not counted, and is not preempted. Other threads ask whether they are in it.
extern _Thread_local int napkin_counts_accesses;
int napkin_pause_accesses(void);
void napkin_resume_accesses(int before);

/// Says that another job is ready, so that a preemption would have an effect.
void napkin_others_are_ready(bool are_ready);
/// An access to an address that several tasks came to while another job was ready, at least one of them to write.
typedef struct {
  napkin_point point;
  /// The same number for the same address, counted from zero.
  int32_t group;
} napkin_candidate;
/// Finds these among the accesses that were written down, ordered by their groups; NULL if there are none.
const napkin_candidate *_Nullable napkin_find_candidates(napkin_split *_Nonnull split, size_t *_Nonnull count);

enum {
  napkin_waits_for_nothing = 0,
  napkin_waits_for_mutex = 1,
  napkin_waits_for_pthread_mutex = 2,
  napkin_waits_for_condition = 3,
  napkin_waits_for_semaphore = 4,
  napkin_waits_for_rwlock = 5,
  napkin_waits_for_once = 6,
  napkin_waits_for_file = 7,
  napkin_waits_for_word = 8,
  napkin_waits_for_time = 9,
  napkin_waits_for_spin_lock = 10,
  napkin_waits_for_queue = 11,
  napkin_waits_for_thread = 12,
};
