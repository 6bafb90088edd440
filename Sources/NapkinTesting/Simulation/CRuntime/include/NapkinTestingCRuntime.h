// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdbool.h>
#include <stdint.h>

/// Makes the calling thread the one whose jobs are controlled.
void napkin_explore_on_this_thread(void);
/// Gives the thread back to the runtime.
void napkin_stop_exploring(void);
/// Whether the calling thread is the one whose jobs are controlled: one relaxed load and one compare.
bool napkin_is_exploring_thread(void);
