// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A lock of the C library in a type of its own, as most packages have one.
final class WrappedLock: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  init() { pthread_mutex_init(mutex, nil) }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  func lock() { pthread_mutex_lock(mutex) }
  func unlock() { pthread_mutex_unlock(mutex) }
}

/// A value that such a lock guards.
final class Guarded<Value: Sendable>: @unchecked Sendable {
  private let access = WrappedLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func modify<Result>(_ change: (inout Value) -> Result) -> Result {
    access.lock()
    defer { access.unlock() }
    return change(&value)
  }
}
