// SPDX-License-Identifier: Apache-2.0

// Declarations that the files of split steps share.
#pragma once
#include "Baton.h"

#if NAPKIN_SPLITS
#include "NapkinTestingCSplitting.h"

/// A lock that a task has taken.
typedef struct {
  napkin_held_lock lock;
  // The thread where its job is half-run; NULL once that has ended, and left it locked.
  napkin_thread *thread;
  uint32_t tid;
  int32_t task;
} napkin_held;

/// All that these files keep of one execution: zero when it begins, and freed with it.
struct napkin_split {
  /// How many accesses each task has had, and those at which one is preempted (Slices.c).
  int64_t *counts;
  int32_t capacity, end;
  napkin_point *plan;
  size_t plan_count;
  /// After how many accesses of the running slice something is to be decided.
  int64_t slice_length;
  /// The access of the running slice that was to be its last, if the task goes on until it has no lock; or else zero.
  int64_t due_since;
  /// Blocks that were left to queues and have not come to their end, in the order in which they were; and how often a queue was
  /// resumed (Queues.c). Blocks of an execution that did not end are lost with what they refer to.
  napkin_block *blocks;
  uint32_t resumptions;
  /// The initialisers that run, and how many have begun (Once.c).
  struct napkin_once *onces;
  uint32_t once_count;
  /// The locks that are held, in the order in which they were taken, each as often as it was (Held.c).
  napkin_held *held;
  size_t held_count, held_room;
  /// The threads that have ended (ThreadList.c).
  napkin_thread *ended_threads;
  /// How many waits for a condition have begun (Conditions.c).
  uint64_t tickets;
  /// The accesses that are written down, and those of them that a preemption is worth (Learn.c).
  struct napkin_note *notes;
  size_t note_count, note_room;
  napkin_candidate *candidates;
  bool others_are_ready;
  /// The order of the tasks and their accesses (Clocks.c and Races.c); NULL if no race is looked for.
  struct napkin_search *search;
};

/// The array with room for twice as many; the process ends where there is none.
void *napkin_grow(void *array, size_t *room, size_t size);

/// How many accesses the running slice has left until something is to be decided.
extern int64_t napkin_accesses_left;
extern bool napkin_writes_accesses_down, napkin_keeps_callers;
void napkin_note_access(int32_t task, int64_t number, uintptr_t address, int kind);
/// Writes down that memory is given back: an access to the same address from then on is one to something else.
void napkin_note_end(const void *memory, size_t size);

/// The search that compares accesses with those of other tasks; NULL if none does.
extern struct napkin_search *napkin_searching;
/// Held while a table of the search moves or the search ends, and while a thread outside of the simulation looks something up in one.
void napkin_lock_tables(void);
void napkin_unlock_tables(void);
/// Begins the search of an execution, and frees it.
void napkin_begin_search(napkin_split *split);
void napkin_free_search(struct napkin_search *ended);
/// The variable that the running task's innermost access of some length is to, and whether a part of it was accessed by itself since.
extern uintptr_t napkin_scope_start;
extern bool napkin_scope_is_covered;
enum { napkin_scope_bytes = 512 };
/// The running task's accesses since it began to run or its clock moved: the same access again shows nothing new.
typedef struct {
  uintptr_t address;
  uint64_t tag;
} recent_access;
enum { recent_accesses = 512, tag_bits = 8, largest_recent = (1 << tag_bits >> 3) - 1 };
extern recent_access napkin_recent_accesses[recent_accesses];
/// Counts how often these were forgotten, above the bits for an access's size and kind.
extern uint64_t napkin_recent_time;
static inline void forget_recent_accesses(void) { napkin_recent_time += 1 << tag_bits; }
// An unoptimised build pays for each argument of a function, at every access.
#define RECENT_PLACE(address, kind) (&napkin_recent_accesses[((address) >> 2 ^ (uintptr_t)(kind)) & (recent_accesses - 1)])
#define RECENT_TAG(size, kind) (napkin_recent_time | (size) << 3 | (unsigned)(kind))
/// Decides what is to be decided at an access, and compares it with those of other tasks.
void napkin_meet_access(uintptr_t address, size_t size, int kind, uintptr_t caller);
/// The order that atomic operations and fences make, before a load, a store or a change in one is done.
void napkin_load_atomic(const volatile void *address, bool acquires);
void napkin_store_atomic(const volatile void *address, bool releases);
void napkin_update_atomic(const volatile void *address, bool acquires, bool releases);
void napkin_fence(bool acquires, bool releases);
/// Says that the accesses to a variable of the running task that are under way need not count: others are made to it.
void napkin_cover_scopes(uintptr_t address);
/// Says that a lock, or something like it, begins at an address.
void napkin_note_lock(uintptr_t address);
/// Orders what the running task does from now on after everything before.
void napkin_order_after_all(void);

