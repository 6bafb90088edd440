// SPDX-License-Identifier: Apache-2.0
#pragma once
int backtrace(void **frames, int size);
