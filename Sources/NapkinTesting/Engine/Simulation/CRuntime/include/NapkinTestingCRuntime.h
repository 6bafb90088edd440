// SPDX-License-Identifier: Apache-2.0
// The Swift runtime as the exploration needs it: what it exports to compiled code, and the functions that take the place of its own.
#pragma once
#if defined(_WIN32)
#error "NapkinTesting does not run on Windows: it takes functions of the Swift runtime by their names, as ELF and Mach-O bind them. Depend on it on Apple's platforms and on Linux only."
#elif defined(__ANDROID__)
#error "NapkinTesting does not run on Android: how it takes functions of the Swift runtime was never tried there. Depend on it on Apple's platforms and on Linux only."
#elif defined(__wasi__)
#error "NapkinTesting does not run on WASI, which has no threads and no dynamic linker. Depend on it on Apple's platforms and on Linux only."
#endif

#include <pthread.h>

#if defined(__linux__) && !defined(__GLIBC__)
#error "NapkinTesting does not run with the static Linux SDK: it looks the functions of the Swift runtime up in a shared library. Test with the toolchain's own SDK."
#endif

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

// Whether the ways of Linux are taken: its files and its linker, by which functions of the system are replaced for the whole
// process. NAPKIN_LIKE_APPLE takes those of Apple's platforms instead, to test them on Linux.
#if defined(__linux__) && !defined(NAPKIN_LIKE_APPLE)
#define NAPKIN_LINUX 1
#endif

/// Where a task runs: an actor and how to enqueue on it; no identity is the global executor.
typedef struct {
  uintptr_t identity;
  uintptr_t implementation;
} napkin_executor;

