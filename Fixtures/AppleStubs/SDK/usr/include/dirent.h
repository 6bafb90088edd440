// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/types.h>
typedef struct _DIR DIR;
struct dirent {
  unsigned long long d_ino, d_seekoff;
  unsigned short d_reclen, d_namlen;
  unsigned char d_type;
  char d_name[1024];
};
DIR *opendir(const char *path);
struct dirent *readdir(DIR *folder);
int closedir(DIR *folder);
