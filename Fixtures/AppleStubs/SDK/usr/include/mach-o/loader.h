// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdint.h>
#define MH_MAGIC_64 0xfeedfacf
#define LC_UUID 0x1b
struct mach_header_64 {
  uint32_t magic;
  int32_t cputype, cpusubtype;
  uint32_t filetype, ncmds, sizeofcmds, flags, reserved;
};
struct load_command {
  uint32_t cmd, cmdsize;
};
struct uuid_command {
  uint32_t cmd, cmdsize;
  uint8_t uuid[16];
};
