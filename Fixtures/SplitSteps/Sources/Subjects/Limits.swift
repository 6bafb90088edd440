// SPDX-License-Identifier: Apache-2.0

import ClockLocks
import Dispatch
import Foundation

// Locks of C that are taken with a limit, or tried, and waits that have no end.

/// A lock of C, at an address that does not change.
final class CLock<Lock>: @unchecked Sendable {
  let address = UnsafeMutablePointer<Lock>.allocate(capacity: 1)
  private(set) var number = 0

  init(_ make: (UnsafeMutablePointer<Lock>) -> Void) { make(address) }
  deinit { address.deallocate() }

  /// Takes the lock, if that can be had, counts, and gives it back; returns what the first function returns.
  @discardableResult
  func increment(
    _ take: (UnsafeMutablePointer<Lock>) -> Int32, _ giveBack: (UnsafeMutablePointer<Lock>) -> Int32
  ) -> Int32 {
    let result = take(address)
    if result == 0 {
      number += 1
      _ = giveBack(address)
    }
    return result
  }
}

/// A time by a clock, some seconds from now.
private func moment(in seconds: Int, by clock: clockid_t) -> timespec {
  var time = timespec()
  clock_gettime(clock, &time)
  time.tv_sec += seconds
  return time
}

/// One task has a lock for a minute, and another one wants it for a second by one way to say so.
private func limited<Lock>(
  _ name: String, _ lock: @escaping @Sendable () -> CLock<Lock>,
  take: @escaping @Sendable (UnsafeMutablePointer<Lock>) -> Int32,
  giveBack: @escaping @Sendable (UnsafeMutablePointer<Lock>) -> Int32,
  within: @escaping @Sendable (UnsafeMutablePointer<Lock>, inout timespec) -> Int32, by clock: clockid_t
) -> Subject {
  Subject(name) {
    let lock = lock()
    async let first: Void = {
      _ = take(lock.address)
      Thread.sleep(forTimeInterval: 60)
      _ = giveBack(lock.address)
    }()
    async let second = lock.increment(
      { address in
        let start = ContinuousClock.now
        var end = moment(in: 1, by: clock)
        let result = within(address, &end)
        let isLate = ContinuousClock.now - start >= .milliseconds(999)
        return result == ETIMEDOUT && !isLate ? -1 : result
      }, giveBack)
    let result = await second
    await first
    if result != 0, result != ETIMEDOUT { throw Wrong("\(result)") }
    try expect(lock.number, result == 0 ? 1 : 0)
  }
}

/// Two tasks try a lock, and a third one waits for it.
private func tried<Lock>(
  _ name: String, _ lock: @escaping @Sendable () -> CLock<Lock>,
  try attempt: @escaping @Sendable (UnsafeMutablePointer<Lock>) -> Int32,
  take: @escaping @Sendable (UnsafeMutablePointer<Lock>) -> Int32,
  giveBack: @escaping @Sendable (UnsafeMutablePointer<Lock>) -> Int32
) -> Subject {
  Subject(name) {
    let lock = lock()
    async let first = lock.increment(attempt, giveBack)
    async let second = lock.increment(attempt, giveBack)
    async let third = lock.increment(take, giveBack)
    let results = await [first, second, third]
    try expect(lock.number, results.count { $0 == 0 })
    if results[2] != 0 { throw Wrong("\(results)") }
  }
}

private func readWriteLock() -> CLock<pthread_rwlock_t> { CLock { pthread_rwlock_init($0, nil) } }
private func mutex() -> CLock<pthread_mutex_t> { CLock { pthread_mutex_init($0, nil) } }
private func semaphore() -> CLock<sem_t> { CLock { sem_init($0, 0, 1) } }
private func spinLock() -> CLock<pthread_spinlock_t> { CLock { pthread_spin_init($0, 0) } }

extension Subject {
  static let limits = [
    limited(
      "pthread_mutex_timedlock", mutex, take: pthread_mutex_lock, giveBack: pthread_mutex_unlock,
      within: { pthread_mutex_timedlock($0, &$1) }, by: CLOCK_REALTIME),
    limited(
      "pthread_mutex_clocklock", mutex, take: pthread_mutex_lock, giveBack: pthread_mutex_unlock,
      within: { steady_mutex_lock($0, &$1) }, by: CLOCK_MONOTONIC),
    limited(
      "pthread_rwlock_timedwrlock", readWriteLock, take: pthread_rwlock_wrlock, giveBack: pthread_rwlock_unlock,
      within: { pthread_rwlock_timedwrlock($0, &$1) }, by: CLOCK_REALTIME),
    limited(
      "pthread_rwlock_clockwrlock", readWriteLock, take: pthread_rwlock_rdlock, giveBack: pthread_rwlock_unlock,
      within: { steady_write_lock($0, &$1) }, by: CLOCK_MONOTONIC),
    limited(
      "pthread_rwlock_timedrdlock", readWriteLock, take: pthread_rwlock_wrlock, giveBack: pthread_rwlock_unlock,
      within: { pthread_rwlock_timedrdlock($0, &$1) }, by: CLOCK_REALTIME),
    limited(
      "pthread_rwlock_clockrdlock", readWriteLock, take: pthread_rwlock_wrlock, giveBack: pthread_rwlock_unlock,
      within: { steady_read_lock($0, &$1) }, by: CLOCK_MONOTONIC),
    limited(
      "sem_timedwait", semaphore, take: sem_wait, giveBack: sem_post,
      within: { sem_timedwait($0, &$1) == 0 ? 0 : errno }, by: CLOCK_REALTIME),
    limited(
      "sem_clockwait", semaphore, take: sem_wait, giveBack: sem_post,
      within: { steady_semaphore_wait($0, &$1) }, by: CLOCK_MONOTONIC),
    tried(
      "pthread_mutex_trylock", mutex, try: pthread_mutex_trylock, take: pthread_mutex_lock,
      giveBack: pthread_mutex_unlock),
    tried(
      "pthread_rwlock_trywrlock", readWriteLock, try: pthread_rwlock_trywrlock, take: pthread_rwlock_wrlock,
      giveBack: pthread_rwlock_unlock),
    tried("sem_trywait", semaphore, try: sem_trywait, take: sem_wait, giveBack: sem_post),
    tried(
      "pthread_spin_lock", spinLock, try: pthread_spin_trylock, take: pthread_spin_lock, giveBack: pthread_spin_unlock),
  ]

  /// What waits for ever, each by another way.
  public static let stuck = [
    Subject("semaphore that is not signalled") {
      let semaphore = DispatchSemaphore(value: 1)
      await twice { semaphore.wait() }
    },
    Subject("semaphore that is made for the wait") {
      await Task.yield()
      DispatchSemaphore(value: 0).wait()
    },
    Subject("group that is not left") {
      let group = DispatchGroup()
      group.enter()
      await twice { group.wait() }
    },
    Subject("queue that waits for itself in two ways") {
      let first = DispatchQueue(label: "first")
      let second = DispatchQueue(label: "second")
      async let one: Void = first.sync { second.sync {} }
      async let two: Void = second.sync { first.sync {} }
      _ = await (one, two)
    },
  ]
}
