// SPDX-License-Identifier: Apache-2.0
#include "System.h"
#if NAPKIN_SPLITS
#include "Split.h"
#endif

#include <string.h>

// The functions of the thread sanitizer, which code calls at its accesses that was compiled with `-Xfrontend -sanitize=thread`,
// and whose runtime is not linked. With `--sanitize=thread` it is, and has these functions; so here they are weak.

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HAS_THREAD_SANITIZER
#endif
#endif

#if !defined(HAS_THREAD_SANITIZER)
#define WEAK __attribute__((weak))
static _Thread_local uint64_t exchanges = 0;
uint64_t napkin_exchanges(void) { return exchanges; }

static bool is_instrumented = false;
bool napkin_is_instrumented(void) { return is_instrumented; }

#if NAPKIN_SPLITS
#define AT(address, size, kind) \
  (napkin_counts_accesses == 0 ? (void)0 : access_at((uintptr_t)(address), size, kind, CALLER))
#else
#define AT(address, size, kind) ((void)(address), (void)(size))
#endif

WEAK void __tsan_init(void) { is_instrumented = true; }
WEAK void __tsan_func_entry(void *caller) { (void)caller; }
WEAK void __tsan_func_exit(void) {}
// Around the end of an object or a structure: of an object, the caller was given it in this register, and calls here first.
WEAK void __tsan_ignore_thread_begin(void) {
#if NAPKIN_SPLITS
  uintptr_t object;
#if defined(__x86_64__)
  __asm__ volatile("mov %%r13, %0" : "=r"(object));
#else
  __asm__ volatile("mov %0, x20" : "=r"(object));
#endif
  napkin_thread *self = napkin_self;
  if (self && self->deinit_count++ < napkin_most_deinits) self->deinits[self->deinit_count - 1] = object;
#endif
}
WEAK void __tsan_ignore_thread_end(void) {
#if NAPKIN_SPLITS
  if (napkin_self && napkin_self->deinit_count > 0) napkin_self->deinit_count--;
#endif
}

#define ACCESS(name, size, kind) \
  WEAK void __tsan_##name##size(void *address) { AT(address, size, kind); }
#define ACCESSES(size) \
  ACCESS(read, size, napkin_access_read) \
  ACCESS(write, size, napkin_access_write) \
  ACCESS(unaligned_read, size, napkin_access_read) \
  ACCESS(unaligned_write, size, napkin_access_write) \
  ACCESS(volatile_read, size, napkin_access_read) \
  ACCESS(volatile_write, size, napkin_access_write) \
  ACCESS(unaligned_volatile_read, size, napkin_access_read) \
  ACCESS(unaligned_volatile_write, size, napkin_access_write) \
  ACCESS(read_write, size, napkin_access_write) \
  ACCESS(unaligned_read_write, size, napkin_access_write)
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

// It says where a variable begins that is handed over by `&`, and not how large it is: what may be beside it is not accessed.
WEAK void __tsan_external_write(void *address, void *caller, void *tag) {
  (void)caller, (void)tag;
  AT(address, 1, napkin_access_handed);
}
WEAK void __tsan_vptr_read(void **address) { (void)address; }
WEAK void __tsan_vptr_update(void **address, void *value) { (void)address, (void)value; }
WEAK void *__tsan_memset(void *target, int value, unsigned long size) {
  AT(target, size, napkin_access_write);
  return memset(target, value, size);
}
WEAK void *__tsan_memcpy(void *target, const void *source, unsigned long size) {
  AT(source, size, napkin_access_read);
  AT(target, size, napkin_access_write);
  return memcpy(target, source, size);
}
WEAK void *__tsan_memmove(void *target, const void *source, unsigned long size) {
  AT(source, size, napkin_access_read);
  AT(target, size, napkin_access_write);
  return memmove(target, source, size);
}

#if NAPKIN_SPLITS
// The orders as the sanitizer numbers them: relaxed, consume, acquire, release, both, and sequentially consistent.
static inline bool acquires(int order) { return order != 0 && order != 3; }
static inline bool releases(int order) { return order >= 3; }
static inline void will_load(const volatile void *address, int order) {
  if (napkin_searching) napkin_load_atomic(address, acquires(order));
}
static inline void will_store(const volatile void *address, int order) {
  if (napkin_searching) napkin_store_atomic(address, releases(order));
}
static inline void will_update(const volatile void *address, int order) {
  if (napkin_searching) napkin_update_atomic(address, acquires(order), releases(order));
}
static inline void has_exchanged(const volatile void *address, bool is_done, int order, int failed) {
  if (is_done) will_update(address, order);
  else will_load(address, failed);
}

// A `Mutex` that is free is taken by putting the thread's number in place of zero, and given back the other way round. Where it was not
// free, a function of its library takes it, perhaps without a call that is seen here.
static inline void look_for_mutex(const volatile void *address, uint64_t before, uint64_t after, bool is_done) {
  napkin_thread *self = running_thread();
  if (!self && IS_SHARING) napkin_share_exchange(address, before, after, is_done);
  if (!self) return;
  if (!is_done) {
    if (self->tried) napkin_settle_tried(self);
    self->tried = before == 0 && after == self->tid ? (const volatile uint32_t *)address : NULL;
  } else if (before == 0 && after == self->tid) {
    napkin_hold((const void *)address, napkin_waits_for_mutex);
  } else if (before == self->tid && after == 0) {
    // It was taken after it was tried, and nothing that asks for it was done since.
    if (self->tried == address) napkin_acquire(address);
    self->tried = NULL;
    napkin_give_back((const void *)address);
  }
}
#else
#define will_load(address, order) ((void)(address), (void)(order))
#define will_store(address, order) ((void)(address), (void)(order))
#define will_update(address, order) ((void)(address), (void)(order))
#define has_exchanged(address, is_done, order, failed) ((void)(address), (void)(is_done), (void)(order), (void)(failed))
#define look_for_mutex(address, before, after, is_done) ((void)(address), (void)(before), (void)(after), (void)(is_done))
#endif

