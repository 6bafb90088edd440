// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/types.h>
#define AF_UNIX 1
#define SOCK_STREAM 1
#define SOL_SOCKET 0xffff
#define SO_NOSIGPIPE 0x1022
#define MSG_NOSIGNAL 0x80000
typedef unsigned int socklen_t;
int socketpair(int domain, int type, int protocol, int sockets[2]);
int setsockopt(int socket, int level, int option, const void *value, socklen_t size);
ssize_t send(int socket, const void *bytes, size_t size, int flags);
ssize_t recv(int socket, void *bytes, size_t size, int flags);
