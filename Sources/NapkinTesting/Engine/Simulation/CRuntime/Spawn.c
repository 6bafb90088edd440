// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "NapkinTestingCRuntime.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// Processes of the same program, which run executions that may end them: each has a socket to the process that started it, a
// file for its standard error, and that process's standard output under another number.

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

static int make_error_file(void) {
#if defined(__linux__)
  return memfd_create("napkin-errors", MFD_CLOEXEC);
#else
  char path[] = "/tmp/napkin-errors-XXXXXX";
  int file = mkstemp(path);
  if (file >= 0) {
    unlink(path);
    fcntl(file, F_SETFD, FD_CLOEXEC);
  }
  return file;
#endif
}

static bool is_named_in(const char *entry, char *const *changes) {
  size_t length = strcspn(entry, "=");
  for (; *changes; changes++) {
    if (strncmp(entry, *changes, length) == 0 && ((*changes)[length] == '=' || (*changes)[length] == 0)) return true;
  }
  return false;
}

// The environment with some variables set, as NAME=VALUE, and others left out, as NAME alone.
static char **changed_environment(char *const *changes) {
  size_t count = 1;
  while (napkin_environment_entry(count - 1)) count++;
  for (char *const *change = changes; *change; change++) count++;
  char **all = malloc(count * sizeof *all);
  if (!all) return NULL;
  size_t length = 0;
  const char *entry;
  for (size_t place = 0; (entry = napkin_environment_entry(place)); place++) {
    if (!is_named_in(entry, changes)) all[length++] = (char *)entry;
  }
  for (char *const *change = changes; *change; change++) {
    if (strchr(*change, '=')) all[length++] = *change;
  }
  all[length] = NULL;
  return all;
}

static int spawn(pid_t *process, char *const *arguments, char *const *changes, posix_spawn_file_actions_t *files) {
  char program[4096];
#if defined(__linux__)
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length < 0) return errno;
  program[length] = 0;
#else
  strlcpy(program, arguments[0], sizeof program);
#endif
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  char **environment = changed_environment(changes);
  int error = environment ? posix_spawn(process, program, files, &attributes, arguments, environment) : ENOMEM;
  free(environment);
  posix_spawnattr_destroy(&attributes);
  return error;
}

bool napkin_start_worker(napkin_worker *worker, char *const *arguments, char *const *changes) {
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) return false;
  fcntl(sockets[0], F_SETFD, FD_CLOEXEC);
  fcntl(sockets[1], F_SETFD, FD_CLOEXEC);
  worker->errors = make_error_file();
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, sockets[1], napkin_worker_socket);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, napkin_worker_output);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  if (worker->errors >= 0) posix_spawn_file_actions_adddup2(&files, worker->errors, STDERR_FILENO);
  pid_t process = 0;
  int error = spawn(&process, arguments, changes, &files);
  posix_spawn_file_actions_destroy(&files);
  close(sockets[1]);
  worker->process = process;
  worker->stream = error == 0 ? fdopen(sockets[0], "r") : NULL;
  if (worker->stream) return true;
  close(sockets[0]);
  if (worker->errors >= 0) close(worker->errors);
  return false;
}

char *napkin_receive(void *stream) {
  char *line = NULL;
  size_t capacity = 0;
  if (getline(&line, &capacity, stream) > 0) return line;
  free(line);
  return NULL;
}

bool napkin_send(int socket, const char *text, size_t length) {
  while (length != 0) {
    ssize_t sent = send(socket, text, length, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    text += sent;
    length -= (size_t)sent;
  }
  return true;
}

bool napkin_send_to_worker(const napkin_worker *worker, const char *text, size_t length) {
  return napkin_send(fileno(worker->stream), text, length);
}

int napkin_end_worker(napkin_worker *worker, bool kills, char *errors, size_t capacity) {
  if (kills) kill(worker->process, SIGKILL);
  int status = 0;
  while (waitpid(worker->process, &status, 0) < 0 && errno == EINTR) {}
  errors[0] = 0;
  if (worker->errors >= 0) {
    // The last output is at the end of the file.
    off_t size = lseek(worker->errors, 0, SEEK_END);
    off_t start = size > (off_t)capacity - 1 ? size - (off_t)(capacity - 1) : 0;
    ssize_t length = pread(worker->errors, errors, capacity - 1, start);
    errors[length > 0 ? length : 0] = 0;
    close(worker->errors);
  }
  fclose(worker->stream);
  if (WIFSIGNALED(status)) return -WTERMSIG(status);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void napkin_worker_shows_output(bool shows) {
  static int nothing = -1;
  fflush(stdout);
  if (nothing < 0) nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
  dup2(shows ? napkin_worker_output : nothing, STDOUT_FILENO);
}

char *napkin_receive_as_worker(void) {
  static FILE *stream = NULL;
  if (!stream) stream = fdopen(napkin_worker_socket, "r");
  return stream ? napkin_receive(stream) : NULL;
}

void napkin_free(void *memory) { free(memory); }

unsigned napkin_processors(void) {
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (unsigned)count : 1;
}

int napkin_run_process(char *const *arguments, char *const *changes, int report, unsigned seconds) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, report, napkin_worker_output);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t process;
  int error = spawn(&process, arguments, changes, &files);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) return error;
  for (unsigned tenths = 0; tenths < seconds * 10; tenths++) {
    int status;
    if (waitpid(process, &status, WNOHANG) != 0) return 0;
    poll(NULL, 0, 100);
  }
  kill(process, SIGKILL);
  waitpid(process, NULL, 0);
  return ETIMEDOUT;
}
