// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Clocks.h"

#if NAPKIN_SPLITS
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "Runtime.h"

// Finds the tests that come to the same variable, in tests that explore nothing. No order counts: either of two tests may be the first,
// and the other one finds what that one has left. A variable ends where its memory is given back.

enum { buckets = 1 << 16, page_bits = 12, granule_bits = 4, most_variables = 1 << 18, most_locks = 8, most_guards, own_frames = 4 };

typedef struct variable {
  napkin_shared_variable seen;
  /// The locks and the actor that all accesses were under, by their addresses; zero where there is none.
  uintptr_t guards[most_guards];
  int32_t last_test;
  bool last_wrote;
  struct variable *next;
} variable;

_Atomic(bool) napkin_hears_sharing = false;
static int (*test_of_caller)(void) = NULL;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static variable *table[buckets], *unused = NULL;
static size_t made = 0;
static _Atomic(bool) is_full = false;
/// How many variables are in pages of memory that share a number, so that the end of other memory costs little.
static _Atomic(int32_t) in_pages[buckets];

typedef struct {
  bool is_hearing;
  /// How many initialisers that run once the thread is in: what these do is no test's, whichever test is the first.
  int initialisers;
  /// The last task that came here, its number, and its test.
  const void *task;
  uint64_t number;
  int test;
  uintptr_t stack_start, stack_size;
  uint32_t tid;
  int lock_count;
  uintptr_t locks[most_locks];
} hearer;
static FAST_THREAD_LOCAL hearer own;

static void lock_table(void) {
  while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) {}
}
static void unlock_table(void) { atomic_flag_clear_explicit(&lock, memory_order_release); }
static variable **bucket_of(uintptr_t address) { return &table[(address >> granule_bits) * 0x9E3779B97F4A7C15u >> 48]; }
static _Atomic(int32_t) *page_of(uintptr_t address) { return &in_pages[(address >> page_bits) & (buckets - 1)]; }

bool napkin_hear_sharing(int (*test)(void)) {
  if (!napkin_find_quiet_code()) return false;
  test_of_caller = test;
  atomic_store(&napkin_hears_sharing, true);
  return true;
}

static int current_test(void) {
  void *task = swift_task_getCurrent();
  uint64_t number = task ? napkin_job_task_id(task) : 0;
  if (task && own.task == task && own.number == number) return own.test;
  int test = test_of_caller();
  // A test begins in the middle of a task.
  own.task = test < 0 ? NULL : task;
  own.number = number;
  own.test = test;
  return test;
}

static uint32_t thread_number(void) {
  if (own.tid == 0) own.tid = (uint32_t)napkin_raw_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0);
  return own.tid;
}

/// Finds the locks that the thread has, and the actor that it is on.
static void find_guards(uintptr_t *held) {
  memcpy(held, own.locks, (size_t)own.lock_count * sizeof *own.locks);
  uintptr_t actor = swift_task_getCurrent() ? swift_task_getCurrentExecutor().identity : 0;
  bool is_main = (long)thread_number() == napkin_raw_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);
  held[most_locks] = actor || !is_main ? actor : napkin_main_executor().identity;
}

/// Keeps those of the variable's guards that are held now, too.
static void keep_guards(variable *variable, const uintptr_t *held) {
  variable->seen.guard = 0;
  for (int kept = 0; kept < most_guards; kept++) {
    uintptr_t guard = variable->guards[kept];
    variable->guards[kept] = 0;
    for (int index = 0; index < most_guards && guard; index++) {
      if (held[index] == guard) variable->seen.guard = variable->guards[kept] = guard;
    }
  }
}

static variable *find(uintptr_t address) {
  variable *found = *bucket_of(address);
  while (found && found->seen.address != address) found = found->next;
  return found;
}

static variable *make(uintptr_t address) {
  variable *new = unused;
  if (new) unused = new->next;
  else if (made < most_variables && (new = __libc_malloc(sizeof *new))) made++;
  if (!new) return atomic_store(&is_full, true), NULL;
  *new = (variable){.seen.address = address, .last_test = -1, .next = *bucket_of(address)};
  *bucket_of(address) = new;
  atomic_fetch_add_explicit(page_of(address), 1, memory_order_relaxed);
  return new;
}

static napkin_shared_access *access_of(napkin_shared_variable *variable, int test, bool writes) {
  for (int index = 0; index < variable->access_count; index++) {
    napkin_shared_access *access = &variable->accesses[index];
    if (access->test == test && access->writes == writes) return access;
  }
  return NULL;
}

/// Where an access is to be kept; NULL where there is no room, or it is known.
static napkin_shared_access *place_for(napkin_shared_variable *variable, int test, bool writes) {
  if (access_of(variable, test, writes)) return NULL;
  if (variable->access_count < napkin_shared_accesses) return &variable->accesses[variable->access_count++];
  variable->others++;
  int writers = 0, last_reader = -1;
  for (int index = 0; index < napkin_shared_accesses; index++) {
    writers += variable->accesses[index].writes;
    if (!variable->accesses[index].writes) last_reader = index;
  }
  return writes && writers < napkin_shared_accesses / 2 && last_reader >= 0 ? &variable->accesses[last_reader] : NULL;
}

static bool is_empty(uintptr_t address) { return (address & 7) == 0 ? *(const uint64_t *)address == 0 : *(const uint8_t *)address == 0; }

