// SPDX-License-Identifier: Apache-2.0
#include "NapkinTestingCRuntime.h"

extern void napkin_install_seam(void);

// The loader calls this before `main`, and in a bundle when it is loaded.
__attribute__((constructor)) static void install(void) { napkin_install_seam(); }
