// SPDX-License-Identifier: Apache-2.0

#pragma once

/// Says how many threads meet from now on; with zero, no meeting is waited for.
void expect_meeting(int count);

/// Waits until that number of threads have come here, for a fifth of a second at most. It orders nothing that they do.
void meet(void);
