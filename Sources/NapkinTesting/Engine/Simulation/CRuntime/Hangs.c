// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Runtime.h"

#include <errno.h>
#include <execinfo.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__APPLE__)
#include <mach/mach.h>
#else
#include <dirent.h>
#include <dlfcn.h>
#include <link.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#endif

// The words of a task's state, and what it says. Nothing relies on a record before it has been compared: a task that waits for
// its continuation has its own context in it. The report alone reads these.
enum { record_word = 13, running_bit = 0x800, enqueued_bit = 0x1000, waiting_bit = 0x4000 };
enum { parent_of_record = 1, subject_of_record = 2, kind_of_record = 4, words_of_record = 5, most_records = 64 };

_Atomic(bool) napkin_hears_tasks = false;
static void learn_place(void *task);

typedef struct {
  void *task;
  const void *parent;
  char *name;
  int64_t created;
  uintptr_t creators[napkin_heard_creators];
} heard;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static heard *tasks = NULL;
static size_t count = 0, room = 0;

static void add(void *task, const void *parent, const char *name, void **frames, int depth) {
  if (count == room) {
    size_t larger = room ? 2 * room : 256;
    heard *moved = realloc(tasks, larger * sizeof *tasks);
    if (!moved) return;
    tasks = moved;
    room = larger;
  }
  heard *new = &tasks[count++];
  *new = (heard){.task = task, .parent = parent, .name = name ? strdup(name) : NULL, .created = napkin_real_time()};
  for (int index = 0; index < depth && index < napkin_heard_creators; index++) new->creators[index] = (uintptr_t)frames[index];
  napkin_retain(task);
}

void napkin_hear_task(void *task, const char *name) {
  // The first two frames are this file's and the function's that was taken over.
  void *frames[napkin_heard_creators + 2];
  int depth = backtrace(frames, napkin_heard_creators + 2);
  void *parent = swift_task_getCurrent();
  learn_place(parent);
  pthread_mutex_lock(&lock);
  // The task of a test is made by the testing library, which does not come here on every platform.
  bool knows_parent = !parent;
  for (size_t index = count; index-- > 0 && !knows_parent;) knows_parent = tasks[index].task == parent;
  // A child of `async let` lies in the memory of its parent, and is gone with it.
  bool can_be_kept = knows_parent || !napkin_task_is_child(parent);
  if (!knows_parent && can_be_kept) add(parent, NULL, NULL, NULL, 0);
  add(task, parent, name, frames + 2, depth - 2);
  pthread_mutex_unlock(&lock);
}

uint64_t napkin_beats(void) { return atomic_load_explicit(&napkin_heartbeat, memory_order_relaxed); }

void napkin_hear_tasks(void) {
  void *frame, *task = swift_task_getCurrent();
  // Its first call loads a library.
  backtrace(&frame, 1);
  atomic_store(&napkin_hears_tasks, true);
  learn_place(task);
  if (!task) return;
  pthread_mutex_lock(&lock);
  bool is_known = false;
  for (size_t index = count; index-- > 0 && !is_known;) is_known = tasks[index].task == task;
  if (!is_known) add(task, NULL, NULL, NULL, 0);
  pthread_mutex_unlock(&lock);
}

// How often a job was enqueued, by its address: a task that sleeps in a loop is at the same place each time. Two tasks may share a
// number, so that one seems to move with the other.
enum { move_places = 1 << 16, low_bits = 5 };
static _Atomic(uint32_t) moves[move_places];
static _Atomic(uint32_t) *moves_of(const void *job) { return &moves[(uintptr_t)job >> low_bits & (move_places - 1)]; }
void napkin_note_move(const void *job) { atomic_fetch_add_explicit(moves_of(job), 1, memory_order_relaxed); }

static uint32_t state_of(const void *task) {
  return __atomic_load_n((const uint32_t *)task + state_half_word, __ATOMIC_RELAXED);
}

void napkin_forget_ended(void) {
  pthread_mutex_lock(&lock);
  size_t kept = 0, ended = 0;
  void **released = malloc(count * sizeof *released);
  for (size_t index = 0; index < count; index++) {
    if (released && state_of(tasks[index].task) & complete_bit) {
      released[ended++] = tasks[index].task;
      free(tasks[index].name);
    } else {
      tasks[kept++] = tasks[index];
    }
  }
  count = kept;
  pthread_mutex_unlock(&lock);
  // The result of a task is released with it, which may create others.
  for (size_t index = 0; index < ended; index++) napkin_release(released[index]);
  free(released);
}

bool napkin_peek(const void *from, void *to, size_t size) {
#if defined(__APPLE__)
  vm_size_t read = 0;
  return vm_read_overwrite(mach_task_self(), (vm_address_t)from, size, (vm_address_t)to, &read) == KERN_SUCCESS && read == size;
#else
  struct iovec here = {to, size}, there = {(void *)from, size};
  return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)size;
#endif
}

