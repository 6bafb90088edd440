// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

final class Tally: Sendable {
  private let number = Mutex(0)
  func increment() { number.withLock { $0 += 1 } }
  /// Ends the process if another task counts meanwhile.
  func incrementCarelessly() {
    let value = number.withLock { $0 }
    number.withLock { precondition($0 == value, "the number has changed") }
    number.withLock { $0 = value + 1 }
  }
  var value: Int { number.withLock { $0 } }
}

final class Flag: Sendable {
  let isReady = Atomic(false)
}

/// How many threads the process has.
func threads() -> Int {
  (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
}

/// A value that threads share.
final class Kept<Value: ~Copyable & Sendable>: Sendable {
  let value: Value
  init(_ value: consuming Value) { self.value = value }
}

/// Two numbers, each kept by a lock elsewhere.
final class Counts: @unchecked Sendable {
  var first = 0
  var second = 0
}

/// What issues said.
final class Words: Sendable {
  private let words = Mutex("")
  func add(_ text: String) { words.withLock { $0 += text } }
  var text: String { words.withLock { $0 } }
}
