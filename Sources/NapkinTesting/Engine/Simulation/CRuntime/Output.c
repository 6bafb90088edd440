// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "System.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

// Output of the code under test is held back while it is explored: a body that prints a line would print a thousand. The file
// descriptors stay as they are, since other tests print at the same time. Bytes that the exploring thread writes to standard output or
// standard error are kept instead, the latest of them for a crash report. They come by the functions `write` and `writev`, or by the
// streams `stdout` and `stderr`, which are variables of the C library: each is set to a stream that asks here before it writes.

enum { kept_size = 1 << 14 };
static char kept[kept_size];
static size_t kept_length = 0;

void napkin_forget_output(void) { kept_length = 0; }

// A sanitizer replaces them itself.
#if NAPKIN_REPLACES
#include <stdio_ext.h>
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

static bool is_held(int file) {
  return napkin_is_exploring_thread() && napkin_current->holds_output && (file == STDOUT_FILENO || file == STDERR_FILENO);
}

ssize_t write(int file, const void *bytes, size_t length) {
  if (!is_held(file)) return write_past(file, bytes, length);
  keep(bytes, length);
  return (ssize_t)length;
}

ssize_t writev(int file, const struct iovec *parts, int count) {
  if (!is_held(file)) return syscall(SYS_writev, file, parts, count);
  ssize_t length = 0;
  for (int index = 0; index < count; index++) {
    keep(parts[index].iov_base, parts[index].iov_len);
    length += (ssize_t)parts[index].iov_len;
  }
  return length;
}

static ssize_t write_stream(void *file, const char *bytes, size_t length) {
  int number = (int)(intptr_t)file;
  if (is_held(number)) return write(number, bytes, length);
  return napkin_write_all(number, bytes, length) ? (ssize_t)length : 0;
}

static FILE *stream_of(int file, FILE *original) {
  FILE *stream = fopencookie((void *)(intptr_t)file, "w", (cookie_io_functions_t){.write = write_stream});
  if (!stream) return original;
  // `fileno` answers as before: the stream may be asked whether it is a terminal.
  stream->_fileno = file;
  return stream;
}

// How standard output is buffered where it is not held back.
static char output_buffer[BUFSIZ];
static int output_mode = _IOFBF;

// Before `main`, while no thread has the lock of a stream.
__attribute__((constructor)) static void take_streams(void) {
  if (isatty(STDOUT_FILENO)) output_mode = _IOLBF;
  stdout = stream_of(STDOUT_FILENO, stdout);
  setvbuf(stdout, output_buffer, output_mode, sizeof output_buffer);
  stderr = stream_of(STDERR_FILENO, stderr);
  setvbuf(stderr, NULL, _IONBF, 0);
}

static bool is_buffered = true;

// A stream without a buffer writes on the thread that prints, which says whose bytes they are.
void napkin_buffer_output(bool buffers) {
  // A job that is half-way through a call of `print` may have the lock, and waits for others.
  if (buffers == is_buffered || (buffers && napkin_current->holds_output) || ftrylockfile(stdout) != 0) return;
  if (!buffers) {
    output_mode = __flbf(stdout) ? _IOLBF : __fbufsize(stdout) > 1 ? _IOFBF : _IONBF;
    setvbuf(stdout, NULL, _IONBF, 0);
  } else if (output_mode != _IONBF) {
    setvbuf(stdout, output_buffer, output_mode, sizeof output_buffer);
  }
  is_buffered = buffers;
  funlockfile(stdout);
}
#else
void napkin_buffer_output(bool buffers) { (void)buffers; }
static ssize_t write_past(int file, const char *text, size_t length) { return write(file, text, length); }
#endif

// `swift test` reads what tests print from a pipe, 4,096 bytes at a time, and drops all that it has read where that cuts a character in
// two. So no more than that is left in a pipe, unless the reader does not come for a tenth of a second, and no piece ends in a character.
static size_t piece(int file, const char *text, size_t length) {
  enum { most = 4096, most_waits = 100 };
  struct stat status;
  if (fstat(file, &status) != 0 || !S_ISFIFO(status.st_mode)) return length;
  int left = 0;
  for (int waits = 0; ioctl(file, FIONREAD, &left) == 0 && left != 0 && (size_t)left + length > most; waits++) {
    if (waits == most_waits) return length;
    poll(NULL, 0, 1);
  }
  if (length <= most) return length;
  size_t end = most;
  while (end > 1 && ((unsigned char)text[end] & 0xC0) == 0x80) end--;
  return end;
}

bool napkin_write_all(int file, const char *text, size_t length) {
  while (length != 0) {
    ssize_t written = write_past(file, text, piece(file, text, length));
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
