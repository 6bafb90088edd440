// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/types.h>
void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t count);
int memcmp(const void *left, const void *right, size_t size);
void *memset(void *memory, int byte, size_t size);
size_t strlen(const char *text);
int strcmp(const char *left, const char *right);
int strncmp(const char *left, const char *right, size_t size);
char *strrchr(const char *text, int character);
char *strstr(const char *text, const char *part);
char *strdup(const char *text);
size_t strcspn(const char *text, const char *characters);
char *strchr(const char *text, int character);
size_t strlcpy(char *to, const char *from, size_t size);
