// SPDX-License-Identifier: Apache-2.0

// The clocks of tasks, which the search for races compares.
#pragma once
#include "Split.h"

#if NAPKIN_SPLITS
/// A clock for each task, zero for those after the last that is kept.
typedef struct {
  uint32_t *clocks;
  uint32_t count, capacity;
} clock_vector;

/// Most tasks that are compared in an execution.
enum { napkin_most_tasks = 4096 };

/// Has the runtime announce how it orders tasks; false if it cannot.
bool napkin_hear_runtime(void);
void napkin_begin_clocks(void);
/// The task whose clocks count here; negative if none do.
int napkin_clock_task(void);
/// The clock of another task in the vector of a task, up to which that task comes before it; its own for itself.
uint32_t napkin_clock_of(int task, int other);
/// Forgets the clocks of the objects in memory that is given back.
void napkin_forget_clocks(uintptr_t start, uintptr_t end);
void napkin_end_races(int reason);

/// Held while a table moves, and while a thread outside of the simulation looks something up in one.
void napkin_lock_tables(void);
void napkin_unlock_tables(void);
/// Functions that memory of the search itself goes by.
extern void __libc_free(void *);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_calloc(size_t, size_t);
#endif