/// Whether the exploring thread runs a block that was left to the main queue.
bool napkin_is_on_main_queue(void);
/// The scheduler's side, each called on the exploring thread, those about queues on any.
typedef struct {
  /// In place of a hop: the task is parked and must be passed to napkin_enter later, unless this returns false, which leaves the
  /// hop to the runtime. The source is the identity of the executor that it leaves.
  bool (*_Nonnull hops)(void *_Nonnull task, uintptr_t source, napkin_executor target);
  /// For a task that was in an actor's queue: it is parked and must be passed to napkin_enter later, unless this returns false.
  /// On another thread than the exploring one, that one works for the actor.
  bool (*_Nonnull leaves_queue)(void *_Nonnull task, napkin_executor actor);
  /// Whether a task in an actor's queue is of an execution that runs.
  bool (*_Nonnull owns)(void *_Nonnull task);
  /// For a task of an execution that another thread will take out of a queue; on any thread.
  void (*_Nonnull lends)(uint64_t execution);
  /// For a task that the thread has created, and for one that was started at once and has suspended for the first time.
  void (*_Nonnull creates)(void *_Nonnull task);
  void (*_Nonnull starts)(void *_Nonnull task);
  /// Before a task is cancelled by code, or with NULL before all of a group are: whether it is to be.
  bool (*_Nonnull cancels)(void *_Nullable task);
  /// While the job that runs waits in the kernel: how the wait goes on, after what could be done meanwhile.
  int32_t (*_Nonnull waits_in_job)(void);
  /// On any thread: creates a detached task with the task-locals that say whose its issues are; false, without that, where it is of none.
  bool (*_Nonnull creates_detached)(void (*_Nonnull create)(void *_Nonnull), void *_Nonnull context);
} napkin_job_handlers;
void napkin_take_jobs(napkin_job_handlers handlers);
/// How a wait in the kernel goes on: it is to be looked at again, or it takes as long as it takes, or what it waits for never comes.
enum { napkin_wait_goes_on = 0, napkin_wait_is_real = 1, napkin_wait_is_in_vain = 2 };
/// Finds where the current task keeps its task-locals: called with NULL, and then with the key of one that was bound between.
void napkin_find_locals(const void *_Nullable key);
/// The key of one of the current task's task-locals, the innermost first; NULL behind the last one, and where a task is marked.
const void *_Nullable napkin_local_key(size_t position);
/// Gives the current task another list of task-locals, and returns the one before; zero is the empty list.
uintptr_t napkin_exchange_locals(uintptr_t locals);
/// Whether an exploration takes issues: one relaxed load.
bool napkin_hears_issues(void);
void napkin_hear_issues(bool begins);
/// Says that the report of a crash or a hang has come so far that no lock can hold it up.
void napkin_has_begun_report(void);
/// Makes the calling thread the one whose jobs are controlled.
void napkin_explore_on_this_thread(void);
bool napkin_task_is_cancelled(void *_Nonnull task);
/// Whether the exploring thread is in the middle of creating a task.
bool napkin_is_creating(void);
/// Whether the task that was created last returns no value, so that it keeps none when it has ended.
bool napkin_created_returns_nothing(void);
/// Whether the exploring thread runs a task that was started immediately, up to its first suspension.
bool napkin_is_starting(void);
/// A hash of the code that is in the middle of creating a task; 0 if none is, or it is not looked at.
uint64_t napkin_creator(void);
/// The name of the task that the exploring thread is in the middle of creating, or has just created; NULL if it has none.
const char *_Nullable napkin_created_name(void);
/// The context of that task's closure; NULL if it has none, or is a child of `async let`.
const void *_Nullable napkin_created_closure(void);
/// The metadata of a closure's context; NULL where the address is of something else, such as an object or a function.
const void *_Nullable napkin_metadata_of_closure(const void *_Nonnull context);
/// The addresses that the callers of the calling code return to, the innermost first; returns how many.
size_t napkin_callers(uintptr_t *_Nonnull addresses, size_t capacity);
/// The same up to the function of this image that runs the job, since each further caller costs a thousand instructions.
size_t napkin_job_callers(uintptr_t *_Nonnull addresses, size_t capacity);
/// Finds the line of an address in the program, and writes the path of its file.
///
/// Returns 0 if it has none, and -1 if the address is in another image, or the program has no line tables that are read here.
int napkin_find_line(uintptr_t address, bool or_next, char *_Nonnull path, size_t room);
/// The address of a symbol of the Swift runtime, though this image may have one of that name, too; NULL if it cannot be found.
void *_Nullable napkin_runtime_symbol(const char *_Nonnull name, const void *_Nullable own);
/// Whether a library at a path is the system's or the toolchain's, and not one of the user's.
bool napkin_is_of_system(const char *_Nonnull path);
bool napkin_is_in_runtime(uintptr_t address);
/// The path of the image that an address is in; NULL if it is this one, or none. It must not be freed.
const char *_Nullable napkin_other_image_of(const void *_Nonnull address);
/// The path of the image of the innermost function that a suspended task waits in, apart from the runtime's; NULL if it is
/// this one. It must not be freed.
const char *_Nullable napkin_other_image_of_wait(void *_Nonnull task);
/// The path of the image whose code has called the runtime that calls this; NULL if it is this one. It must not be freed.
const char *_Nullable napkin_calling_image(void);
/// Whether an image that is neither this one nor the system's calls the runtime of Swift Concurrency by itself.
bool napkin_has_other_images(void);
/// Whether every image calls this one's functions in place of the runtime's, as they come first by the linker's rules.
bool napkin_comes_first(void);
/// The ways in which a suspended task can wait in the runtime, in real time.
enum { napkin_waits_for_nothing_real, napkin_waits_by_yielding, napkin_waits_by_sleeping };
/// Says that a suspended task waits in one of these ways; false if such tasks cannot be distinguished from others.
bool napkin_learn_wait(void *_Nonnull task, int kind);
int napkin_wait_of(void *_Nonnull task);
/// Leaves sleeping by a clock's protocol on the exploring thread to the runtime, or no longer.
void napkin_leave_waits(bool leaves);
/// Ends the process, since a function of the runtime that is called cannot be found: it is not in a shared library.
_Noreturn void napkin_stop_without(const char *_Nonnull name);
void napkin_stop_exploring(void);
/// Looks up the testing library's functions that record an attachment, before one of them is called.
void napkin_find_testing_functions(void);
/// The thread whose jobs are controlled, zero when no exploration runs.
extern _Atomic(uintptr_t) napkin_exploring_thread;
/// A number that no two threads share: on Linux the address of a thread's control block, as pthread_self() returns it.
static inline uintptr_t napkin_this_thread(void) {
#if defined(__linux__) && defined(__x86_64__)
  uintptr_t thread;
  __asm__("movq %%fs:0, %0" : "=r"(thread));
  return thread;
#else
  return (uintptr_t)pthread_self();
#endif
}
/// Whether the job of a thread runs on without being the exploring one; and makes the calling one that again, if it is such a thread.
extern _Atomic(bool) napkin_any_is_out;
bool napkin_come_back(void);
/// Whether the calling thread is the one whose jobs are controlled: one relaxed load and one compare, since every thread
/// of the process asks at every job.
static inline bool napkin_is_exploring_thread(void) {
  if (atomic_load_explicit(&napkin_exploring_thread, memory_order_relaxed) == napkin_this_thread()) return true;
  return __builtin_expect(atomic_load_explicit(&napkin_any_is_out, memory_order_relaxed), 0) && napkin_come_back();
}
bool napkin_is_exploring(void);

