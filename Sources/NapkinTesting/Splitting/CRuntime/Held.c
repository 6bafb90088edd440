// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Clocks.h"
#include "Split.h"

#if NAPKIN_SPLITS
#include <errno.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>

// The locks that are held in an execution, each by the task that has taken it: in the middle of its step, or beyond that.

/// The last time that a lock was taken and not given back: by a task, if it was by that one, or else by any. NULL if it is not held.
static napkin_held *find(uintptr_t lock, int32_t task) {
  napkin_split *split = napkin_under_way;
  napkin_held *found = NULL;
  for (size_t index = split ? split->held_count : 0; index > 0; index--) {
    napkin_held *held = &split->held[index - 1];
    if (held->lock.address != lock) continue;
    if (held->task == task) return held;
    if (!found) found = held;
  }
  return found;
}

static void forget(napkin_held *held) {
  napkin_split *split = napkin_under_way;
  size_t rest = (size_t)(&split->held[--split->held_count] - held);
  if (rest > 0) memmove(held, held + 1, rest * sizeof *held);
}

void napkin_settle_tried(napkin_thread *self) {
  const volatile uint32_t *tried = self->tried;
  if ((*tried & FUTEX_TID_MASK) == self->tid) napkin_hold((const void *)tried, napkin_waits_for_mutex);
}

void napkin_hold(const void *lock, int kind) {
  napkin_thread *self = napkin_self;
  if (self) self->tried = NULL;
  napkin_acquire(lock);
  napkin_split *split = napkin_under_way;
  if (!self || !split) return;
  if (split->held_count == split->held_room) split->held = napkin_grow(split->held, &split->held_room, sizeof *split->held);
  napkin_held *held = &split->held[split->held_count++];
  held->thread = self;
  held->tid = self->tid;
  held->task = self->task;
  held->lock.address = (uintptr_t)lock;
  held->lock.kind = kind;
  held->lock.frames.count = napkin_keeps_callers ? napkin_job_callers(held->lock.frames.addresses, napkin_split_frames) : 0;
}

void napkin_give_back(const void *lock) {
  if (!napkin_self) return;
  napkin_release_clocks(lock);
  napkin_forget_held(lock);
}

void napkin_forget_held(const void *lock) {
  napkin_held *held = find((uintptr_t)lock, napkin_self->task);
  if (!held) return;
  forget(held);
  if (napkin_under_way->due_since != 0 && !napkin_holds_any(napkin_self)) napkin_decide_soon();
}

bool napkin_holds_any(const napkin_thread *self) {
  const napkin_split *split = napkin_under_way;
  for (size_t index = split->held_count; index > 0; index--) {
    if (split->held[index - 1].thread == self) return true;
  }
  return false;
}

void napkin_forget_held_in(uintptr_t start, uintptr_t end) {
  napkin_split *split = napkin_under_way;
  for (size_t index = split ? split->held_count : 0; index > 0; index--) {
    if (split->held[index - 1].lock.address - start < end - start) forget(&split->held[index - 1]);
  }
}

void napkin_leave_held(napkin_thread *self) {
  napkin_split *split = napkin_under_way;
  for (size_t index = 0; index < split->held_count; index++) {
    if (split->held[index].thread == self) split->held[index].thread = NULL;
  }
}

void napkin_release_held(napkin_thread *self) {
  napkin_split *split = napkin_under_way;
  for (size_t index = split->held_count; index > 0; index--) {
    napkin_held held = split->held[index - 1];
    if (held.thread != self) continue;
    forget(&split->held[index - 1]);
    // The frames in which such a lock was are gone.
    if (held.lock.address - self->stack_start >= self->stack_size) napkin_unlock_discarded(&held.lock);
  }
}

static bool has_ended(uint32_t tid) {
  long process = napkin_raw_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);
  return tid != 0 && napkin_raw_syscall(SYS_tgkill, process, (long)tid, 0, 0, 0, 0) == -ESRCH;
}

// A thread that has left a lock locked at its end does not give it back.
bool napkin_is_held_here(uintptr_t lock, uint32_t tid) {
  if (napkin_thread_with(tid)) return true;
  const napkin_held *held = find(lock, -1);
  return (held && held->tid == tid) || has_ended(tid);
}

/// The number of the thread that has the lock which a thread waits for; zero if that is no lock of one thread.
static uint32_t owner_for(const napkin_thread *thread) {
  switch (thread->waits_for) {
    case napkin_waits_for_mutex: return *thread->word & FUTEX_TID_MASK;
    case napkin_waits_for_pthread_mutex: return napkin_owner_of((const pthread_mutex_t *)thread->address);
    default: return 0;
  }
}

static bool is_of_one_thread(int kind) { return kind == napkin_waits_for_mutex || kind == napkin_waits_for_pthread_mutex; }

bool napkin_others_have_lock_of(const napkin_thread *thread) {
  return is_of_one_thread(thread->waits_for) && !napkin_is_held_here(thread->address, owner_for(thread));
}

napkin_split_wait napkin_describe_wait(const napkin_thread *thread) {
  napkin_split_wait wait = {.kind = thread->waits_for, .holder_task = -1, .frames = thread->frames};
  wait.is_of_one_task = is_of_one_thread(thread->waits_for);
  if (thread->waits_for == napkin_waits_for_thread) {
    wait.holder = (napkin_thread *)thread->address;
  } else if (wait.is_of_one_task || thread->waits_for == napkin_waits_for_queue) {
    const napkin_held *held = find(thread->address, -1);
    if (held) {
      wait.holder = held->thread;
      wait.holder_task = held->task;
      wait.holder_frames = held->lock.frames;
      return wait;
    }
    // It may have a Mutex that it has tried, see napkin_settle_tried.
    napkin_thread *owner = napkin_thread_with(owner_for(thread));
    if (owner && (uintptr_t)owner->tried == thread->address) wait.holder = owner;
  }
  if (wait.holder) wait.holder_task = wait.holder->task;
  return wait;
}
#endif
