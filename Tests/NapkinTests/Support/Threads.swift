// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization

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

/// Gets a value on two threads, on the second one not before `begun` happens.
func onTwoThreads<Value: Sendable>(after begun: Moment, get: @escaping @Sendable () -> Value) async -> [Value] {
  let found = Mutex<[Value]>([])
  await onThreads([
    {
      let value = get()
      found.withLock { $0.append(value) }
    },
    {
      begun.awaited()
      let value = get()
      found.withLock { $0.append(value) }
    },
  ])
  return found.withLock { $0 }
}

/// A moment that a thread waits for, so that a test can force one order; the wait times out after two minutes.
final class Moment: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func happens() { semaphore.signal() }

  /// True if it has happened, false if the time ran out.
  @discardableResult
  func awaited(milliseconds: Int = 120_000) -> Bool {
    semaphore.wait(timeout: .now() + .milliseconds(milliseconds)) == .success
  }
}