/// From here on the next hop of this thread goes through the runtime, and the words that it stores in the task are compared;
/// the wrong words, if it `misreads`.
void napkin_begin_probe(bool misreads);
/// Compares the words that the runtime stored in the job of the probing task with the arguments of its hop.
/// Hops are taken over from then on if both agree.
void napkin_end_probe(void *_Nonnull job);
/// Whether hops of tasks between actors are scheduling points.
bool napkin_takes_hops(void);
void napkin_leave_hops(void);
/// Compares the queue of an idle actor with these two tasks with the expected layout; the rest when the first one leaves the actor.
void napkin_probe_arrived_jobs(uintptr_t actor, void *_Nonnull first, void *_Nonnull second);
/// Whether the jobs in an actor's queue can be read; false until both comparisons have agreed.
extern bool napkin_has_seen_queues;
static inline bool napkin_knows_queues(void) { return napkin_has_seen_queues; }

/// Kinds of jobs as the runtime numbers them.
enum { napkin_job_task = 0, napkin_job_actor_separate = 193, napkin_job_continuation = 195 };
uint32_t napkin_job_kind(void *_Nonnull job);
/// Whether a task is a child of the one that waits for it, in a group or by `async let`.
bool napkin_task_is_child(void *_Nonnull task);
/// Whether it is a child in a group, which has memory of its own.
bool napkin_task_is_in_group(void *_Nonnull task);
/// The number of the job's task, 0 for a job that is not a task.
uint64_t napkin_job_task_id(void *_Nonnull job);
/// The job that arrived last in the queue of a default actor, which is running; NULL if there is none, or none is known.
void *_Nullable napkin_last_arrived(uintptr_t actor);
void *_Nullable napkin_arrived_before(void *_Nonnull job);
/// The actor that a job of kind napkin_job_actor_separate is to drain; zero where that is not known.
uintptr_t napkin_drained_actor(void *_Nonnull job);
/// Lets a thread of the pool, which such a job is to be passed on to, hand the executions' tasks to the queue handler.
void napkin_lend_queue(void *_Nonnull job);
/// The priority that an actor's queue sorts the task by, if it is enqueued now.
uint8_t napkin_task_priority(void *_Nonnull task);
/// Outcomes of a job of kind napkin_job_actor_separate: all that its actor's queue had were tasks of executions that run, the
/// queue handler has taken them, and the job is used up. Or the queue cannot be read or has other jobs, too: the job is to be
/// passed to napkin_run_errand later. Or there are tasks of others: the job is to be passed on, see napkin_lend_queue.
enum { napkin_queue_is_empty, napkin_queue_has_errands, napkin_queue_is_shared };
int napkin_empty_queue(void *_Nonnull job);
/// Runs the errands in an actor's queue, and lets the queue handler take the tasks; false if it has tasks of others.
bool napkin_run_errand(void *_Nonnull job);

