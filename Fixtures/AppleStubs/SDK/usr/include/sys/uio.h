// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/types.h>
struct iovec {
  void *iov_base;
  size_t iov_len;
};
