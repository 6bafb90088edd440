// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Baton.h"
#include "Runtime.h"

#if !NAPKIN_SPLITS
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

// In a program whose steps are not split, a job can be stopped where it calls the runtime of Swift Concurrency: at the calls by which
// another task is made ready or cancelled, and those that ask for it. These are its accesses, and counted for its task.

typedef struct {
  napkin_point point;
  uint64_t place;
} noted_call;

/// All that this file keeps of one execution: zero when it begins, and freed with it.
struct napkin_split {
  /// How many calls each task has had, and those at which one is stopped.
  int64_t *counts;
  int32_t capacity, end;
  napkin_point *plan;
  size_t plan_count;
  /// The calls that are written down, each with the code that it is in.
  bool learns;
  noted_call *notes;
  size_t note_count, note_room;
  napkin_candidate *candidates;
  /// Whether a job had to go on without being chosen: the execution counts for nothing, and stops no more.
  _Atomic(bool) is_lost;
};

bool napkin_stops_at_calls(void) { return true; }

napkin_split *napkin_make_split(const napkin_point *points, size_t count) {
  napkin_split *made = calloc(1, sizeof *made);
  if (!made) abort();
  made->plan = count ? malloc(count * sizeof *points) : NULL;
  made->plan_count = made->plan ? count : 0;
  if (made->plan) memcpy(made->plan, points, count * sizeof *points);
  return made;
}

void napkin_free_split(napkin_split *ended) {
  free(ended->candidates);
  free(ended->notes);
  free(ended->counts);
  free(ended->plan);
  free(ended);
}

int64_t napkin_accesses_of(const napkin_split *split, int32_t task) {
  return task >= 0 && task < split->end ? split->counts[task] : 0;
}

bool napkin_is_lost(const napkin_split *split) { return atomic_load_explicit(&split->is_lost, memory_order_relaxed); }

static _Atomic(napkin_thread *) holder = NULL;
static _Atomic(bool) is_hasty = false, has_been_hasty = false;
static _Atomic(int) lost_turns = 0;
int napkin_be_hasty(bool hasty) {
  atomic_store(&is_hasty, hasty);
  atomic_store(&has_been_hasty, true);
  return atomic_load(&lost_turns);
}
_Atomic(bool) napkin_any_is_out = false;

void napkin_begin_accesses(napkin_split *split, bool learns, bool looks, bool keeps) {
  (void)looks, (void)keeps;
  split->learns = learns;
}

void napkin_end_accesses(void) {}

static void become_starter(void) {
  static bool is_prepared = false;
  if (!is_prepared) napkin_prepare_thread(&napkin_starter);
  is_prepared = true;
  // The main queue moves to another thread when the first one ends, and a new thread may have the memory of one that has ended.
  uint32_t number = napkin_starter.tid;
  napkin_find_number(&napkin_starter);
  if (napkin_starter.tid != number || napkin_starter.counts != &napkin_counts_accesses) {
    napkin_find_stack(&napkin_starter.stack_start, &napkin_starter.stack_size);
    napkin_starter.counts = &napkin_counts_accesses;
    napkin_starter.identity = napkin_this_thread();
  }
  napkin_self = &napkin_starter;
}

void napkin_use_split(napkin_split *split) {
  if (split && !napkin_self) become_starter();
  if (!split && napkin_self == &napkin_starter) napkin_self = NULL;
  napkin_under_way = split;
  atomic_store(&holder, split ? napkin_self : NULL);
  atomic_store(&napkin_any_is_out, false);
}

static void *grow(void *array, size_t *room, size_t size) {
  *room = *room ? 2 * *room : 64;
  void *grown = realloc(array, *room * size);
  if (!grown) abort();
  return grown;
}

static int64_t next_number(napkin_split *split, int32_t task) {
  while (split->end <= task) {
    if (split->end == split->capacity) {
      size_t room = (size_t)split->capacity;
      split->counts = grow(split->counts, &room, sizeof *split->counts);
      split->capacity = (int32_t)room;
    }
    split->counts[split->end++] = 0;
  }
  return ++split->counts[task];
}

void napkin_return_to_job(void) {
  atomic_store_explicit(&napkin_self->is_in_job, true, memory_order_release);
  napkin_resume_accesses(1);
}

bool napkin_leave_job(void) {
  if (!running_thread()) return false;
  // Stored before it asks: a thread that takes the baton over meanwhile sees this, or is seen here.
  atomic_store(&napkin_self->is_in_job, false);
  if (atomic_load(&napkin_any_is_out)) (void)napkin_is_exploring_thread();
  __atomic_store_n(&napkin_counts_accesses, 0, __ATOMIC_RELAXED);
  return true;
}

void napkin_begin_slice(int32_t task) {
  if (!napkin_self || !napkin_under_way) return;
  napkin_self->task = task;
  napkin_return_to_job();
}

void napkin_end_slice(void) { napkin_leave_job(); }

