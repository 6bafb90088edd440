// SPDX-License-Identifier: Apache-2.0
#include "NapkinTestingCRuntime.h"

// A debugger finds it by its name, so it stays a function of its own, and each call of it stays a call.
__attribute__((noinline, used, visibility("default"))) void napkin_stop_here(int64_t step, uintptr_t address) {
  __asm__ volatile("" : : "r"(step), "r"(address) : "memory");
}
