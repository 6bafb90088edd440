// SPDX-License-Identifier: Apache-2.0
//
// Announces to ThreadSanitizer the locks that it cannot see.
//
// `Mutex.withLock` takes a free lock by an atomic operation in the caller's own code, which is instrumented. A lock that
// is held is waited for in libswiftSynchronization, which is not: the happens-before is lost, and what the lock guards
// is reported as a race. This library is loaded before that one (LD_PRELOAD), calls it, and says what it has done.
// Nothing is suppressed, so every race that is one is still reported.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFTCALL __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// The sanitizer's runtime is in the executable; without it this library does nothing.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef SWIFTCALL void (*lock_function)(uint32_t thread, SELF void *handle);
typedef SWIFTCALL void (*unlock_function)(SELF void *handle);

SWIFTCALL void lock_slow(uint32_t thread, SELF void *handle) __asm__(LOCK);
SWIFTCALL void lock_slow(uint32_t thread, SELF void *handle) {
  lock_function real = (lock_function)dlsym(RTLD_NEXT, LOCK);
  real(thread, handle);
  if (__tsan_acquire) __tsan_acquire(handle);
}

SWIFTCALL void unlock_slow(SELF void *handle) __asm__(UNLOCK);
SWIFTCALL void unlock_slow(SELF void *handle) {
  unlock_function real = (unlock_function)dlsym(RTLD_NEXT, UNLOCK);
  if (__tsan_release) __tsan_release(handle);
  real(handle);
}
