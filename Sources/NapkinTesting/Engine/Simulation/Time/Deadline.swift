// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Synchronization

/// A timeout in real time, for waits outside an exploration.
///
/// A test that waits for an event that never happens must end. The timeout only ends a wait: no assertion depends on how
/// long something took. Under an exploration it is never set, since there a wait that cannot end is found as a deadlock.
///
/// On a busy machine the timeout may expire before a ready task has run. When it expires, tasks that are ready run first,
/// on the main actor and off it, and then the wait ends.
package final class Deadline: Sendable {
  private struct State {
    var isOver = false
    var timer: DispatchWorkItem?
    var action: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// Starts the timeout; it never expires where time is simulated.
  package init(after duration: Duration, hops: Int = 50) {
    guard !Deadline.isSuspended else { return }
    let priority = Task.currentPriority
    state.withLock { state in
      let timer = DispatchWorkItem { [weak self] in self?.letOthersRun(hops: hops, at: priority) }
      DispatchQueue.global().asyncAfter(deadline: .now() + duration.dispatched, execute: timer)
      state.timer = timer
    }
  }

  deinit {
    state.withLock { $0.timer?.cancel() }
  }

  /// Whether the calling code runs in simulated time.
  package static var isSuspended: Bool { CurrentExecution.scope?.isSimulated ?? false }

  /// Whether the timeout has expired.
  package var isOver: Bool { state.withLock { $0.isOver } }

  /// Sets the action for the end of the timeout, in place of an earlier one; calls it at once if it has expired already.
  package func whenOver(_ action: @escaping @Sendable () -> Void) {
    let isOver = state.withLock { state in
      if !state.isOver { state.action = action }
      return state.isOver
    }
    if isOver { action() }
  }

  // At the priority of the waiting task: each priority has a queue of its own, any of which may be blocked.
  private func letOthersRun(hops: Int, at priority: TaskPriority) {
    Task(priority: priority) { [weak self] in
      for _ in 0..<hops where self != nil { await MainActor.run {} }
      self?.expire()
    }
  }

  private func expire() {
    let action = state.withLock { state in
      state.isOver = true
      defer { state.action = nil }
      return state.action
    }
    action?()
  }
}

extension Duration {
  fileprivate var dispatched: DispatchTimeInterval {
    .nanoseconds(Int(min(max(self / .nanoseconds(1), 0), 1e18)))
  }
}
