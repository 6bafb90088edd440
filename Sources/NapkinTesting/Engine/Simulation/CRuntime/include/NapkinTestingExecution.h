// SPDX-License-Identifier: Apache-2.0

// One execution, its number and its time.
#pragma once

typedef struct napkin_split napkin_split;
/// An awaited call: where its caller goes on, the function that was called if that is known, where the caller of the caller
/// goes on, and whether a task has suspended in the call.
typedef struct {
  uintptr_t resumption, callee, outer;
  bool has_suspended, is_new;
} napkin_await;
/// The awaited calls of an exploration.
typedef struct napkin_awaits napkin_awaits;
/// A table of awaited calls, to be freed.
napkin_awaits *_Nonnull napkin_make_awaits(void);
/// An execution begins that looks at awaited calls. Whether its steps show more of them: not where all that are known have suspended.
bool napkin_begin_awaits(napkin_awaits *_Nonnull awaits);
/// Whether something is new of any call.
bool napkin_has_news(const napkin_awaits *_Nonnull awaits);
/// Writes the calls of which something is new, and returns their number; nothing once there are too many calls to know all.
size_t napkin_take_awaits(napkin_awaits *_Nonnull awaits, napkin_await *_Nonnull calls, size_t capacity);
/// Takes note that the calls which a suspended task waits in are ones that suspend.
void napkin_note_suspended(napkin_awaits *_Nonnull awaits, void *_Nonnull task);
/// All that the C functions keep of one execution: zeroed when it begins, and dropped with it. The exploring thread alone
/// uses it, or a thread that runs a half-run job in its place.
typedef struct {
  /// The number that its tasks are owned by.
  uint64_t number;
  /// Its time in nanoseconds.
  int64_t now;
  /// How often the time was asked for since a task last went to sleep.
  int64_t questions;
  /// The time by each of the system's clocks when it was first asked for, from which on it moves with the execution.
  struct timespec beginnings[8];
  /// How the date moves apart from the other clocks: by nanoseconds in a second, and by a step from one reading of it on.
  int64_t date_drift, date_step, date_step_at, date_readings;
  /// Whether it has left something to a dispatch queue or to a thread.
  bool has_left_something;
  /// Whether its standard output and standard error are held back.
  bool holds_output;
  /// Whether it is looked at which code creates a task.
  bool keeps_creators;
  /// Its scheduler, and the execution itself: Swift objects that are alive while it runs.
  void *_Nullable scheduler, *_Nullable execution;
  /// The awaited calls, where these are looked at.
  napkin_awaits *_Nullable awaits;
  /// Its accesses, where steps are split.
  napkin_split *_Nullable split;
} napkin_execution;
/// The execution that runs, or one that stands for none. Only the exploring thread asks, or one that runs a half-run job.
extern napkin_execution *_Nonnull napkin_current __attribute__((swift_attr("nonisolated(unsafe)")));
/// Lets an execution run, or none: the tasks made from now on are its own, and clocks show its time. Returns the one that ran
/// before: one may be inside another, and one may wait while others run.
napkin_execution *_Nullable napkin_use_execution(napkin_execution *_Nullable execution)
    __attribute__((swift_attr("discardableResult")));
/// Begins an execution that owns the tasks it makes, and returns its number, which is not zero and has 16 bits.
uint64_t napkin_begin_owning(void);
/// The number of the execution that runs, zero if none does.
uint64_t napkin_owning(void);
/// Ends an execution; another one has to run before.
void napkin_end_owning(uint64_t execution);
/// The time of the execution that runs, in nanoseconds since it began.
int64_t napkin_time(void);
/// That time, for a clock that is asked: after a thousand questions it moves on with each one.
int64_t napkin_asked_time(void);
/// Lets the standard clocks say, on the exploring thread, that so much time has passed since the execution began.
void napkin_set_time(int64_t nanoseconds);
/// Says that a task goes to sleep, so no task has been waiting in a loop for time to pass.
void napkin_forget_questions(void);