// The code that a call is in: the addresses that its callers return to. They are asked for here, since each frame costs as much as a step.
static uint64_t place_of_call(int kind) {
  enum { frames = 48 };
  uintptr_t addresses[frames];
  napkin_met_callers met = {addresses, 0, frames};
  _Unwind_Backtrace(napkin_add_caller, &met);
  uint64_t place = (uint64_t)kind;
  for (size_t index = 0; index < met.count; index++) place = (place ^ addresses[index]) * 0x9E3779B97F4A7C15;
  return place;
}

// The places where a job held a lock that another one wanted, in this process: none is stopped there again. Once may be by chance, as
// where a thread of another test has a lock of the runtime and no processor. The thread that has the baton alone touches them.
enum { most_avoided = 1024 };
static struct {
  uint64_t place;
  bool is_certain;
} avoided[most_avoided];
static size_t avoided_count = 0;

static bool is_avoided(uint64_t place) {
  for (size_t index = 0; index < avoided_count; index++) {
    if (avoided[index].place == place) return avoided[index].is_certain;
  }
  return avoided_count == most_avoided;
}

static void avoid(uint64_t place) {
  for (size_t index = 0; index < avoided_count; index++) {
    if (avoided[index].place != place) continue;
    avoided[index].is_certain = true;
    return;
  }
  if (avoided_count < most_avoided) avoided[avoided_count++].place = place;
}

static bool is_planned(const napkin_split *split, int32_t task, int64_t number) {
  for (size_t index = 0; index < split->plan_count; index++) {
    if (split->plan[index].task == task && split->plan[index].number == number) return true;
  }
  return false;
}

void napkin_reach_call(int kind) {
  napkin_split *split = napkin_under_way;
  napkin_thread *self = split ? running_thread() : NULL;
  // Code of the kit is no place to stop at.
  if (!self || self->is_between_jobs || napkin_counts_accesses == 0 || !napkin_is_exploring_thread()) return;
  // A task that has suspended or ended has no next line; what its thread does on the way out is the runtime's.
  if (!swift_task_getCurrent()) return;
  if (napkin_open_calls.creating + napkin_open_calls.starting + napkin_open_calls.on_main_queue > 0) return;
  int64_t number = next_number(split, self->task);
  bool stops = !napkin_is_lost(split) && is_planned(split, self->task, number);
  // To find the callers costs as much as several jobs: of a long execution some calls stand for the others.
  enum { noted_closely = 64, noted_seldom = 32 };
  bool learns = split->learns && (split->note_count < noted_closely || number % noted_seldom == 0);
  if (!stops && !learns) return;
  uint64_t place = place_of_call(kind);
  if (is_avoided(place)) return;
  if (learns) {
    if (split->note_count == split->note_room) split->notes = grow(split->notes, &split->note_room, sizeof *split->notes);
    split->notes[split->note_count++] = (noted_call){{self->task, number}, place};
  }
  if (!stops) return;
  int saved = errno;
  napkin_access access = {.number = number, .task = self->task, .kind = kind, .is_planned = true};
  self->place = place;
  napkin_leave_job();
  napkin_thread *next = NULL;
  if (napkin_handlers.preempts(self, &access, &next)) napkin_pass(self, next);
  napkin_return_to_job();
  errno = saved;
}

void napkin_cancel_between_jobs(void *task) {
  napkin_thread *self = napkin_under_way ? napkin_self : NULL;
  if (!self) return swift_task_cancel(task);
  self->is_between_jobs = true;
  napkin_return_to_job();
  swift_task_cancel(task);
  (void)napkin_is_exploring_thread();
  napkin_leave_job();
  self->is_between_jobs = false;
}

const napkin_candidate *napkin_find_candidates(napkin_split *split, size_t *count) {
  *count = split->note_count;
  if (split->note_count == 0) return NULL;
  split->candidates = calloc(split->note_count, sizeof *split->candidates);
  if (!split->candidates) abort();
  // By the places in the order in which they were met, which is the same in each process.
  size_t found = 0;
  int32_t group = 0;
  for (size_t first = 0; first < split->note_count; first++) {
    uint64_t place = split->notes[first].place;
    if (place == 0) continue;
    for (size_t index = first; index < split->note_count; index++) {
      if (split->notes[index].place != place) continue;
      split->candidates[found++] = (napkin_candidate){split->notes[index].point, group};
      split->notes[index].place = 0;
    }
    group++;
  }
  return split->candidates;
}

// A job may want a lock that a stopped one has: it sleeps in the kernel, with the baton. The stopped one notices, and goes on without
// being chosen. The other one runs on when it has the lock, until it needs the baton again, and waits for it there.

void napkin_note_holder(napkin_thread *thread) { atomic_store(&holder, thread); }

// Whether a job's own code is at work, and not the kit's, all that has been done by which is seen then.
static bool is_in_own_code(const napkin_thread *thread) {
  return atomic_load(&thread->is_in_job) && __atomic_load_n(thread->counts, __ATOMIC_SEQ_CST) != 0;
}

