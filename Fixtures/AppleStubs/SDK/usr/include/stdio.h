// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/types.h>
typedef struct __sFILE FILE;
extern FILE *__stdoutp, *__stderrp;
#define stdout __stdoutp
#define stderr __stderrp
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
FILE *fopen(const char *path, const char *mode);
int fclose(FILE *file);
int rename(const char *from, const char *to);
#define _IONBF 2
int setvbuf(FILE *file, char *buffer, int mode, size_t size);
size_t fread(void *buffer, size_t size, size_t count, FILE *file);
size_t fwrite(const void *buffer, size_t size, size_t count, FILE *file);
int fseek(FILE *file, long offset, int from);
int puts(const char *text);
int fputs(const char *text, FILE *file);
int fflush(FILE *file);
int snprintf(char *buffer, size_t size, const char *format, ...);
int fprintf(FILE *file, const char *format, ...);
FILE *fdopen(int file, const char *mode);
ssize_t getline(char **line, size_t *capacity, FILE *file);
int fileno(FILE *file);
int vprintf(const char *format, __builtin_va_list arguments);
