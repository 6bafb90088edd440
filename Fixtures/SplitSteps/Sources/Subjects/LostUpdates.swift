// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

// Counters that two tasks count up. Between reading the number and writing it, the other task may count.

final class MutexCounter: Sendable {
  private let number = Mutex(0)
  func increment() {
    let value = number.withLock { $0 }
    number.withLock { $0 = value + 1 }
  }
  func incrementAtOnce() { number.withLock { $0 += 1 } }
  var value: Int { number.withLock { $0 } }
}

final class AtomicCounter: Sendable {
  private let number = Atomic(0)
  func increment() {
    let value = number.load(ordering: .sequentiallyConsistent)
    number.store(value + 1, ordering: .sequentiallyConsistent)
  }
  func incrementWrapping() { number.store(number.load(ordering: .relaxed) &+ 1, ordering: .relaxed) }
  func incrementAtOnce() { number.add(1, ordering: .relaxed) }
  var value: Int { number.load(ordering: .relaxed) }
}

final class LockedCounter: @unchecked Sendable {
  private let lock = NSLock()
  private var number = 0
  func increment() {
    let value = lock.withLock { number }
    lock.withLock { number = value + 1 }
  }
  func incrementAtOnce() { lock.withLock { number += 1 } }
  var value: Int { lock.withLock { number } }
}

final class PlainCounter: @unchecked Sendable {
  private(set) var value = 0
  func increment() { value += 1 }
  func incrementWrapping() { value &+= 1 }
}

extension Subject {
  static let lostUpdates = [
    Subject("mutex") {
      let counter = MutexCounter()
      await twice { counter.increment() }
      try expect(counter.value, 2)
    },
    Subject("atomic") {
      let counter = AtomicCounter()
      await twice { counter.increment() }
      try expect(counter.value, 2)
    },
    Subject("atomic, wrapping") {
      let counter = AtomicCounter()
      await twice { counter.incrementWrapping() }
      try expect(counter.value, 2)
    },
    Subject("NSLock") {
      let counter = LockedCounter()
      await twice { counter.increment() }
      try expect(counter.value, 2)
    },
    Subject("plain") {
      let counter = PlainCounter()
      await twice { counter.increment() }
      try expect(counter.value, 2)
    },
    Subject("plain, wrapping") {
      let counter = PlainCounter()
      await twice { counter.incrementWrapping() }
      try expect(counter.value, 2)
    },
  ]
}