void *_Nullable napkin_current_task(void);
napkin_executor napkin_current_executor(void);
napkin_executor napkin_main_executor(void);
/// Runs a job to its next suspension, on the calling thread.
void napkin_run_job(void *_Nonnull job, napkin_executor executor);
/// Enqueues a parked task where it wanted to go.
void napkin_enqueue(void *_Nonnull task, napkin_executor target);
/// Runs a parked task on a default actor to its next suspension, if napkin_knows_queues; returns napkin_entry().
int napkin_enter(void *_Nonnull task, napkin_executor actor);
/// How far the task is that entered an actor last: it is in the actor's queue, another thread that worked for the actor has
/// suspended it again, it was left to the executor that it prefers, or it has run or was parked.
enum { napkin_entry_is_open, napkin_entry_was_sent_back, napkin_entry_is_elsewhere, napkin_entry_is_over };
int napkin_entry(void);
void napkin_yield_thread(void);
void napkin_cancel_task(void *_Nonnull task);
void napkin_retain(void *_Nonnull object);
void napkin_release(void *_Nonnull object);
const char *_Nullable napkin_current_task_name(void);
/// Checks the bit that marks an ended task in one that has ended; false if it is not set, or cannot be read.
bool napkin_learn_completion(void *_Nonnull ended_task);
/// Whether that is known.
bool napkin_knows_completion(void);
/// Whether a task has ended; false where that is unknown.
bool napkin_task_is_complete(void *_Nonnull task);
/// The addresses at which a parked or suspended task goes on: its own, then those of the tasks that wait for it, up to `capacity`.
/// Returns how many there are; none where that is unknown.
size_t napkin_resume_addresses(void *_Nonnull task, uintptr_t *_Nonnull addresses, size_t capacity);
/// An address in the image of the tests, from which others are counted where processes of one program compare them.
uintptr_t napkin_image_anchor(void);
/// The symbol at an address, among those that an image exports.
const char *_Nullable napkin_symbol(uintptr_t address);
/// A symbol in the words of the source code, to be freed; NULL if it is none of Swift's.
char *_Nullable napkin_demangled(const char *_Nonnull symbol);
/// A hash of the code and the constants in a program's file, NULL for this process's; zero where it cannot be read.
uint64_t napkin_program_hash(const char *_Nullable path);

#include "NapkinTestingExecution.h"
/// Says that a task belongs to the execution that runs.
void napkin_own(uint64_t task);
/// Whether an execution has begun and not ended: one relaxed load, since every thread of the process asks at every job.
bool napkin_owns_any(void);
/// The execution that a task belongs to, ended or not; zero if it belongs to none.
uint64_t napkin_owner(uint64_t task);
/// The same, for another thread than the exploring one: where it works for an execution, it may meet a task before that is owned.
uint64_t napkin_owner_of_new(uint64_t task);

/// The places that an execution leaves something to.
enum { napkin_left_to_queue = 0, napkin_left_to_thread = 1 };
/// Called when an execution leaves something to a queue or a thread, and when that is done.
typedef struct {
  /// On a thread that works for the execution. `is_seen` is whether the end will be reported; the name is a queue's label.
  void (*_Nonnull leaves)(uint64_t execution, int kind, const char *_Nonnull name, bool is_seen);
  /// On the exploring thread: after that many nanoseconds of its time, napkin_submit is to be called.
  void (*_Nonnull leaves_later)(int64_t nanoseconds, void *_Nonnull queue, void *_Nonnull block);
  /// On the other thread.
  void (*_Nonnull is_done)(uint64_t execution);
  /// On the exploring thread: a dispatch source is armed that fires by the real time.
  void (*_Nonnull arms_timer)(void);
  /// An object with the task-locals that say whose the issues of the calling code are; NULL where they are of no execution.
  void *_Nullable (*_Nonnull carries)(void);
  /// Does work on another thread, with these task-locals.
  void (*_Nonnull does)(void *_Nonnull carried, void (*_Nonnull work)(void *_Nonnull), void *_Nonnull context);
} napkin_outside;
void napkin_watch_outside(napkin_outside handlers);
/// Submits a block that was left for later; either this or napkin_drop is called once.
void napkin_submit(void *_Nonnull queue, void *_Nonnull block);
void napkin_drop(void *_Nonnull queue, void *_Nonnull block);
/// The execution that the calling thread works for: the one that runs, if it is the exploring thread, or the one that has
/// left the present work to that thread, or a task of which runs there; else zero.
uint64_t napkin_owning_here(void);
/// Whether the execution that runs has left anything to another thread, which may be waited for.
bool napkin_has_left_something(void);
/// Says so; on another thread than the exploring one, the execution has left something to that thread before.
void napkin_leaves_something(void);