// State that tests share (Shared.c).
extern _Atomic(bool) napkin_hears_sharing;
// An unoptimised build pays for a call of a function, at every access of the kit's own code.
#define IS_SHARING __builtin_expect(__c11_atomic_load(&napkin_hears_sharing, __ATOMIC_RELAXED), 0)
void napkin_share_variable(uintptr_t address, bool writes, uintptr_t caller);
/// An initialiser that runs once begins or ends on the calling thread.
void napkin_share_initialiser(bool begins);
void napkin_share_lock(const volatile void *address, bool is_taken);
/// The same for a `Mutex`, whose code exchanges a word.
void napkin_share_exchange(const volatile void *address, uint64_t before, uint64_t after, bool is_done);
void napkin_share_end(uintptr_t start, uintptr_t end);
/// Finds out which code of the program is quiet; false if that cannot be.
bool napkin_find_quiet_code(void);

/// Called where none are left, or accesses are written down.
void napkin_reach(uintptr_t address, int kind, uintptr_t caller);
/// The same, for a call that takes or gives back a lock.
void napkin_reach_lock(uintptr_t address, int kind, uintptr_t caller);
/// The code of the program, a bit for every four bytes that is set where it is quiet: the kit's, or added by the compiler such that it
/// may run once in a process.
extern uint32_t *napkin_quiet_bits;
extern uintptr_t napkin_code_start, napkin_code_size;
/// Whose a call of a lock, or of what announces an order, is.
typedef enum {
  /// The lock orders tasks, and a task is preempted there.
  napkin_caller_under_test,
  /// The lock orders tasks, as that of a stream or of a group does; what else orders tasks there is announced.
  napkin_caller_of_concurrency,
  /// It orders nothing that a program may rely on: which task is the first to need a type, or data of a language, differs from one
  /// execution to the next. No task is preempted while it has such a lock.
  napkin_caller_of_types,
  /// Another library of the system, or the kit: it may see what other tasks did by atomic operations that are not seen here.
  napkin_caller_of_system,
} napkin_caller;
napkin_caller napkin_caller_of(uintptr_t caller);
static inline bool napkin_is_of_types(uintptr_t caller) { return napkin_caller_of(caller) == napkin_caller_of_types; }
/// Whether a call of a lock's function, from another image, is none of the code under test.
static inline bool napkin_is_quiet_library(uintptr_t caller) { return napkin_caller_of(caller) != napkin_caller_under_test; }

/// Waits in the simulation until a word is zero, or is not the value any more, or until a time of the execution.
void napkin_wait_in_simulation(int kind, const void *address, volatile uint32_t *word, bool until_zero, uint32_t value,
                               int64_t deadline);
/// The time of the execution after that many nanoseconds, the end of time if they are negative.
int64_t napkin_deadline_after(int64_t nanoseconds);
/// The nanoseconds until a time by a clock, at least zero.
int64_t napkin_left_until(clockid_t clock, const struct timespec *end);
/// Signals the first thread that waits for a condition, or all; false if none does. On any thread.
bool napkin_signal_threads(pthread_cond_t *condition, bool all);
/// The beginning of a thread that the code under test has started: it waits for the baton; returns whether it is to run.
bool napkin_begin_thread(napkin_thread *self);
void napkin_leave_thread(napkin_thread *self);
// Makes a thread that is none of the simulation, and may run anywhere.
int napkin_create_outside(pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);
/// Discards what a thread has that is about to exit.
void napkin_end_discarded(napkin_thread *self);
/// The thread of a handle, which may have ended in this execution; NULL if it is not of the simulation.
napkin_thread *napkin_thread_of(pthread_t handle);
/// Frees threads that have ended.
void napkin_free_threads(napkin_thread *ended);

