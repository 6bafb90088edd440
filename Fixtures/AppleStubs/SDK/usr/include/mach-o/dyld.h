// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mach-o/loader.h>
#include <stdint.h>
uint32_t _dyld_image_count(void);
const struct mach_header *_dyld_get_image_header(uint32_t index);
const char *_dyld_get_image_name(uint32_t index);
