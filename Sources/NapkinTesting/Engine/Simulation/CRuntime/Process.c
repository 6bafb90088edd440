// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "NapkinTestingCRuntime.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

const char *napkin_environment(const char *name) { return getenv(name); }

#if defined(__APPLE__)
#include <crt_externs.h>
#define environ (*_NSGetEnviron())
#else
extern char **environ;
#endif

const char *napkin_environment_entry(size_t position) { return environ ? environ[position] : NULL; }

bool napkin_error_is_terminal(void) { return isatty(STDERR_FILENO); }

unsigned napkin_terminal_columns(void) {
  struct winsize size;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0) return size.ws_col;
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0) return size.ws_col;
  // `swift test` reads the output by pipes, and writes it to the terminal that the process still has.
  int terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
  if (terminal < 0) return 0;
  bool is_known = ioctl(terminal, TIOCGWINSZ, &size) == 0;
  close(terminal);
  return is_known ? size.ws_col : 0;
}

void napkin_write_output(const char *text, size_t length) {
  fwrite(text, 1, length, stdout);
  fflush(stdout);
}

bool napkin_folder_exists(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool napkin_make_folders(const char *path) {
  char part[4096];
  for (size_t length = 1; path[0] != 0 && length < sizeof part; length++) {
    if (path[length] != '/' && path[length] != 0) continue;
    memcpy(part, path, length);
    part[length] = 0;
    mkdir(part, 0777);
    if (path[length] == 0) break;
  }
  return napkin_folder_exists(path);
}

static bool write_to(FILE *file, const char *text, size_t length) {
  if (!file) return false;
  // In one piece: several processes may add their lines to one file.
  setvbuf(file, NULL, _IONBF, 0);
  bool wrote = fwrite(text, 1, length, file) == length;
  return fclose(file) == 0 && wrote;
}

bool napkin_write_file(const char *path, const char *text, size_t length) {
  static atomic_uint number;
  char draft[4096];
  int size = snprintf(draft, sizeof draft, "%s.%ld-%u.draft", path, (long)getpid(), atomic_fetch_add(&number, 1));
  if (size < 0 || (size_t)size >= sizeof draft) return false;
  if (write_to(fopen(draft, "wbx"), text, length) && rename(draft, path) == 0) return true;
  unlink(draft);
  return false;
}

bool napkin_append_file(const char *path, const char *text, size_t length) {
  return write_to(fopen(path, "ab"), text, length);
}

bool napkin_create_file(const char *path, const char *text, size_t length) {
  FILE *file = fopen(path, "wbx");
  bool wrote = write_to(file, text, length);
  // Half a page is worse than none.
  if (file && !wrote) unlink(path);
  return wrote;
}

bool napkin_file_exists(const char *path) { return access(path, F_OK) == 0; }

size_t napkin_read_file(const char *path, char *buffer, size_t capacity) {
  FILE *file = fopen(path, "rb");
  if (!file) return 0;
  size_t length = fread(buffer, 1, capacity, file);
  fclose(file);
  return length;
}

void napkin_remove_file(const char *path) { unlink(path); }
