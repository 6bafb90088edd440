// SPDX-License-Identifier: Apache-2.0
#pragma once
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#include <sys/types.h>
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void free(void *memory);
void *realloc(void *pointer, size_t size);
char *getenv(const char *name);
int setenv(const char *name, const char *value, int overwrite);
int unsetenv(const char *name);
void abort(void) __attribute__((noreturn));
void exit(int code) __attribute__((noreturn));
int mkstemp(char *pattern);
int atexit(void (*function)(void));
long strtol(const char *text, char **end, int base);
