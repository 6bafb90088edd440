// SPDX-License-Identifier: Apache-2.0
#pragma once
#define POLLIN 0x1
#define POLLOUT 0x4
#define POLLERR 0x8
#define POLLHUP 0x10
#define POLLNVAL 0x20
typedef unsigned int nfds_t;
struct pollfd {
  int fd;
  short events, revents;
};
int poll(struct pollfd *files, nfds_t count, int milliseconds);
