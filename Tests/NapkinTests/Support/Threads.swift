// SPDX-License-Identifier: Apache-2.0
import Dispatch

/// Runs each body on a thread of its own and returns when all have ended: they may block each other.
func onThreads(_ bodies: [@Sendable () -> Void]) async {
  let group = DispatchGroup()
  for (index, body) in bodies.enumerated() {
    DispatchQueue(label: "napkin.tests.\(index)").async(group: group, execute: body)
  }
  await withCheckedContinuation { done in
    group.notify(queue: .global()) { done.resume() }
  }
}

/// A moment that a thread waits for, so that a test can force one order; the wait times out after five seconds.
final class Moment: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func happens() { semaphore.signal() }

  /// True if it has happened, false if the time ran out.
  @discardableResult
  func awaited(milliseconds: Int = 5_000) -> Bool {
    semaphore.wait(timeout: .now() + .milliseconds(milliseconds)) == .success
  }
}
