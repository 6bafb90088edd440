// SPDX-License-Identifier: Apache-2.0
import Synchronization

// A value resumes those that wait for a change in its `didSet`, which runs under a mutex. A cancellation at the same time
// holds the lock of the task and wants the mutex in its handler: both threads wait for ever.
//
// The repair takes the continuations out under the mutex, and resumes them after it.
extension Case {
  static let resumedInDidSet = Case(
    "resumed-in-did-set", of: "unsignedapps/Vexil 153 (2005784)",
    .split, .lock, decides: "update"
  ) {
    let version = Version.current
    let value = CurrentValue(version)
    let consumer = Task { await value.change(after: 0) }
    let producer = Task { value.update() }
    consumer.cancel()
    await producer.value
    await consumer.value
  }
}

private final class CurrentValue: Sendable {
  private struct Allocation {
    let resumesInside: Bool
    var isCancelled = false
    var pending: [CheckedContinuation<Void, Never>] = []
    var generation = 0 {
      didSet {
        guard resumesInside else { return }
        for continuation in pending { continuation.resume() }
        pending = []
      }
    }
  }
  private let allocation: Mutex<Allocation>

  init(_ version: Case.Version) { allocation = Mutex(Allocation(resumesInside: version == .before)) }

  func change(after generation: Int) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = allocation.withLock { allocation in
          if allocation.isCancelled || allocation.generation > generation { return true }
          allocation.pending.append(continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let pending = allocation.withLock { allocation in
        allocation.isCancelled = true
        defer { allocation.pending = [] }
        return allocation.pending
      }
      for continuation in pending { continuation.resume() }
    }
  }

  func update() {
    let pending = allocation.withLock { allocation in
      allocation.generation += 1
      defer { allocation.pending = [] }
      return allocation.pending
    }
    for continuation in pending { continuation.resume() }
  }
}
