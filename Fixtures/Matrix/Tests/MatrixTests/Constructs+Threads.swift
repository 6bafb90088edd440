// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Synchronization

/// A lock of the C library, kept where it does not move.
nonisolated private final class ThreadLock: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  init() { pthread_mutex_init(lock, nil) }
  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }
  func withLock<Value>(_ work: () throws -> Value) rethrows -> Value {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try work()
  }
}

/// A number that a lock guards.
nonisolated private final class Tally: Sendable {
  private let number = Mutex(0)
  func count(_ work: () throws -> Void) rethrows {
    try number.withLock {
      $0 += 1
      try work()
    }
  }
}

/// Is waited for until it is opened, or the task that waits is cancelled.
nonisolated private final class Latch: @unchecked Sendable {
  private let lock = NSLock()
  private var isOpen = false
  private var waiting: CheckedContinuation<Void, Never>?

  func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = lock.withLock {
          if !isOpen { waiting = continuation }
          return isOpen
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      open()
    }
  }

  func open() {
    let continuation = lock.withLock {
      defer { waiting = nil }
      isOpen = true
      return waiting
    }
    continuation?.resume()
  }
}

/// A flag that is set without a lock.
nonisolated private final class Flag: Sendable {
  let isUp = Atomic(false)
}

private let lazyGlobal = Spot()

nonisolated extension Construct {
  /// Each kind of lock, held while the inner code runs.
  static let locks = [
    Construct(step: "Mutex") { work in
      let tally = Tally()
      async let other: Void = tally.count {}
      try tally.count(work)
      await other
    },
    Construct(step: "NSLock") { work in
      let lock = NSLock()
      async let other: Void = lock.withLock {}
      try lock.withLock(work)
      await other
    },
    Construct(step: "NSRecursiveLock") { work in
      let lock = NSRecursiveLock()
      async let other: Void = lock.withLock {}
      try lock.withLock { try lock.withLock(work) }
      await other
    },
    Construct(step: "pthread lock") { work in
      let lock = ThreadLock()
      async let other: Void = lock.withLock {}
      try lock.withLock(work)
      await other
    },
    Construct("latch", tasks: ["passer"], .unstructured) { work in
      let latch = Latch()
      let passer = Task(name: "passer") {
        await latch.wait()
        try await work()
      }
      await pause()
      latch.open()
      try await passer.value
    },
    Construct(step: "atomic") { work in
      let flag = Flag()
      async let other: Void = flag.isUp.store(true, ordering: .releasing)
      _ = flag.isUp.load(ordering: .acquiring)
      try work()
      await other
    },
    Construct(step: "lazy global") { work in
      async let other: Void = lazyGlobal.visit()
      await lazyGlobal.visit()
      try work()
      await other
    },
  ]

  /// Each way to leave the inner code to a thread or a queue.
  static let threads = [
    Construct(step: "queue", .uncontrolled) { work in
      let queue = DispatchQueue(label: "printer")
      async let other: Void = pause()
      try await withCheckedThrowingContinuation { continuation in
        queue.async { continuation.resume(with: Result(catching: work)) }
      }
      await other
    },
    Construct(step: "global queue", .uncontrolled) { work in
      async let other: Void = pause()
      try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(with: Result(catching: work)) }
      }
      await other
    },
    Construct(step: "main queue", .uncontrolled) { work in
      async let other: Void = pause()
      try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.main.async { continuation.resume(with: Result(catching: work)) }
      }
      await other
    },
    Construct(step: "queue, waited for") { work in
      let queue = DispatchQueue(label: "printer")
      async let other: Void = pause()
      try queue.sync(execute: work)
      await other
    },
    Construct(step: "queue after a time", .uncontrolled) { work in
      async let other: Void = pause()
      try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.01) {
          continuation.resume(with: Result(catching: work))
        }
      }
      await other
    },
    Construct(step: "group that notifies", .uncontrolled) { work in
      let group = DispatchGroup()
      group.enter()
      async let other: Void = group.leave()
      try await withCheckedThrowingContinuation { continuation in
        group.notify(queue: .global()) { continuation.resume(with: Result(catching: work)) }
      }
      await other
    },
    Construct(step: "thread", .uncontrolled) { work in
      async let other: Void = pause()
      try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Result(catching: work)) }.start()
      }
      await other
    },
    Construct(step: "operation", .uncontrolled) { work in
      let queue = OperationQueue()
      async let other: Void = pause()
      try await withCheckedThrowingContinuation { continuation in
        queue.addOperation { continuation.resume(with: Result(catching: work)) }
      }
      await other
    },
    Construct(step: "semaphore") { work in
      let semaphore = DispatchSemaphore(value: 1)
      async let other: Void = pause()
      step(with: semaphore)
      try work()
      await other
    },
    Construct(step: "sleep of a thread") { work in
      async let other: Void = pause()
      usleep(2_000)
      try work()
      await other
    },
  ]

  private static func step(with semaphore: DispatchSemaphore) {
    semaphore.wait()
    semaphore.signal()
  }

  /// Constructs of two kinds at once, as they were seen to fail together.
  static let others = [
    Construct(
      "task that sleeps and is cancelled by another", tasks: ["dozer", "canceller"], .cancels, .unstructured
    ) { work in
      let dozer = Task(name: "dozer") {
        try? await Task.sleep(for: .seconds(1_000))
        try await work()
      }
      let canceller = Task(name: "canceller") { dozer.cancel() }
      await canceller.value
      try await dozer.value
    }
  ]
}
