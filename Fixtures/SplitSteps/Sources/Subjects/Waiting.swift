// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Synchronization

// What a task waits for in the middle of a step besides a lock: each is waited for in the simulation.

final class Mailbox: @unchecked Sendable {
  private let condition = NSCondition()
  private var items: [Int] = []
  func put(_ item: Int) {
    condition.lock()
    items.append(item)
    condition.signal()
    condition.unlock()
  }
  func take() -> Int {
    condition.lock()
    while items.isEmpty { condition.wait() }
    let item = items.removeFirst()
    condition.unlock()
    return item
  }
  /// Looks for an item before it has the lock, and waits once: what is put meanwhile is not seen.
  func takeCarelessly() -> Int {
    if items.isEmpty {
      condition.lock()
      condition.wait()
      condition.unlock()
    }
    return items.removeFirst()
  }
  func take(within seconds: Double) -> Int? {
    condition.lock()
    defer { condition.unlock() }
    while items.isEmpty {
      if !condition.wait(until: Date(timeIntervalSinceNow: seconds)) { return nil }
    }
    return items.removeFirst()
  }
}

final class SemaphoreCounter: @unchecked Sendable {
  private let semaphore = DispatchSemaphore(value: 1)
  private(set) var number = 0
  func increment() {
    semaphore.wait()
    number += 1
    semaphore.signal()
  }
}

final class QueueCounter: @unchecked Sendable {
  private let queue = DispatchQueue(label: "counter")
  private var number = 0
  func increment() {
    let value = queue.sync { number }
    queue.sync { number = value + 1 }
  }
  func incrementAtOnce() { queue.sync { number += 1 } }
  func later(in group: DispatchGroup, _ work: @escaping @Sendable () -> Void) {
    queue.async(group: group, execute: work)
  }
  var value: Int { queue.sync { number } }
}

final class ReadWrite: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
  private var number = 0
  init() { pthread_rwlock_init(lock, nil) }
  deinit { lock.deallocate() }
  func increment() {
    pthread_rwlock_wrlock(lock)
    number += 1
    pthread_rwlock_unlock(lock)
  }
  var value: Int {
    pthread_rwlock_rdlock(lock)
    defer { pthread_rwlock_unlock(lock) }
    return number
  }
}

extension Subject {
  static let wrongWaits = [
    Subject("queue, twice") {
      let counter = QueueCounter()
      await twice { counter.increment() }
      try expect(counter.value, 2)
    },
    Subject("lost signal") {
      let mailbox = Mailbox()
      async let item = mailbox.takeCarelessly()
      async let put: Void = mailbox.put(1)
      try expect(await item, 1)
      await put
    },
  ]

  static let soundWaits = [
    Subject("condition") {
      let mailbox = Mailbox()
      async let first = mailbox.take()
      async let second = mailbox.take()
      async let put: Void = {
        mailbox.put(1)
        mailbox.put(2)
      }()
      try expect(await first + second, 3)
      await put
    },
    Subject("condition with a limit") {
      let mailbox = Mailbox()
      async let item = mailbox.take(within: 5)
      async let put: Void = {
        Thread.sleep(forTimeInterval: 1)
        mailbox.put(1)
      }()
      let taken = await item
      await put
      // The time may be over although the other task is ready.
      try expect(taken ?? mailbox.take(within: 60) ?? 0, 1)
      if mailbox.take(within: 60) != nil { throw Wrong("an item that is not there") }
    },
    Subject("semaphore") {
      let counter = SemaphoreCounter()
      await twice { for _ in 0..<2 { counter.increment() } }
      try expect(counter.number, 4)
    },
    Subject("queue") {
      let counter = QueueCounter()
      await twice { for _ in 0..<2 { counter.incrementAtOnce() } }
      try expect(counter.value, 4)
    },
    Subject("read-write lock") {
      let counter = ReadWrite()
      await twice { for _ in 0..<2 { counter.increment() } }
      try expect(counter.value, 4)
    },
    Subject("print") {
      let printed = Printed()
      await twice { print(printed, terminator: "") }
    },
  ]
}