/// How often other threads have brought something to an execution, or have done the work that one has left to them.
uint64_t napkin_rings(void);
void napkin_ring(void);
/// Waits in real time until there are more rings than were heard, or the timeout is over, in nanoseconds.
void napkin_await_ring(uint64_t heard, int64_t nanoseconds);
/// The nanoseconds until a dispatch time by the clocks of the execution; negative for one that never comes.
int64_t napkin_left_until_dispatch_time(uint64_t time);

/// Lets a closure's context outlive its `withoutActuallyEscaping`: its remaining holders never call it.
void napkin_forgive_escape(uintptr_t context);
/// Takes that back, once the scope is left.
void napkin_expect_no_escape(uintptr_t context);

const char *_Nullable napkin_environment(const char *_Nonnull name);
/// The variable at a position, as NAME=VALUE; NULL behind the last one.
const char *_Nullable napkin_environment_entry(size_t position);
bool napkin_folder_exists(const char *_Nonnull path);
/// Makes a folder, with those around it that are missing; returns whether it is there.
bool napkin_make_folders(const char *_Nonnull path);
/// Puts a file with this content in its place, whole or not at all: another process sees the one before it, or this one.
bool napkin_write_file(const char *_Nonnull path, const char *_Nonnull text, size_t length);
/// Adds to the end of a file, which is made if there is none.
bool napkin_append_file(const char *_Nonnull path, const char *_Nonnull text, size_t length);
/// Writes a file that was not there before; false if there is one, or it cannot be written.
bool napkin_create_file(const char *_Nonnull path, const char *_Nonnull text, size_t length);
bool napkin_file_exists(const char *_Nonnull path);
/// Reads up to `capacity` bytes, and returns how many.
size_t napkin_read_file(const char *_Nonnull path, char *_Nonnull buffer, size_t capacity);
void napkin_remove_file(const char *_Nonnull path);

/// Called before the process ends, on the thread that ends it, while the exploring thread is held: with the signal of a crash,
/// or with zero for a hang.
typedef void (*napkin_crash_handler)(int signal);
/// Watches the calling thread's explorations for crashes, and for jobs that run for longer than a limit, in seconds.
void napkin_watch(napkin_crash_handler _Nonnull handler, unsigned seconds);
extern _Atomic(uint64_t) napkin_heartbeat;
/// Says that another job begins; one thread at a time does, so nothing has to be locked.
static inline void napkin_beat(void) {
  uint64_t beat = atomic_load_explicit(&napkin_heartbeat, memory_order_relaxed);
  atomic_store_explicit(&napkin_heartbeat, beat + 1, memory_order_relaxed);
}
/// From here to the end this thread does work of the kit, which counts as no job that hangs.
void napkin_begin_own_work(void);
void napkin_end_own_work(void);
/// Whether errors are written to a terminal, where a person may be reading.
bool napkin_error_is_terminal(void);
/// The width of the terminal that standard output or standard error is written to; 0 if neither is.
unsigned napkin_terminal_columns(void);
/// The numbers under which a worker process finds the socket to the process that started it, and that one's standard output.
enum { napkin_worker_socket = 198, napkin_worker_output = 199 };
/// A process of the same program that runs executions.
typedef struct {
  pid_t process;
  void *_Nullable stream;
  int errors;
} napkin_worker;
/// Starts a worker process with arguments and with variables set as NAME=VALUE or removed as NAME; both lists end with NULL.
bool napkin_start_worker(napkin_worker *_Nonnull worker, char *_Nullable const *_Nonnull arguments,
                         char *_Nullable const *_Nonnull changes);