static bool look_at(napkin_heard_task *seen, void *task) {
  uintptr_t words[record_word + 1], record[words_of_record];
  if (!napkin_peek(task, words, sizeof words)) return false;
  uint32_t state = ((uint32_t *)words)[state_half_word];
  if (state & complete_bit) return false;
  seen->task = task;
  seen->resumption = words[resume_function_word];
  seen->context = words[resume_context_word];
  seen->moves = atomic_load_explicit(moves_of(task), memory_order_relaxed);
  seen->is_running = state & running_bit;
  seen->is_enqueued = state & enqueued_bit;
  seen->is_child = napkin_task_is_child(task);
  seen->wait = napkin_waits_unknown;
  if (!(state & waiting_bit)) return true;
  // The innermost record says for what a task waits.
  uintptr_t place = words[record_word] & ~(uintptr_t)7;
  if (!place || !napkin_peek((void *)place, record, sizeof record)) return true;
  int kind = (int)record[kind_of_record];
  if (kind < napkin_waits_for_task || kind > napkin_waits_for_executor) return true;
  if (kind == napkin_waits_for_continuation && record[subject_of_record] != seen->context) return true;
  seen->wait = kind;
  seen->subject = record[subject_of_record];
  return true;
}

bool napkin_look_at_task(napkin_heard_task *seen, uintptr_t task) {
  *seen = (napkin_heard_task){.task = (void *)task};
  return look_at(seen, (void *)task);
}

size_t napkin_waiting_calls(const napkin_heard_task *seen, uintptr_t *addresses, size_t capacity) {
  // An async context begins with that of its caller, and the function in which the caller goes on.
  uintptr_t context = seen->context, words[2];
  size_t found = 0;
  if (capacity > 0) addresses[found++] = seen->resumption;
  while (context && found < capacity && napkin_peek((void *)context, words, sizeof words)) {
    addresses[found++] = words[1];
    context = words[0];
  }
  return found;
}

size_t napkin_heard_tasks(napkin_heard_task *written, size_t capacity) {
  size_t found = 0;
  pthread_mutex_lock(&lock);
  for (size_t index = 0; index < count; index++) {
    heard *task = &tasks[index];
    napkin_heard_task seen = {.parent = task->parent, .name = task->name, .created = task->created};
    memcpy(seen.creators, task->creators, sizeof seen.creators);
    if (!look_at(&seen, task->task)) continue;
    if (found < capacity) written[found] = seen;
    found++;
  }
  pthread_mutex_unlock(&lock);
  return found;
}

#if !defined(__APPLE__)
// Where a thread keeps its task, as the distance from its list of robust mutexes, which the kernel has for each thread. The runtime
// keeps it in a thread-local variable of its own, so it is searched once among these, by a thread that has a task.
static _Atomic(intptr_t) place_of_task = 0;

static char *robust_list(pid_t thread) {
  void *list = NULL;
  size_t size;
  return syscall(SYS_get_robust_list, thread, &list, &size) == 0 ? list : NULL;
}

static int find_place(struct dl_phdr_info *image, size_t size, void *task) {
  Dl_info runtime;
  if (!dladdr((void *)swift_task_getCurrent, &runtime) || (uintptr_t)runtime.dli_fbase != image->dlpi_addr) return 0;
  char *list = robust_list(0);
  for (int index = 0; list && image->dlpi_tls_data && index < image->dlpi_phnum; index++) {
    if (image->dlpi_phdr[index].p_type != PT_TLS) continue;
    void **words = image->dlpi_tls_data, **end = words + image->dlpi_phdr[index].p_memsz / sizeof *words;
    while (words < end && *words != task) words++;
    intptr_t distance = (char *)words - list;
    // A library that was loaded later has its variables elsewhere in each thread.
    if (words < end && distance > -(1 << 20) && distance < 1 << 20) atomic_store(&place_of_task, distance);
  }
  return 1;
}

#endif

static void learn_place(void *task) {
#if !defined(__APPLE__)
  static _Atomic(bool) is_searched = false;
  if (task && !atomic_exchange(&is_searched, true)) dl_iterate_phdr(find_place, task);
#endif
}

static size_t add_thread(napkin_seen_thread *threads, size_t found, uint32_t number, bool is_main) {
  napkin_thread_look look;
  if (!napkin_look_at_thread(number, &look)) return found;
  threads[found] = (napkin_seen_thread){
      .id = number, .is_main = is_main, .is_on_processor = look.is_on_processor, .used = look.used};
#if !defined(__APPLE__)
  intptr_t place = atomic_load(&place_of_task);
  char *list = place ? robust_list((pid_t)number) : NULL;
  if (list) napkin_peek(list + place, &threads[found].task, sizeof threads[found].task);
#endif
  return found + 1;
}

