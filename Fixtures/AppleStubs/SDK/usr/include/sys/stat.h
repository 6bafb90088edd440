// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdint.h>
#include <sys/types.h>
#define S_ISDIR(mode) (((mode) & 0170000) == 0040000)
struct stat {
  int32_t st_dev;
  mode_t st_mode;
  uint16_t st_nlink;
  uint64_t st_ino;
  off_t st_size;
};
int stat(const char *path, struct stat *status);
int fstat(int descriptor, struct stat *status);
int mkdir(const char *path, mode_t mode);