/// Adds an access; returns whether its callers are to be kept.
static bool add(uintptr_t address, int test, bool writes, const uintptr_t *held) {
  variable *variable = find(address);
  if (!variable && !(variable = make(address))) return false;
  napkin_shared_variable *seen = &variable->seen;
  if (variable->last_test < 0) seen->first_test = test, memcpy(variable->guards, held, sizeof variable->guards);
  keep_guards(variable, held);
  if (seen->first_test != test) seen->is_shared = true;
  if (writes && (seen->is_shared || !is_empty(address))) seen->is_replaced = true;
  if (variable->last_test == test && variable->last_wrote >= writes) return false;
  variable->last_test = test;
  variable->last_wrote = writes;
  napkin_shared_access *place = place_for(seen, test, writes);
  if (place) *place = (napkin_shared_access){.test = test, .writes = writes};
  return place != NULL;
}

void napkin_share_variable(uintptr_t address, bool writes, uintptr_t caller) {
  // Code of the library that runs the tests, and of the kit, is none of a test's; each execution of an exploration begins anew.
  if (own.is_hearing || napkin_self || caller - napkin_code_start >= napkin_code_size || is_quiet(caller)) return;
  if (own.initialisers > 0 || napkin_is_exploring_thread()) return;
  own.is_hearing = true;
  if (own.stack_size == 0) napkin_find_stack(&own.stack_start, &own.stack_size);
  int test = address - own.stack_start < own.stack_size ? -1 : current_test();
  if (test >= 0) {
    uintptr_t held[most_guards] = {0}, callers[napkin_shared_frames + own_frames] = {0};
    find_guards(held);
    lock_table();
    bool is_new = add(address, test, writes, held);
    unlock_table();
    if (is_new) {
      size_t count = napkin_job_callers(callers, napkin_shared_frames + own_frames), first = 0;
      while (first < count && callers[first] != caller) first++;
      count = count - first < napkin_shared_frames ? count - first : napkin_shared_frames;
      lock_table();
      variable *variable = find(address);
      napkin_shared_access *access = variable ? access_of(&variable->seen, test, writes) : NULL;
      if (access) memcpy(access->callers, callers + first, count * sizeof *callers);
      unlock_table();
    }
  }
  own.is_hearing = false;
}

void napkin_share_initialiser(bool begins) { own.initialisers += begins ? 1 : -1; }

void napkin_share_lock(const volatile void *address, bool is_taken) {
  if (is_taken) {
    if (own.lock_count < most_locks) own.locks[own.lock_count++] = (uintptr_t)address;
    return;
  }
  int index = own.lock_count;
  while (index > 0 && own.locks[index - 1] != (uintptr_t)address) index--;
  if (index == 0) return;
  own.lock_count--;
  memmove(&own.locks[index - 1], &own.locks[index], (size_t)(own.lock_count - index + 1) * sizeof *own.locks);
}

void napkin_share_exchange(const volatile void *address, uint64_t before, uint64_t after, bool is_done) {
  if (own.is_hearing) return;
  if (before == 0 && after == thread_number() && is_done) napkin_share_lock(address, true);
  // Where another thread waits, a function of its library gives it back.
  else if (after == 0 && before == thread_number()) napkin_share_lock(address, false);
}

void napkin_share_end(uintptr_t start, uintptr_t end) {
  int32_t known = 0;
  for (uintptr_t page = start >> page_bits; page <= end >> page_bits && known == 0; page++) {
    known = atomic_load_explicit(page_of(page << page_bits), memory_order_relaxed);
  }
  if (known == 0) return;
  lock_table();
  for (uintptr_t granule = start >> granule_bits; granule <= end >> granule_bits; granule++) {
    for (variable **place = bucket_of(granule << granule_bits); *place;) {
      variable *each = *place;
      if (each->seen.address - start >= end - start) {
        place = &each->next;
        continue;
      }
      *place = each->next;
      each->next = unused;
      unused = each;
      atomic_fetch_sub_explicit(page_of(each->seen.address), 1, memory_order_relaxed);
    }
  }
  unlock_table();
}

size_t napkin_shared_variables(napkin_shared_variable *written, size_t capacity, bool *misses) {
  size_t found = 0;
  atomic_store(&napkin_hears_sharing, false);
  *misses = atomic_load(&is_full);
  lock_table();
  for (size_t index = 0; index < buckets; index++) {
    for (const variable *each = table[index]; each; each = each->next) {
      if (!each->seen.is_shared) continue;
      if (found < capacity) written[found] = each->seen;
      found++;
    }
  }
  unlock_table();
  return found;
}

uintptr_t napkin_object_around(uintptr_t address) {
  // By the ABI, the metadata of a class without Objective-C: its kind, and where the sizes and the description of the type are.
  enum { most_bytes = 1 << 12, size_word = 3, description_word = 5, words_of_class = 6, metadata_alignment = 8 };
  for (uintptr_t start = address & ~(uintptr_t)15; address - start < most_bytes; start -= 16) {
    uint64_t object[2], metadata[words_of_class];
    if (!napkin_peek((void *)start, object, sizeof object)) return 0;
    if (object[0] < 4096 || object[0] % metadata_alignment != 0 || !napkin_peek((void *)object[0], metadata, sizeof metadata)) continue;
    bool is_class = metadata[0] == 0 && metadata[size_word - 1] >> 16 == 0;
    uint32_t size = (uint32_t)metadata[size_word];
    uint32_t description;
    if (is_class && address - start < size && size < 1 << 20 && napkin_peek((void *)metadata[description_word], &description, 4) &&
        (description & 31) == 16) {
      return start;
    }
  }
  return 0;
}
#endif
