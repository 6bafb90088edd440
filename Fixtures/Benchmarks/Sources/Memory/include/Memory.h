// SPDX-License-Identifier: Apache-2.0
#pragma once

/// How many bytes are allocated and not freed.
long napkin_allocated_bytes(void);
