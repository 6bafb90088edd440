// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Makes a value once, and looks whether it is made before it takes the lock: the mark is set before the value.
final class DoubleChecked: @unchecked Sendable {
  private let lock = NSLock()
  private var isMade = false
  private var made: Int?
  var value: Int? {
    if !isMade {
      lock.withLock {
        if !isMade {
          isMade = true
          made = 7
        }
      }
    }
    return made
  }
}

/// Moves money between two accounts, each with a lock.
final class Bank: Sendable {
  private let first = Mutex(10)
  private let second = Mutex(10)
  func moveToSecond() {
    first.withLock { first in
      second.withLock { second in
        first -= 1
        second += 1
      }
    }
  }
  func moveToFirst() {
    second.withLock { second in
      first.withLock { first in
        second -= 1
        first += 1
      }
    }
  }
}

final class LockedBank: @unchecked Sendable {
  private let first = NSLock()
  private let second = NSLock()
  private var balance = 0
  func moveToSecond() {
    first.lock()
    second.lock()
    balance += 1
    second.unlock()
    first.unlock()
  }
  func moveToFirst() {
    second.lock()
    first.lock()
    balance -= 1
    first.unlock()
    second.unlock()
  }
}

extension Subject {
  /// A value that is made once, and deadlocks of two locks.
  public static let others = [
    Subject("double-checked") {
      let box = DoubleChecked()
      async let first = box.value
      async let second = box.value
      let values = await (first, second)
      if values.0 != 7 || values.1 != 7 { throw Wrong("half made: \(values)") }
    },
    Subject("two mutexes") {
      let bank = Bank()
      async let first: Void = bank.moveToSecond()
      async let second: Void = bank.moveToFirst()
      _ = await (first, second)
    },
    Subject("two NSLocks") {
      let bank = LockedBank()
      async let first: Void = bank.moveToSecond()
      async let second: Void = bank.moveToFirst()
      _ = await (first, second)
    },
  ]
}
