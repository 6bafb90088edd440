// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Synchronization

/// The kit's one alarm in real time, for the tests that run outside an exploration.
///
/// A test that waits for something that never comes must end, and outside an exploration nothing but real time can tell
/// that it will not come. An alarm only ends a wait: no assertion holds or fails by how long something took. Under an
/// exploration it is never set, since there a wait that cannot end is found as a deadlock, at once and by name.
///
/// Real time also runs on while a busy machine lets nobody have a turn. So when the alarm goes off, everything that is
/// ready gets turns first, on the main actor and off it, and only then is the time up.
package final class Deadline: Sendable {
  private struct State {
    var isOver = false
    var alarm: DispatchWorkItem?
    var action: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// Starts to run; without an end where time is simulated.
  package init(after duration: Duration, turns: Int = 50) {
    guard !Deadline.isSuspended else { return }
    let priority = Task.currentPriority
    state.withLock { state in
      let alarm = DispatchWorkItem { [weak self] in self?.letOthersGoFirst(turns: turns, at: priority) }
      DispatchQueue.global().asyncAfter(deadline: .now() + duration.dispatched, execute: alarm)
      state.alarm = alarm
    }
  }

  deinit {
    state.withLock { $0.alarm?.cancel() }
  }

  /// Whether the code that asks runs where real time has no say.
  package static var isSuspended: Bool { CurrentExecution.scope?.isSimulated ?? false }

  /// True once the time is up.
  package var isOver: Bool { state.withLock { $0.isOver } }

  /// Says what to do when the time is up, in place of what was said before; at once, if it is up already.
  package func whenOver(_ action: @escaping @Sendable () -> Void) {
    let isOver = state.withLock { state in
      if !state.isOver { state.action = action }
      return state.isOver
    }
    if isOver { action() }
  }

  // At the priority of the one who waits: each has a queue of its own, and may be the one that stands still.
  private func letOthersGoFirst(turns: Int, at priority: TaskPriority) {
    Task(priority: priority) { [weak self] in
      for _ in 0..<turns where self != nil { await MainActor.run {} }
      self?.ring()
    }
  }

  private func ring() {
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
    let (seconds, attoseconds) = components
    let nanoseconds = Double(seconds) * 1e9 + Double(attoseconds) / 1e9
    return .nanoseconds(Int(min(max(nanoseconds, 0), 1e18)))
  }
}

extension Deadline {
  /// Suspends the task for a while, or until it is cancelled; only for what nobody announces.
  package nonisolated(nonsending) static func rest(for duration: Duration) async {
    _ = await Monitored(0).wait(until: Deadline(after: duration, turns: 0)) { _ -> Void? in nil }
  }
}
