// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A state behind a lock, and the tasks that wait for conditions on it, resumed in the order of their calls.
///
/// Waiting does not poll: a change of the state decides under the same lock which waits end, and resumes those tasks after
/// it. Conditions run under the lock, so they must come from the kit and never from a user.
package final class Monitored<State: Sendable>: Sendable {
  /// The reason why a wait ended without a value.
  package enum Interruption: Error {
    /// The waiting task was cancelled.
    case cancelled
    /// The timeout expired.
    case late
    /// The state will never change again.
    case abandoned
  }

  /// The end of a wait.
  package typealias Ending<Value: Sendable> = Result<Value, Interruption>

  private struct Waiter: Sendable {
    let ticket: Int
    /// Takes the awaited value from the state, or leaves the state unchanged and returns nil.
    let serve: @Sendable (inout State) -> (@Sendable () -> Void)?
    let interrupt: @Sendable (inout State, Interruption) -> @Sendable () -> Void
  }

  private struct Contents: Sendable {
    var state: State
    var waiters: [Waiter] = []
    var lastTicket = 0
    var isAbandoned = false

    mutating func serve() -> [@Sendable () -> Void] {
      var resumptions: [@Sendable () -> Void] = []
      var remaining: [Waiter] = []
      for waiter in waiters {
        if let resume = waiter.serve(&state) { resumptions.append(resume) } else { remaining.append(waiter) }
      }
      waiters = remaining
      return resumptions
    }

    mutating func interrupt(_ ticket: Int, by interruption: Interruption) -> (@Sendable () -> Void)? {
      guard let index = waiters.firstIndex(where: { $0.ticket == ticket }) else { return nil }
      return waiters.remove(at: index).interrupt(&state, interruption)
    }
  }

  private let contents: Mutex<Contents>

  package init(_ state: State) {
    contents = Mutex(Contents(state: state))
  }

  /// Reads the state as it is now.
  package func read<Value: Sendable>(_ value: @Sendable (State) -> Value) -> Value {
    contents.withLock { value($0.state) }
  }

  /// Changes the state, and ends the waits whose conditions it meets then.
  @discardableResult
  package func update<Value: Sendable>(_ change: @Sendable (inout State) -> Value) -> Value {
    let (value, resumptions) = contents.withLock { contents in
      let value = change(&contents.state)
      return (value, contents.serve())
    }
    for resume in resumptions { resume() }
    return value
  }

  /// Ends every wait, including later ones, since the state will never change again.
  package func abandon() {
    let resumptions = contents.withLock { contents in
      contents.isAbandoned = true
      return contents.waiters.compactMap { contents.interrupt($0.ticket, by: .abandoned) }
    }
    for resume in resumptions { resume() }
  }

  /// Waits until a condition has a value, and takes it.
  ///
  /// - Parameters:
  ///   - deadline: The timeout; nil waits without one.
  ///   - entering: Counts the waiting task in the state.
  ///   - leaving: Undoes `entering` if the wait ends for another reason than the condition.
  ///   - condition: Changes the state only if it returns a value.
  /// - Returns: The value, or the reason why there is none.
  package nonisolated(nonsending) func wait<Value: Sendable>(
    until deadline: Deadline? = nil,
    entering: @escaping @Sendable (inout State) -> Void = { _ in },
    leaving: @escaping @Sendable (inout State, Interruption) -> Void = { _, _ in },
    for condition: @escaping @Sendable (inout State) -> Value?
  ) async -> Ending<Value> {
    let ticket = contents.withLock { contents in
      contents.lastTicket += 1
      return contents.lastTicket
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Ending<Value>, Never>) in
        let resumptions = contents.withLock { contents -> [@Sendable () -> Void] in
          entering(&contents.state)
          if let value = condition(&contents.state) { return [continuation.resumption(.success(value))] }
          if contents.isAbandoned {
            leaving(&contents.state, .abandoned)
            return [continuation.resumption(.failure(.abandoned))]
          }
          // Earlier waits are checked first: `entering` may satisfy their conditions.
          let earlier = contents.serve()
          contents.waiters.append(
            Waiter(
              ticket: ticket,
              serve: { state in condition(&state).map { continuation.resumption(.success($0)) } },
              interrupt: { state, interruption in
                leaving(&state, interruption)
                return continuation.resumption(.failure(interruption))
              }
            )
          )
          return earlier
        }
        for resume in resumptions { resume() }
        // The handler below may have run before there was anything to interrupt.
        if Task.isCancelled { interrupt(ticket, by: .cancelled) }
        deadline?.whenOver { [weak self] in self?.interrupt(ticket, by: .late) }
      }
    } onCancel: {
      interrupt(ticket, by: .cancelled)
    }
  }

  private func interrupt(_ ticket: Int, by interruption: Interruption) {
    contents.withLock { $0.interrupt(ticket, by: interruption) }?()
  }
}

extension CheckedContinuation where T: Sendable, E == Never {
  /// Resumes the waiting tasks; to be called when no lock is held.
  fileprivate func resumption(_ value: T) -> @Sendable () -> Void {
    { resume(returning: value) }
  }
}

extension Deadline {
  /// Suspends the task for a duration, or until it is cancelled; only for conditions that send no notification.
  nonisolated(nonsending) static func rest(for duration: Duration) async {
    _ = await Monitored(0).wait(until: Deadline(after: duration, hops: 0)) { _ -> Void? in nil }
  }
}
