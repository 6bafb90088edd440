// SPDX-License-Identifier: Apache-2.0
//
// Reports of a program whose steps are split: its data races, the locks that its tasks wait for, and the state that its tests share.
#pragma once

#include "NapkinTestingCRuntime.h"

/// A lock that a task holds, and the callers of the call by which it took that.
typedef struct {
  int32_t kind;
  uintptr_t address;
  napkin_frames frames;
} napkin_held_lock;
enum { napkin_race_locks = 3 };
/// The callers of an access, how many locks the task held then, and the first of them.
typedef struct {
  napkin_frames frames;
  int32_t lock_count;
  napkin_held_lock locks[napkin_race_locks];
} napkin_trace;
/// One of the two accesses of a data race.
typedef struct {
  int32_t task;
  bool writes;
  bool is_atomic;
  /// Where the call of it returns to, from the start of the program's code.
  uintptr_t caller;
  /// Empty where callers are not kept.
  napkin_trace trace;
} napkin_race_access;
typedef struct {
  napkin_race_access first, second;
} napkin_race;
/// The first race of an execution; NULL if none was found.
const napkin_race *_Nullable napkin_race_of(const napkin_split *_Nonnull split);
/// Why no race was looked for in the rest of the execution.
enum {
  napkin_races_looked_for = 0,
  napkin_races_too_many_tasks = 1,
  napkin_races_too_many_locks = 2,
  napkin_races_left_to_others = 3,
  napkin_races_too_many_words = 4,
  napkin_races_not_heard = 5,
};
int napkin_why_no_races(const napkin_split *_Nonnull split);

typedef struct {
  int32_t kind;
  /// Whether it is a lock that one task has.
  bool is_of_one_task;
  /// The task that holds it, negative if that is not known; and the thread where its job is half-run, NULL if none is.
  int32_t holder_task;
  napkin_thread *_Nullable holder;
  /// The callers of the wait, and those of the call by which the holder took the lock.
  napkin_frames frames, holder_frames;
} napkin_split_wait;
napkin_split_wait napkin_describe_wait(const napkin_thread *_Nonnull thread);

enum { napkin_shared_accesses = 6, napkin_shared_frames = 6 };
/// The first access of a kind that a test made to a variable, and the addresses that its calls return to, the innermost first.
typedef struct {
  int32_t test;
  bool writes;
  uintptr_t callers[napkin_shared_frames];
} napkin_shared_access;
/// A variable that more than one test came to, by the numbers of the tests.
typedef struct {
  uintptr_t address;
  /// The lock or the actor that each access was under; zero if there is none.
  uintptr_t guard;
  int32_t first_test, access_count;
  /// How many more accesses there were.
  int32_t others;
  bool is_shared;
  /// Whether it was written when it had a value, or after another test had come to it.
  bool is_replaced;
  napkin_shared_access accesses[napkin_shared_accesses];
} napkin_shared_variable;
/// Hears of each variable that code of the program comes to outside of explorations, where the function says which test the caller is
/// in, negative for none; false if this process cannot.
bool napkin_hear_sharing(int (*_Nonnull test)(void));
/// Writes the variables that tests share, up to `capacity`, and hears of no more; returns how many there are. Some are missed if there
/// were too many.
size_t napkin_shared_variables(napkin_shared_variable *_Nullable written, size_t capacity, bool *_Nonnull misses);
/// The start of the object that has the address in it; zero if none is found.
uintptr_t napkin_object_around(uintptr_t address);
/// The symbol of the program's variable that has the address in it, or that refers to an object; NULL if there is none. It is the
/// caller's to free.
char *_Nullable napkin_variable_at(uintptr_t address);
char *_Nullable napkin_variable_that_holds(uintptr_t pointer);
/// The first function whose symbol begins and ends like this; zero if there is none.
uintptr_t napkin_function_named(const char *_Nonnull beginning, const char *_Nonnull end);
