// SPDX-License-Identifier: Apache-2.0

// The search for races of one execution: the clocks of its tasks, and the accesses that it compares by them.
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

typedef struct {
  clock_vector own;
  // By its last release fence, what its relaxed stores publish; and what its relaxed loads have read, for an acquire fence.
  clock_vector fenced, read;
} task_clocks;

typedef struct {
  /// Zero where the table has no object.
  uintptr_t address;
  // The task whose releases alone are in these clocks, if it is one task.
  int32_t head;
  // Whether its memory was given back.
  bool is_gone;
  // Whether a function of locks was called with it.
  bool is_lock;
  clock_vector released;
} ordering_object;

/// Accesses to eight bytes; the table has nothing where the address is zero.
enum { access_cells = 4 };
typedef struct {
  uintptr_t caller;
  uint32_t clock;
  uint32_t trace;
  int16_t task;
  uint8_t bytes;
  uint8_t kind;
} access_cell;
typedef struct {
  uintptr_t address;
  uint32_t next;
  access_cell cells[access_cells];
} accessed_word;

typedef struct napkin_search {
  /// Why no race is looked for any more; zero if one is.
  int is_off;
  /// Whether a task is resumed since all tasks have come to rest.
  bool is_at_rest;
  task_clocks *tasks;
  size_t task_room;
  int task_count;
  ordering_object *objects;
  uint32_t object_slots, object_count;
  /// How much memory all the clocks have.
  size_t bytes;
  accessed_word *words;
  uint32_t word_slots, word_count;
  /// The objects that were released and have not ended (Releases.c).
  struct released_object *released;
  uint32_t released_slots, released_count;
  napkin_trace *traces;
  size_t trace_room, trace_count;
  bool has_race;
  /// Where that is none if a lock turns out to begin there; or else zero.
  uintptr_t maybe_lock;
  napkin_race race;
} napkin_search;

/// Has the runtime announce how it orders tasks; false if it cannot.
bool napkin_hear_runtime(void);
void napkin_free_clocks(const napkin_search *search);
/// The task whose clocks count here; negative if none do.
int napkin_clock_task(void);
/// The clock of a task in a vector, up to which that task comes before the one whose vector it is.
__attribute__((always_inline)) static inline uint32_t napkin_clock_in(const clock_vector *vector, int task) {
  return (uint32_t)task < vector->count ? vector->clocks[task] : 0;
}
/// Whether what a task did until that clock comes before what another one does from now on.
static inline bool napkin_comes_before(const napkin_search *search, int task, uint32_t clock, int other) {
  return other < search->task_count && clock <= napkin_clock_in(&search->tasks[other].own, task);
}
/// Whether it comes before an access to some memory that is still known.
bool napkin_have_touched(const napkin_search *search, uintptr_t start, size_t size, int task, uint32_t clock);
/// Whether it comes before the end of an object, in which the running task is, by way of a task that has given that object back.
bool napkin_ends_after(const napkin_search *search, int task, uint32_t clock);
void napkin_free_releases(const napkin_search *search);
/// Forgets an object whose memory is given back.
void napkin_forget_released(napkin_search *search, uintptr_t object);
/// Forgets the clocks of the objects in memory that is given back.
void napkin_forget_clocks(napkin_search *search, uintptr_t start, uintptr_t end);
/// Whether a lock begins at an address.
bool napkin_is_lock(napkin_search *search, uintptr_t address);
void napkin_end_races(napkin_search *search, int reason);

/// Functions that memory of the search itself goes by.
extern void __libc_free(void *);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
#endif