// The values of `is_out`: a thread has the baton or waits for it, has lost it, or has lost it and needs it again.
enum { in_turn, out, back };

// Names the thread that has the baton to those that ask; it may change meanwhile.
static void name_holder(void) {
  napkin_thread *now;
  do {
    now = atomic_load(&holder);
    atomic_store(&napkin_exploring_thread, now->identity);
  } while (atomic_load(&holder) != now);
}

// An odd number while a thread tries to take the baton over: which one has it is not certain then.
static _Atomic(uint64_t) attempts = 0;

// The other thread may wake up at any moment, and call the kit, or pass the baton on. So it is marked first: from there on it finds, where
// it comes to the kit, that it is out, and waits. If it was in the kit by then, or is at work, it keeps the baton.
static bool take_over(napkin_thread *self, napkin_thread *other, bool is_awake) {
  napkin_split *split = napkin_under_way;
  napkin_thread *expected = other;
  if (!split || !atomic_compare_exchange_strong(&holder, &expected, self)) return false;
  atomic_fetch_add(&attempts, 1);
  atomic_store(&other->is_out, out);
  atomic_store(&napkin_any_is_out, true);
  name_holder();
  napkin_thread_look look;
  bool is_at_rest = is_awake || (napkin_look_at_thread(other->tid, &look) && look.sleeps);
  if (is_at_rest && is_in_own_code(other) && atomic_load(&holder) == self) {
    atomic_store(&split->is_lost, true);
    napkin_got_baton(self);
    atomic_fetch_add(&attempts, 1);
    atomic_fetch_add(&lost_turns, 1);
    if (!atomic_load(&has_been_hasty)) avoid(self->place);
    napkin_handlers.loses(other, self);
    return true;
  }
  // No other thread can try while this is the holder. The other one waits by now if it is not out.
  int seen = out;
  bool waits = !atomic_compare_exchange_strong(&other->is_out, &seen, in_turn);
  expected = self;
  (void)atomic_compare_exchange_strong(&holder, &expected, other);
  name_holder();
  atomic_fetch_add(&attempts, 1);
  if (waits) napkin_give(other);
  return false;
}

void napkin_await_turn(napkin_thread *self) {
  // An ordinary job takes less than a thousandth of this. A loop that waits for a lock does not sleep; on a busy machine it may get next
  // to nothing of a processor, above all if it yields that each time.
  enum { nanoseconds = 1000000, nanoseconds_in_haste = 5000, times_of_sleep = 3 };
  static const int64_t awake = 100000000, starved = 2000000000;
  const napkin_thread *seen = NULL;
  uint64_t beats = 0;
  int64_t since = 0, start = 0;
  int times = 0;
  while (!napkin_is_given(self)) {
    bool hastens = atomic_load_explicit(&is_hasty, memory_order_relaxed);
    napkin_sleep_until_given(self, hastens ? nanoseconds_in_haste : nanoseconds);
    napkin_thread *other = atomic_load(&holder);
    uint64_t now = atomic_load_explicit(&napkin_heartbeat, memory_order_relaxed);
    if (!other || other == self || !is_in_own_code(other)) {
      seen = NULL;
      continue;
    }
    napkin_thread_look look;
    times = napkin_look_at_thread(other->tid, &look) && look.sleeps ? times + 1 : 0;
    if (other != seen || now != beats) (seen = other), (beats = now), (times = 0), (since = look.used), (start = napkin_real_time());
    bool is_awake = hastens || look.used - since >= awake || napkin_real_time() - start > starved;
    if ((times >= times_of_sleep || is_awake) && take_over(self, other, is_awake)) return;
  }
  napkin_got_baton(self);
}

bool napkin_come_back(void) {
  napkin_thread *self = napkin_self;
  if (!self) return false;
  // A thread of the simulation that runs has the baton, or is out; while another one tries to take it over, it may seem to be neither.
  for (;;) {
    uint64_t attempt = atomic_load(&attempts);
    int seen = out;
    if (atomic_compare_exchange_strong(&self->is_out, &seen, back)) {
      napkin_await_turn(self);
      atomic_store(&self->is_out, in_turn);
      return true;
    }
    if (atomic_load(&napkin_exploring_thread) == self->identity) return true;
    if (attempt % 2 == 0 && attempt == atomic_load(&attempts)) return false;
    sched_yield();
  }
}

bool napkin_can_go_on(const napkin_thread *thread) { return !napkin_is_out(thread); }
bool napkin_is_out(const napkin_thread *thread) { return atomic_load(&thread->is_out) == out; }

bool napkin_enter_thread(napkin_thread *thread) {
  enum { most_threads = 1024 };
  static int count = 0;
  (void)thread;
  return count++ < most_threads;
}
void napkin_forget_thread(napkin_thread *thread) { (void)thread; }
#endif