size_t napkin_see_threads(napkin_seen_thread *threads, size_t capacity) {
  size_t found = 0;
#if defined(__APPLE__)
  thread_act_array_t all;
  mach_msg_type_number_t number = 0;
  if (task_threads(mach_task_self(), &all, &number) != KERN_SUCCESS) return 0;
  for (mach_msg_type_number_t index = 0; index < number; index++) {
    pthread_t thread = pthread_from_mach_thread_np(all[index]);
    if (thread && thread != pthread_self() && found < capacity) found = add_thread(threads, found, all[index], index == 0);
    mach_port_deallocate(mach_task_self(), all[index]);
  }
  vm_deallocate(mach_task_self(), (vm_address_t)all, number * sizeof *all);
#else
  DIR *folder = opendir("/proc/self/task");
  if (!folder) return 0;
  pid_t own = (pid_t)syscall(SYS_gettid);
  for (struct dirent *entry; found < capacity && (entry = readdir(folder));) {
    pid_t thread = atoi(entry->d_name);
    if (thread != 0 && thread != own) found = add_thread(threads, found, (uint32_t)thread, thread == getpid());
  }
  closedir(folder);
#endif
  return found;
}

// One thread is asked after the other. The signal is one of the few that dispatch does not block in its threads.
static napkin_seen_thread *_Atomic asked = NULL;
static _Atomic(bool) has_answered = false, are_held = false;

static void on_question(int signal) {
  int before = errno;
  napkin_seen_thread *seen = atomic_exchange(&asked, NULL);
  if (seen) {
    seen->task = swift_task_getCurrent();
    if (seen->task) seen->actor = swift_task_getCurrentExecutor().identity;
    seen->count = (size_t)backtrace((void **)seen->frames, napkin_seen_frames);
    atomic_store(&has_answered, true);
    for (int tries = 0; tries < 3000 && atomic_load(&are_held); tries++) poll(NULL, 0, 10);
  }
  errno = before;
}

void napkin_release_threads(void) { atomic_store(&are_held, false); }

void napkin_ask_thread(napkin_seen_thread *thread, bool holds) {
  atomic_store(&are_held, holds);
  struct sigaction action = {.sa_flags = SA_RESTART}, before;
  sigemptyset(&action.sa_mask);
  action.sa_handler = on_question;
  sigaction(SIGPROF, &action, &before);
  atomic_store(&has_answered, false);
  atomic_store(&asked, thread);
#if defined(__APPLE__)
  pthread_t handle = pthread_from_mach_thread_np((mach_port_t)thread->id);
  bool is_sent = handle && pthread_kill(handle, SIGPROF) == 0;
#else
  bool is_sent = syscall(SYS_tgkill, getpid(), (pid_t)thread->id, SIGPROF) == 0;
#endif
  for (int tries = 0; is_sent && tries < 200 && !atomic_load(&has_answered); tries++) poll(NULL, 0, 1);
  // It may still come, and finds nothing to write to then.
  if (!atomic_exchange(&asked, NULL)) while (!atomic_load(&has_answered)) napkin_yield_thread();
  // A signal that is late must not end the process.
  if (before.sa_handler != SIG_DFL) sigaction(SIGPROF, &before, NULL);
}

static void (*looks)(bool ends);
static _Atomic(int) ending = 0;
static struct sigaction interrupted[2];
static const int endings[] = {SIGTERM, SIGINT};

static void on_end(int signal) {
  // The second one ends the process at once.
  if (atomic_exchange(&ending, signal) != 0) _exit(128 + signal);
}

// The program that runs the tests may end without a word to this process.
static _Atomic(pid_t) parent = 0;

static void *watch(void *unused) {
  // A report to a pipe that has lost its reader must not end the process before the rest.
  sigset_t broken;
  sigemptyset(&broken);
  sigaddset(&broken, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &broken, NULL);
  for (int ticks = 1;; ticks++) {
    poll(NULL, 0, 100);
    if (parent && getppid() != parent && atomic_load(&ending) == 0) on_end(SIGTERM);
    int signal = atomic_load(&ending);
    if (signal) {
      looks(true);
      for (int index = 0; index < 2; index++) sigaction(endings[index], &interrupted[index], NULL);
      kill(getpid(), signal);
      sleep(5);
      _exit(128 + signal);
    }
    if (ticks % 10 == 0) looks(false);
  }
  return unused;
}

int napkin_process(void) { return (int)getpid(); }

void napkin_watch_hangs(bool ends_with_parent, void (*look)(bool ends)) {
  looks = look;
  if (ends_with_parent) parent = getppid();
  struct sigaction action = {.sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  action.sa_handler = on_end;
  for (int index = 0; index < 2; index++) {
    sigaction(endings[index], &action, &interrupted[index]);
    // A shell lets what it starts in the background ignore SIGINT.
    if (interrupted[index].sa_handler == SIG_IGN) sigaction(endings[index], &interrupted[index], NULL);
  }
  pthread_t thread;
  if (pthread_create(&thread, NULL, watch, NULL) == 0) pthread_detach(thread);
}