/// Where the execution keeps the blocks that its queues have; NULL if steps are not split.
napkin_block **napkin_blocks(void);
/// Whether what follows can be asked of a queue.
bool napkin_knows_dispatch(void);
bool napkin_is_serial(void *queue);
/// Whether it is one of the system's, which has no barriers.
bool napkin_is_global(void *queue);
/// Whether it begins with no block: it is suspended, or was never activated.
bool napkin_is_suspended(void *queue);
/// The queue that it hands its blocks on to; NULL if that is one of the system's, and orders nothing.
void *napkin_target(void *queue);
/// The thread of the simulation with a number; NULL if there is none.
napkin_thread *napkin_thread_with(uint32_t tid);
/// The thread that is half-way through a step of a task; NULL if there is none.
napkin_thread *napkin_thread_parked_in(const void *task);
/// Whether the lock that a thread waits for is another thread's by now, one that is not of the simulation: it is really waited for.
bool napkin_others_have_lock_of(const napkin_thread *thread);
/// Whether a lock that a thread has by its number is not given back but in the simulation, if at all.
bool napkin_is_held_here(uintptr_t lock, uint32_t tid);
static inline uint32_t napkin_owner_of(const pthread_mutex_t *lock) { return (uint32_t)lock->__data.__owner; }
long napkin_raw_syscall(long number, long a, long b, long c, long d, long e, long f);
/// Keeps that the running task has a lock, and forgets that it or another one has.
void napkin_hold(const void *lock, int kind);
void napkin_give_back(const void *lock);
void napkin_forget_held(const void *lock);
/// Keeps that the thread has a `Mutex` that it tried before, if it has.
void napkin_settle_tried(napkin_thread *self);
/// Forgets such a `Mutex` in memory that is given back.
void napkin_forget_tried(uintptr_t start, uintptr_t end);
void napkin_free_onces(struct napkin_once *onces);
/// Whether a job has a lock.
bool napkin_holds_any(const napkin_thread *self);
/// Has the running job reach its next access, whatever is left of its slice.
void napkin_decide_soon(void);
/// Forgets locks in memory that is given back.
void napkin_forget_held_in(uintptr_t start, uintptr_t end);
/// The job of the thread ends, and leaves locked what it holds.
void napkin_leave_held(napkin_thread *self);
/// Releases what a job holds that is discarded; called on its thread.
void napkin_release_held(napkin_thread *self);
void napkin_unlock_discarded(const napkin_held_lock *held);

__attribute__((always_inline)) static inline bool is_quiet(uintptr_t caller) {
  uintptr_t offset = caller - 1 - napkin_code_start;
  return offset < napkin_code_size && (napkin_quiet_bits[offset >> 7] >> (offset >> 2 & 31) & 1) != 0;
}

// Called where accesses count, which an unoptimised build sees before it evaluates the arguments.
__attribute__((always_inline)) static inline void access_at(uintptr_t address, size_t size, int kind, uintptr_t caller) {
  // Without a hint that the rest is rare, which would have the compiler make that small and slow.
  if (is_quiet(caller)) return;
  if (address - napkin_scope_start < napkin_scope_bytes) napkin_scope_is_covered = true;
  const recent_access *recent = RECENT_PLACE(address, kind);
  bool is_known = recent->address == address && recent->tag == RECENT_TAG(size, kind) && size <= largest_recent;
  if (--napkin_accesses_left > 0 && !napkin_writes_accesses_down && (is_known || !napkin_searching)) return;
  napkin_meet_access(address, size, kind, caller);
}
#endif
