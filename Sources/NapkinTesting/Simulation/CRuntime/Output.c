// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Split.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

// The C library's headers replace the name by a macro in optimised builds.
#undef fwrite_unlocked

// What the code under test prints is held back while it is explored: a body that prints a line would print a thousand. The file
// descriptors stay as they are, since other tests print at the same time. Instead the functions that write are replaced, and hold
// back what the exploring thread writes to standard output or standard error. The latest of it is kept for a crash report.

static bool holds = false;

bool napkin_hold_output(bool hold) {
  bool held = holds;
  holds = hold;
  return held;
}

enum { kept_size = 1 << 14 };
static char kept[kept_size];
static size_t kept_length = 0;

void napkin_forget_output(void) { kept_length = 0; }

// A sanitizer replaces them itself.
#if NAPKIN_SPLITS
#include <sys/syscall.h>

static void keep(const char *bytes, size_t length) {
  if (length > kept_size) {
    bytes += length - kept_size;
    length = kept_size;
  }
  if (kept_length + length > kept_size) {
    size_t dropped = kept_length + length - kept_size;
    memmove(kept, kept + dropped, kept_length - dropped);
    kept_length -= dropped;
  }
  memcpy(kept + kept_length, bytes, length);
  kept_length += length;
}

static ssize_t write_past(int file, const char *text, size_t length) { return syscall(SYS_write, file, text, length); }

static bool is_held(FILE *file) { return napkin_is_exploring_thread() && holds && (file == stdout || file == stderr); }
static bool is_held_descriptor(int file) {
  return napkin_is_exploring_thread() && holds && (file == STDOUT_FILENO || file == STDERR_FILENO);
}

ssize_t write(int file, const void *bytes, size_t length) {
  if (!is_held_descriptor(file)) return write_past(file, bytes, length);
  keep(bytes, length);
  return (ssize_t)length;
}

ssize_t writev(int file, const struct iovec *parts, int count) {
  if (!is_held_descriptor(file)) return syscall(SYS_writev, file, parts, count);
  ssize_t length = 0;
  for (int index = 0; index < count; index++) {
    keep(parts[index].iov_base, parts[index].iov_len);
    length += (ssize_t)parts[index].iov_len;
  }
  return length;
}

size_t fwrite(const void *bytes, size_t size, size_t count, FILE *file) {
  if (!is_held(file)) return SYSTEM(fwrite)(bytes, size, count, file);
  keep(bytes, size * count);
  return count;
}

size_t fwrite_unlocked(const void *bytes, size_t size, size_t count, FILE *file) {
  if (!is_held(file)) return SYSTEM(fwrite_unlocked)(bytes, size, count, file);
  keep(bytes, size * count);
  return count;
}

int fputs(const char *text, FILE *file) {
  if (!is_held(file)) return SYSTEM(fputs)(text, file);
  keep(text, strlen(text));
  return 1;
}

int puts(const char *text) {
  if (!is_held(stdout)) return SYSTEM(puts)(text);
  keep(text, strlen(text));
  keep("\n", 1);
  return 1;
}

static int keep_character(int character) {
  char byte = (char)character;
  keep(&byte, 1);
  return (unsigned char)byte;
}

#undef putc
#undef putchar
#undef putc_unlocked
#undef putchar_unlocked
#define CHARACTER(name) \
  int name(int character, FILE *file) { \
    return is_held(file) ? keep_character(character) : SYSTEM(name)(character, file); \
  }
#define OUTPUT_CHARACTER(name) \
  int name(int character) { \
    return is_held(stdout) ? keep_character(character) : SYSTEM(name)(character); \
  }
CHARACTER(fputc)
CHARACTER(putc)
CHARACTER(putc_unlocked)
OUTPUT_CHARACTER(putchar)
OUTPUT_CHARACTER(putchar_unlocked)

int vfprintf(FILE *file, const char *format, va_list arguments) {
  if (!is_held(file)) return SYSTEM(vfprintf)(file, format, arguments);
  char *text = NULL;
  int length = vasprintf(&text, format, arguments);
  if (length > 0) keep(text, (size_t)length);
  if (length >= 0) free(text);
  return length;
}

int vprintf(const char *format, va_list arguments) { return vfprintf(stdout, format, arguments); }

int fprintf(FILE *file, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vfprintf(file, format, arguments);
  va_end(arguments);
  return length;
}

int printf(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vfprintf(stdout, format, arguments);
  va_end(arguments);
  return length;
}
#else
static ssize_t write_past(int file, const char *text, size_t length) { return write(file, text, length); }
#endif

bool napkin_write_all(int file, const char *text, size_t length) {
  while (length != 0) {
    ssize_t written = write_past(file, text, length);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text += written;
    length -= (size_t)written;
  }
  return true;
}

void napkin_write_error(const char *text, size_t length) { napkin_write_all(STDERR_FILENO, text, length); }

void napkin_show_kept_output(void) {
  napkin_write_error(kept, kept_length);
  kept_length = 0;
}
