// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "NapkinTestingCRuntime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The ends of a process that are no signals. Code under test that exits takes all other tests with it, and with a status of zero the
// run counts as passed.

static napkin_exit_handler exit_handler = NULL;

static void report_exit(int status) {
  if (exit_handler && napkin_begin_last_report()) exit_handler(status);
}

#if defined(NAPKIN_LINUX)
#include <sys/syscall.h>

_Noreturn static void end_process(int status) {
  for (;;) syscall(SYS_exit_group, status);
}

void napkin_leave(int status) { end_process(status); }

// The calls of code in this image come here.
void _exit(int status) {
  report_exit(status);
  end_process(status);
}
void _Exit(int status) { _exit(status); }

static void on_exit_with(int status, void *unused) {
  (void)unused;
  report_exit(status);
}
static void watch_exits(void) { on_exit(on_exit_with, NULL); }
#else
void napkin_leave(int status) { _exit(status); }
static void at_exit(void) { report_exit(-1); }
static void watch_exits(void) { atexit(at_exit); }
#endif

// A second thread that exits meanwhile calls what the first one has left of the handlers, and ends the process: it has to wait there.
enum { most_threads_that_exit = 16 };

void napkin_watch_exit(napkin_exit_handler handler) {
  for (int thread = 0; !exit_handler && thread < most_threads_that_exit; thread++) watch_exits();
  exit_handler = handler;
}

// The parent with which this process ends: `swift test`, or that of a worker. Others may end before their processes in the background.
static pid_t parent = 0;

void napkin_end_with_parent(bool is_worker) {
  bool is_runner = is_worker;
#if defined(__linux__)
  static const char runner[] = "swift-test";
  char path[64], name[sizeof runner] = "";
  snprintf(path, sizeof path, "/proc/%d/comm", (int)getppid());
  napkin_read_file(path, name, sizeof name - 1);
  is_runner = is_runner || strcmp(name, runner) == 0;
#endif
  if (is_runner && parent == 0) parent = getppid();
}

bool napkin_parent_has_ended(void) { return parent != 0 && getppid() != parent; }