// Atomic operations are done here, in the strongest order: one thread at a time runs, so that no weaker order can be seen.
WEAK void __tsan_atomic_thread_fence(int order) {
  (void)order;
#if NAPKIN_SPLITS
  if (napkin_searching) napkin_fence(acquires(order), releases(order));
#endif
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
WEAK void __tsan_atomic_signal_fence(int order) { (void)order; }

#define UPDATE(bits, type, name, builtin) \
  WEAK type __tsan_atomic##bits##_##name(volatile type *address, type value, int order) { \
    AT(address, bits / 8, napkin_access_atomic_write); \
    will_update(address, order); \
    return builtin(address, value, __ATOMIC_SEQ_CST); \
  }
#define ATOMICS(bits, type) \
  WEAK type __tsan_atomic##bits##_load(const volatile type *address, int order) { \
    AT(address, bits / 8, napkin_access_atomic_read); \
    will_load(address, order); \
    return __atomic_load_n(address, __ATOMIC_SEQ_CST); \
  } \
  WEAK void __tsan_atomic##bits##_store(volatile type *address, type value, int order) { \
    AT(address, bits / 8, napkin_access_atomic_write); \
    will_store(address, order); \
    __atomic_store_n(address, value, __ATOMIC_SEQ_CST); \
  } \
  UPDATE(bits, type, exchange, __atomic_exchange_n) \
  UPDATE(bits, type, fetch_add, __atomic_fetch_add) \
  UPDATE(bits, type, fetch_sub, __atomic_fetch_sub) \
  UPDATE(bits, type, fetch_and, __atomic_fetch_and) \
  UPDATE(bits, type, fetch_or, __atomic_fetch_or) \
  UPDATE(bits, type, fetch_xor, __atomic_fetch_xor) \
  UPDATE(bits, type, fetch_nand, __atomic_fetch_nand) \
  WEAK type __tsan_atomic##bits##_compare_exchange_val(volatile type *address, type expected, type value, int order, \
                                                       int failed) { \
    if (bits == 32) exchanges++; \
    AT(address, bits / 8, napkin_access_atomic_write); \
    type before = expected; \
    bool is_done = \
        __atomic_compare_exchange_n(address, &before, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    has_exchanged(address, is_done, order, failed); \
    if (bits == 32) look_for_mutex(address, (uint64_t)expected, (uint64_t)value, is_done); \
    return before; \
  }
ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)

// Double words: the processor has one operation for them, of which the others are made. A load needs memory that can be written.
#if defined(__SIZEOF_INT128__)
typedef unsigned __int128 double_word;

static bool exchange_double(volatile double_word *address, double_word *expected, double_word value) {
#if defined(__x86_64__)
  uint64_t low = (uint64_t)*expected, high = (uint64_t)(*expected >> 64);
  bool is_done;
  __asm__ volatile("lock cmpxchg16b %1"
                   : "=@ccz"(is_done), "+m"(*address), "+a"(low), "+d"(high)
                   : "b"((uint64_t)value), "c"((uint64_t)(value >> 64))
                   : "memory");
  *expected = (double_word)high << 64 | low;
  return is_done;
#else
  return __atomic_compare_exchange_n(address, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
#endif
}

#define UPDATE_DOUBLE(name, after) \
  WEAK double_word __tsan_atomic128_##name(volatile double_word *address, double_word value, int order) { \
    AT(address, 16, napkin_access_atomic_write); \
    will_update(address, order); \
    double_word before = 0; \
    while (!exchange_double(address, &before, after)) {} \
    return before; \
  }
UPDATE_DOUBLE(exchange, value)
UPDATE_DOUBLE(fetch_add, before + value)
UPDATE_DOUBLE(fetch_sub, before - value)
UPDATE_DOUBLE(fetch_and, before & value)
UPDATE_DOUBLE(fetch_or, before | value)
UPDATE_DOUBLE(fetch_xor, before ^ value)
UPDATE_DOUBLE(fetch_nand, ~(before & value))

WEAK double_word __tsan_atomic128_load(const volatile double_word *address, int order) {
  AT(address, 16, napkin_access_atomic_read);
  will_load(address, order);
  double_word value = 0;
  exchange_double((volatile double_word *)address, &value, 0);
  return value;
}
WEAK void __tsan_atomic128_store(volatile double_word *address, double_word value, int order) {
  AT(address, 16, napkin_access_atomic_write);
  will_store(address, order);
  double_word before = 0;
  while (!exchange_double(address, &before, value)) {}
}
WEAK double_word __tsan_atomic128_compare_exchange_val(volatile double_word *address, double_word expected,
                                                       double_word value, int order, int failed) {
  AT(address, 16, napkin_access_atomic_write);
  bool is_done = exchange_double(address, &expected, value);
  has_exchanged(address, is_done, order, failed);
  return expected;
}
#endif
#else
bool napkin_is_instrumented(void) { return true; }
uint64_t napkin_exchanges(void) { return 0; }
#endif
