// SPDX-License-Identifier: Apache-2.0
#include "Runtime.h"

#include <stdatomic.h>
#include <stdlib.h>

static napkin_execution no_execution;
napkin_execution *napkin_current = &no_execution;

napkin_execution *napkin_use_execution(napkin_execution *execution) {
  napkin_execution *before = napkin_current == &no_execution ? NULL : napkin_current;
  napkin_current = execution ? execution : &no_execution;
  // A loop that asked for the time before has ended, or begins anew.
  napkin_forget_questions();
  napkin_use_split(napkin_current->split);
  if (napkin_current->holds_output) napkin_buffer_output(false);
  return before;
}

// The execution of each task, for every thread to ask before it enqueues a job. The exploring thread writes, and so does one that
// creates a task for an execution; one of them at a time.
//
// A place holds a task's number and the low bits of that of its execution. The runtime never uses a task's number again, so
// nothing has to be wiped in the end. Where a task would take the place of one whose execution has not ended, the table is
// replaced by one of twice the size: tasks are numbered in a row, so a few times are enough.
enum { first_places = 4096, execution_bits = 16, execution_mask = (1 << execution_bits) - 1 };
typedef struct owned_tasks {
  // Kept, since another thread may still read it.
  struct owned_tasks *replaced;
  size_t mask;
  _Atomic(uint64_t) places[];
} owned_tasks;
static owned_tasks first = {.mask = first_places - 1, .places = {[first_places - 1] = 0}};
static _Atomic(owned_tasks *) owned = &first;
static _Atomic(bool) is_live[1 << execution_bits];
static _Atomic(uint64_t) live = 0;
static uint64_t last = 0;
static atomic_flag is_written = ATOMIC_FLAG_INIT;

static owned_tasks *grow(owned_tasks *before) {
  size_t count = 2 * (before->mask + 1);
  owned_tasks *larger = calloc(1, sizeof *larger + count * sizeof *larger->places);
  if (!larger) abort();
  larger->replaced = before;
  larger->mask = count - 1;
  for (size_t index = 0; index <= before->mask; index++) {
    uint64_t entry = before->places[index];
    if (entry != 0) larger->places[entry >> execution_bits & larger->mask] = entry;
  }
  atomic_store_explicit(&owned, larger, memory_order_release);
  return larger;
}

uint64_t napkin_begin_owning(void) {
  // Zero marks an empty place.
  last = (last & execution_mask) == execution_mask ? 1 : last + 1;
  is_live[last] = true;
  atomic_fetch_add_explicit(&live, 1, memory_order_relaxed);
  return last;
}

uint64_t napkin_owning(void) { return napkin_current->number; }

void napkin_end_owning(uint64_t execution) {
  is_live[execution] = false;
  atomic_fetch_sub_explicit(&live, 1, memory_order_relaxed);
}

void napkin_own(uint64_t task) { napkin_own_for(task, napkin_owning()); }

void napkin_own_for(uint64_t task, uint64_t execution) {
  // A thread may go on with work that an execution has left to it, when that is over.
  if (!is_live[execution & execution_mask]) return;
  while (atomic_flag_test_and_set_explicit(&is_written, memory_order_acquire)) {}
  owned_tasks *table = owned;
  uint64_t before;
  while (before = table->places[task & table->mask], is_live[before & execution_mask] && before >> execution_bits != task) {
    table = grow(table);
  }
  atomic_store_explicit(&table->places[task & table->mask], task << execution_bits | execution, memory_order_release);
  atomic_flag_clear_explicit(&is_written, memory_order_release);
}

static _Atomic(int) hearing = 0;
void napkin_hear_issues(bool begins) { atomic_fetch_add(&hearing, begins ? 1 : -1); }
bool napkin_hears_issues(void) { return atomic_load_explicit(&hearing, memory_order_relaxed) != 0; }

bool napkin_owns_any(void) { return atomic_load_explicit(&live, memory_order_relaxed) != 0; }

uint64_t napkin_owner(uint64_t task) {
  owned_tasks *table = owned;
  uint64_t entry = table->places[task & table->mask];
  return entry >> execution_bits == task ? entry & execution_mask : 0;
}

static _Thread_local uint64_t works_for = 0;

uint64_t napkin_work_for(uint64_t execution) {
  uint64_t before = works_for;
  works_for = execution;
  return before;
}

uint64_t napkin_owning_here(void) {
  if (napkin_is_exploring_thread()) return napkin_owning();
  if (works_for != 0 || !napkin_owns_any()) return works_for;
  void *task = swift_task_getCurrent();
  return task ? napkin_owner(swift_task_getJobTaskId(task)) : 0;
}
