// SPDX-License-Identifier: Apache-2.0
import Synchronization

// A timeout is a group of the work and a sleep. The work waits for an event by a continuation, whose cancellation handler
// is in an unstructured task that the group does not cancel: where the event never comes, the group waits for
// ever.
//
// The repair installs the handler around the continuation.
extension Case {
  static let timeoutCannotInterrupt = Case(
    "timeout-cannot-interrupt", of: "pnikolaidis/icemelt 42",
    .plain, .cancellation, decides: "TimeoutCannotInterrupt"
  ) {
    let version = Version.current
    let tap = EventTap(version)
    let move = Task {
      try await withThrowingTaskGroup { group in
        group.addTask { try await tap.waitForEvent() }
        group.addTask {
          try await Task.sleep(for: .milliseconds(20))
          throw CancellationError()
        }
        defer { group.cancelAll() }
        try await group.next()
      }
    }
    _ = await move.result
  }
}

private final class EventTap: Sendable {
  private struct State {
    var isCancelled = false
    var waiting: CheckedContinuation<Void, any Error>?
  }
  private let version: Case.Version
  private let state = Mutex(State())

  init(_ version: Case.Version) { self.version = version }

  func waitForEvent() async throws {
    switch version {
    case .before:
      try await withCheckedThrowingContinuation { continuation in
        Task {
          await withTaskCancellationHandler {
            register(continuation)
          } onCancel: {
            cancel()
          }
        }
      }
    case .after:
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { register($0) }
      } onCancel: {
        cancel()
      }
    }
  }

  private func register(_ continuation: CheckedContinuation<Void, any Error>) {
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.waiting = continuation }
      return state.isCancelled
    }
    if isCancelled { continuation.resume(throwing: CancellationError()) }
  }

  private func cancel() {
    let waiting = state.withLock { state in
      state.isCancelled = true
      return state.waiting.take()
    }
    waiting?.resume(throwing: CancellationError())
  }
}
