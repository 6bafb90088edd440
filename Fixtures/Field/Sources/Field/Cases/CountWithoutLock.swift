// SPDX-License-Identifier: Apache-2.0
import Foundation

// A policy counts events to flush after a number of them. Events come from any thread, and the count is changed without a
// lock: the thread sanitizer reports it, and counts are lost.
//
// Here the repair changes the count under a lock; the issue does not say what was done.
extension Case {
  static let countWithoutLock = Case(
    "count-without-lock", of: "segmentio/analytics-swift 227",
    .split, .lock, decides: "updateState"
  ) {
    let version = Version.current
    let policy = CountPolicy(version)
    let first = Task { policy.updateState() }
    let second = Task { policy.updateState() }
    await first.value
    await second.value
    try expect(policy.shouldFlush(), "two events are counted")
  }
}

private final class CountPolicy: @unchecked Sendable {
  private let version: Case.Version
  private let lock = NSLock()
  private var count = 0

  init(_ version: Case.Version) { self.version = version }

  func updateState() {
    switch version {
    case .before: count += 1
    case .after: lock.withLock { count += 1 }
    }
  }

  func shouldFlush() -> Bool { lock.withLock { count >= 2 } }
}
