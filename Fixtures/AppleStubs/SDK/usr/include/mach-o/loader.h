// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdint.h>
#define MH_MAGIC_64 0xfeedfacf
#define MH_DYLIB_IN_CACHE 0x80000000
#define LC_REQ_DYLD 0x80000000
#define LC_LOAD_DYLIB 0xc
#define LC_LOAD_WEAK_DYLIB (0x18 | LC_REQ_DYLD)
#define LC_UUID 0x1b
struct mach_header {
  uint32_t magic;
  int32_t cputype, cpusubtype;
  uint32_t filetype, ncmds, sizeofcmds, flags;
};
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
struct dylib_command {
  uint32_t cmd, cmdsize;
  struct {
    struct {
      uint32_t offset;
    } name;
    uint32_t timestamp, current_version, compatibility_version;
  } dylib;
};