/// Reads a line, to be freed by napkin_free; NULL when the other process has ended.
char *_Nullable napkin_receive(void *_Nonnull stream);
char *_Nullable napkin_receive_as_worker(void);
void napkin_free(void *_Nullable memory);
/// Writes all of a text to a socket; false if the other process has ended.
bool napkin_send(int socket, const char *_Nonnull text, size_t length);
bool napkin_send_to_worker(const napkin_worker *_Nonnull worker, const char *_Nonnull text, size_t length);
/// Waits for a worker to end, or makes it; returns its exit status, or its signal as a negative number, and the end of its
/// standard error.
int napkin_end_worker(napkin_worker *_Nonnull worker, bool kills, char *_Nonnull errors, size_t capacity);
/// Sets whether this worker process prints to the standard output of the process that started it.
void napkin_worker_shows_output(bool shows);
/// Ends the process at once, without a word.
void napkin_leave(int status);
/// Called in the same way when the process exits, with the exit status, which is negative where it is not known.
typedef void (*napkin_exit_handler)(int status);
void napkin_watch_exit(napkin_exit_handler _Nonnull handler);
/// Lets this process end with its parent if that is `swift test`, or if it is a worker.
void napkin_end_with_parent(bool is_worker);
bool napkin_parent_has_ended(void);
/// A string of Swift, as it is passed to a function.
typedef struct {
  uintptr_t words[2];
} napkin_swift_string;
/// Called when an assertion of XCTest fails; false leaves it to XCTest. The strings belong to the caller.
typedef bool (*napkin_failure_handler)(napkin_swift_string text, napkin_swift_string file, intptr_t line);
void napkin_take_failures(napkin_failure_handler _Nonnull handler);
/// Runs a process of the same program to its end, for that number of seconds at most, with a file as its napkin_worker_output; returns
/// 0, or the number of an error. It allocates memory, and signal handlers call it all the same.
int napkin_run_process(char *_Nullable const *_Nonnull arguments, char *_Nullable const *_Nonnull changes, int report,
                       unsigned seconds);
bool napkin_write_all(int file, const char *_Nonnull text, size_t length);
unsigned napkin_processors(void);
/// Lets the handler of a crash or a hang take that number of seconds.
void napkin_extend_last_moments(unsigned seconds);
/// Holds the exploring thread, for the calling one to report how the process ends; false if no execution runs, or the calling
/// thread is in that report.
bool napkin_begin_last_report(void);
/// Whether the last signal was the overflow of the stack.
bool napkin_stack_overflowed(void);
/// Whether the running code ends the process since a checked continuation is resumed once more, by the names of its callers.
bool napkin_resumes_once_more(void);
/// Gives standard output the buffer that it had, or none; not while it is held back, nor while a half-run job prints. It has none from
/// the first execution on whose output is held back, of which the latest is kept.
void napkin_buffer_output(bool buffers);
void napkin_forget_output(void);
/// Writes the output that was held back to standard error; it can be called in a signal handler.
void napkin_show_kept_output(void);
/// Writes to standard output, at once and in one piece.
void napkin_write_output(const char *_Nonnull text, size_t length);
void napkin_write_error(const char *_Nonnull text, size_t length);

/// Does nothing: a debugger stops here before a step of a replay begins, and finds the address at which its task goes on.
void napkin_stop_here(int64_t step, uintptr_t address);

/// Called on any thread for a job of the global executor; the delay is in nanoseconds, negative for none. False leaves the job to
/// the runtime.
typedef bool (*napkin_enqueue_handler)(void *_Nonnull job, int64_t delay);
/// Finds the runtime's hooks; the handler takes their jobs, and `main` is the main executor of the exploring thread.
void napkin_find_hooks(napkin_enqueue_handler _Nonnull handler, napkin_executor main);
/// Sets the hooks before an execution; those of another library are called for the jobs that no execution takes.
void napkin_set_hooks(void);
/// Whether the hooks that are needed were found, and all are still set.
bool napkin_holds_hooks(void);
/// Leaves a job to the platform's executor, past the hooks.
void napkin_pass_on(void *_Nonnull job, bool on_main);
/// The job that resumes a continuation without a result, as the runtime makes one for a task that yields.
void *_Nonnull napkin_continuation_job(uintptr_t continuation);
/// Whether an executor is the main one: that of an execution's jobs, or that of the exploration around them.
bool napkin_is_main(napkin_executor executor);

/// Nanoseconds of a clock that only moves on: the system's, for every caller, and not the execution's.
int64_t napkin_real_time(void);
#include "NapkinTestingSplit.h"
#include "NapkinTestingHangs.h"
