// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

extension Sound {
  /// Each kind of lock, new in each execution.
  static let locks: [(name: String, make: @Sendable () -> Locked)] = [
    (
      "Mutex",
      {
        let lock = Shared(Mutex(()))
        return { body in lock.value.withLock { _ in body() } }
      }
    ),
    (
      "NSLock",
      {
        let lock = NSLock()
        return { body in lock.withLock { body() } }
      }
    ),
    (
      "NSRecursiveLock",
      {
        let lock = NSRecursiveLock()
        return { body in lock.withLock { lock.withLock { body() } } }
      }
    ),
    (
      "NSCondition",
      {
        let lock = NSCondition()
        return { body in
          lock.lock()
          body()
          lock.signal()
          lock.unlock()
        }
      }
    ),
    (
      "pthread_mutex",
      {
        let lock = PosixLock()
        return { body in
          pthread_mutex_lock(lock.mutex)
          body()
          pthread_mutex_unlock(lock.mutex)
        }
      }
    ),
    (
      "pthread_rwlock",
      {
        let lock = PosixLock()
        return { body in
          pthread_rwlock_wrlock(lock.readers)
          body()
          pthread_rwlock_unlock(lock.readers)
        }
      }
    ),
    (
      "spin",
      {
        let lock = SpinLock()
        return { body in
          while lock.isTaken.exchange(true, ordering: .acquiring) {}
          body()
          lock.isTaken.store(false, ordering: .releasing)
        }
      }
    ),
    (
      "spin with sched_yield",
      {
        let lock = SpinLock()
        return { body in
          while lock.isTaken.exchange(true, ordering: .acquiring) { sched_yield() }
          body()
          lock.isTaken.store(false, ordering: .releasing)
        }
      }
    ),
    (
      "DispatchQueue.sync",
      {
        let queue = DispatchQueue(label: "sound")
        return { body in queue.sync { body() } }
      }
    ),
    (
      "DispatchQueue barrier",
      {
        let queue = DispatchQueue(label: "sound", attributes: .concurrent)
        return { body in queue.sync(flags: .barrier) { body() } }
      }
    ),
    (
      "NSLock.lock(before:)",
      {
        let lock = NSLock()
        return { body in
          while !lock.lock(before: Date(timeIntervalSinceNow: 1)) {}
          body()
          lock.unlock()
        }
      }
    ),
    (
      "DispatchSemaphore",
      {
        let semaphore = DispatchSemaphore(value: 1)
        return { body in
          semaphore.wait()
          body()
          semaphore.signal()
        }
      }
    ),
  ]
}

final class SpinLock: Sendable {
  let isTaken = Atomic(false)
}

final class Shared<Value: ~Copyable & Sendable>: Sendable {
  let value: Value
  init(_ value: consuming Value) { self.value = value }
}

/// The locks of pthreads.
final class PosixLock: @unchecked Sendable {
  let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  let readers = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)

  init() {
    pthread_mutex_init(mutex, nil)
    pthread_rwlock_init(readers, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    pthread_rwlock_destroy(readers)
    mutex.deallocate()
    readers.deallocate()
  }
}
