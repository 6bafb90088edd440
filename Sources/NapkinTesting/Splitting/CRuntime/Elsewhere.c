// SPDX-License-Identifier: Apache-2.0
#include "System.h"

// Split steps were asked for where there are none: beside a sanitizer, or on another platform. Each step is whole, and a warning says
// so, so that there is nothing to report.

#if !NAPKIN_SPLITS
#include "NapkinTestingCSplitting.h"

const napkin_race *napkin_race_of(const napkin_split *split) { return (void)split, NULL; }
int napkin_why_no_races(const napkin_split *split) { return (void)split, napkin_races_looked_for; }
napkin_split_wait napkin_describe_wait(const napkin_thread *thread) { return (void)thread, (napkin_split_wait){0}; }

bool napkin_hear_sharing(int (*test)(void)) { return (void)test, false; }
size_t napkin_shared_variables(napkin_shared_variable *written, size_t capacity, bool *misses) {
  return (void)written, (void)capacity, *misses = false, 0;
}
uintptr_t napkin_object_around(uintptr_t address) { return (void)address, 0; }
char *napkin_variable_at(uintptr_t address) { return (void)address, NULL; }
char *napkin_variable_that_holds(uintptr_t pointer) { return (void)pointer, NULL; }
uintptr_t napkin_function_named(const char *beginning, const char *end) { return (void)beginning, (void)end, 0; }
#endif
