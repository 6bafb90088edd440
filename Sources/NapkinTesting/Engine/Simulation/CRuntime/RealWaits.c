// SPDX-License-Identifier: Apache-2.0
#include "Runtime.h"

#include <stddef.h>

// A task of another image that yields or sleeps does so by the runtime's own functions, which nothing else waits in. In which
// function of the runtime a task goes on then is learned from tasks that are known to wait so.

enum { most_ways = 16 };
static struct {
  uintptr_t function;
  int kind;
} ways[most_ways];
static size_t ways_count = 0;

static uintptr_t function_of(void *task) {
  uintptr_t function = 0;
  return napkin_resume_addresses(task, &function, 1) == 1 ? function : 0;
}

bool napkin_learn_wait(void *task, int kind) {
  uintptr_t function = function_of(task);
  if (!function || !napkin_is_in_runtime(function) || ways_count == most_ways) return false;
  int known = napkin_wait_of(task);
  if (known != napkin_waits_for_nothing_real) return known == kind;
  ways[ways_count].function = function;
  ways[ways_count++].kind = kind;
  return true;
}

int napkin_wait_of(void *task) {
  uintptr_t function = function_of(task);
  for (size_t index = 0; index < ways_count; index++) {
    if (ways[index].function == function) return ways[index].kind;
  }
  return napkin_waits_for_nothing_real;
}
