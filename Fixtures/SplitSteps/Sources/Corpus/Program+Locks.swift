// SPDX-License-Identifier: Apache-2.0

import Foundation
import Meeting
import Synchronization

// What orders tasks by locks and waits.

/// A lock of C, at an address that does not change.
private final class Native<Lock>: @unchecked Sendable {
  let address = UnsafeMutablePointer<Lock>.allocate(capacity: 1)
  init(_ make: (UnsafeMutablePointer<Lock>) -> Void) { make(address) }
  deinit { address.deallocate() }
}

/// Two writes, each in what is called around it.
private func around(
  _ order: String, race isRace: Bool,
  _ make: @escaping @Sendable () -> (@Sendable (() -> Void) -> Void, @Sendable (() -> Void) -> Void)
) -> Program {
  Program(order, race: isRace) {
    let plain = Plain()
    let (first, second) = make()
    await both({ first { plain.number = 1 } }, { second { plain.number = 2 } })
  }
}

private func reading(_ lock: Native<pthread_rwlock_t>) -> @Sendable (() -> Void) -> Void {
  { work in
    pthread_rwlock_rdlock(lock.address)
    work()
    pthread_rwlock_unlock(lock.address)
  }
}

private func writing(_ lock: Native<pthread_rwlock_t>) -> @Sendable (() -> Void) -> Void {
  { work in
    pthread_rwlock_wrlock(lock.address)
    work()
    pthread_rwlock_unlock(lock.address)
  }
}

private func waiting(_ semaphore: DispatchSemaphore) -> @Sendable (() -> Void) -> Void {
  { work in
    semaphore.wait()
    work()
    semaphore.signal()
  }
}

private func inside(_ lock: any NSLocking & Sendable) -> @Sendable (() -> Void) -> Void {
  { work in
    lock.lock()
    work()
    lock.unlock()
  }
}

/// One that is written once, by the first caller.
private final class Once: @unchecked Sendable {
  static let plain = Plain()
  let control = Native<pthread_once_t> { $0.pointee = 0 }
  func run() { pthread_once(control.address) { Once.plain.number += 1 } }
}

/// An object that orders nothing but its own initialiser.
private final class Register: Sendable {
  static let shared = Register()
  func note() {}
}

/// A lock as most packages have one on Linux.
private final class InProperty: @unchecked Sendable {
  private var mutex = pthread_mutex_t()
  func with(_ work: () -> Void) {
    pthread_mutex_lock(&mutex)
    work()
    pthread_mutex_unlock(&mutex)
  }
}

extension Program {
  static let locks = [
    around("two locks", race: true) { [locks = (Guard(), Guard())] in ({ locks.0($0) }, { locks.1($0) }) },
    around("a lock on one side", race: true) { [lock = Guard()] in ({ lock($0) }, { $0() }) },
    around("NSLock", race: false) {
      let lock = NSLock()
      return (inside(lock), inside(lock))
    },
    around("NSRecursiveLock", race: false) {
      let lock = NSRecursiveLock()
      return (inside(lock), inside(lock))
    },
    around("two NSLocks", race: true) { (inside(NSLock()), inside(NSLock())) },
    around("pthread_mutex_t", race: false) {
      let lock = Native<pthread_mutex_t> { pthread_mutex_init($0, nil) }
      let work: @Sendable (() -> Void) -> Void = { work in
        pthread_mutex_lock(lock.address)
        work()
        pthread_mutex_unlock(lock.address)
      }
      return (work, work)
    },
    around("pthread_mutex_t in a property", race: false) {
      let lock = InProperty()
      return ({ lock.with($0) }, { lock.with($0) })
    },
    around("two in properties", race: true) {
      let locks = (InProperty(), InProperty())
      return ({ locks.0.with($0) }, { locks.1.with($0) })
    },
    around("pthread_spinlock_t", race: false) {
      let lock = Native<pthread_spinlock_t> { pthread_spin_init($0, 0) }
      let work: @Sendable (() -> Void) -> Void = { work in
        pthread_spin_lock(lock.address)
        work()
        pthread_spin_unlock(lock.address)
      }
      return (work, work)
    },
    around("two writers of a read-write lock", race: false) {
      let lock = Native<pthread_rwlock_t> { pthread_rwlock_init($0, nil) }
      return (writing(lock), writing(lock))
    },
    around("a reader and a writer of a read-write lock", race: false) {
      let lock = Native<pthread_rwlock_t> { pthread_rwlock_init($0, nil) }
      return (writing(lock), reading(lock))
    },
    around("two readers of a read-write lock that write", race: true) {
      let lock = Native<pthread_rwlock_t> { pthread_rwlock_init($0, nil) }
      return (reading(lock), reading(lock))
    },
    around("semaphore of one", race: false) {
      let semaphore = DispatchSemaphore(value: 1)
      return (waiting(semaphore), waiting(semaphore))
    },
    around("semaphore of two", race: true) {
      let semaphore = DispatchSemaphore(value: 2)
      return (waiting(semaphore), waiting(semaphore))
    },
    Program("semaphore that is signalled after the write", race: false) {
      let plain = Plain()
      let semaphore = Native<sem_t> { sem_init($0, 0, 0) }
      await both(
        {
          plain.number = 1
          sem_post(semaphore.address)
        },
        {
          sem_wait(semaphore.address)
          plain.number = 2
        })
    },
    Program("semaphore that is signalled before the write", race: true) {
      let plain = Plain()
      let semaphore = Native<sem_t> { sem_init($0, 0, 0) }
      await both(
        {
          sem_post(semaphore.address)
          plain.number = 1
        },
        {
          sem_wait(semaphore.address)
          plain.number = 2
        })
    },
    Program("NSCondition", race: false) {
      let plain = Plain()
      let condition = NSCondition()
      nonisolated(unsafe) var isReady = false
      await both(
        {
          plain.number = 1
          condition.withLock {
            isReady = true
            condition.signal()
          }
        },
        {
          condition.withLock { while !isReady { condition.wait() } }
          plain.number = 2
        })
    },
    Program("pthread_once", race: false) {
      let once = Once()
      await both(
        {
          once.run()
          use(Once.plain.number)
        },
        {
          once.run()
          use(Once.plain.number)
        })
    },
    Program("a lazy global", race: true) {
      let plain = Plain()
      let work: @Sendable (Int) -> Void = { number in
        Register.shared.note()
        plain.number = number
        Register.shared.note()
      }
      await both({ work(1) }, { work(2) })
    },
    Program("Mutex in two tasks of three", race: true) {
      let plain = Plain()
      let lock = Guard()
      async let third: Void = { use(plain.number) }()
      await both({ lock { plain.number = 1 } }, { lock { use(plain.number) } })
      await third
    },
    Program("two pthread_onces", race: true) {
      let onces = (Once(), Once())
      await both({ onces.0.run() }, { onces.1.run() })
    },
    Program("thread that is joined", race: false) {
      let plain = Plain()
      let thread = start { plain.number = 1 }
      pthread_join(thread, nil)
      plain.number = 2
    },
    Program("thread that is joined too late", race: true) {
      let plain = Plain()
      let thread = start {
        meet()
        plain.number = 1
      }
      meet()
      plain.number = 2
      pthread_join(thread, nil)
    },
  ]
}

private final class Work: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func start(_ work: @escaping @Sendable () -> Void) -> pthread_t {
  var thread = pthread_t()
  pthread_create(
    &thread, nil,
    { context in
      Unmanaged<Work>.fromOpaque(context!).takeRetainedValue().body()
      return nil
    }, Unmanaged.passRetained(Work(work)).toOpaque())
  return thread
}
