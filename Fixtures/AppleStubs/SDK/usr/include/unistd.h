// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/types.h>
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
unsigned alarm(unsigned seconds);
unsigned sleep(unsigned seconds);
int usleep(unsigned microseconds);
int isatty(int descriptor);
#define F_OK 0
int access(const char *path, int mode);
int unlink(const char *path);
int close(int descriptor);
pid_t getpid(void);
pid_t getppid(void);
ssize_t read(int descriptor, void *buffer, size_t size);
ssize_t write(int descriptor, const void *buffer, size_t size);
void _exit(int code) __attribute__((noreturn));
#define _SC_NPROCESSORS_ONLN 58
long sysconf(int name);
off_t lseek(int file, off_t offset, int from);
ssize_t pread(int file, void *bytes, size_t size, off_t offset);
int dup2(int file, int number);
