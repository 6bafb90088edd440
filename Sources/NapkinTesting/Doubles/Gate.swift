// SPDX-License-Identifier: Apache-2.0
public import Testing

/// Holds whoever comes to it until the test lets them go on, so that a test can stand in the middle of something.
///
///     let gate = Gate()
///     let interactor = MockInteractor(didBecomeActive: { _ in await gate.pass() })
///     let activation = Task { await interactor.activate() }
///     await gate.reached()                       // didBecomeActive() is running, and waits
///     #expect(await interactor.isActive)
///     gate.open()
///     await activation.value
///
/// Those who wait go on in the order in which they came.
public final class Gate: Sendable {
  private struct State: Sendable {
    var isOpen: Bool
    var waiting = 0
    var admissions = 0
  }

  private let state: Monitored<State>
  private let lifetime = Lifetime(of: "Gate")

  /// Makes a gate, closed unless it is said to be open.
  public init(isOpen: Bool = false) {
    state = Monitored(State(isOpen: isOpen))
  }

  /// Lets everybody through who waits or comes, until the gate is closed again.
  public func open() {
    state.update { $0.isOpen = true }
  }

  /// Holds those who come from now on, and takes back the admissions that nobody has used.
  public func close() {
    state.update { state in
      state.isOpen = false
      state.admissions = 0
    }
  }

  /// Lets so many through and no more: those who wait first, then those who come.
  public func admit(_ count: Int = 1) {
    state.update { $0.admissions += max(count, 0) }
  }

  /// How many are being held at this moment.
  public var waiting: Int { state.read { $0.waiting } }

  /// Goes through, or waits until it may; the end of the wait by cancellation goes through, too.
  ///
  /// Under an exploration a call is a scheduling point even where the gate is open, and a gate that is never opened is a
  /// deadlock. Outside it, a task that is held for longer than the timeout records one issue and goes on.
  public nonisolated(nonsending) func pass(
    within timeout: Duration = .seconds(20),
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await CurrentExecution.schedulingPoint()
    let ending = await state.wait(
      until: Deadline(after: timeout),
      entering: { $0.waiting += 1 },
      leaving: { $0.waiting -= 1 },
      for: { state -> Void? in
        if !state.isOpen {
          guard state.admissions > 0 else { return nil }
          state.admissions -= 1
        }
        state.waiting -= 1
        return ()
      }
    )
    guard case .late = ending else { return }
    Diagnostic(
      .timeout,
      "A task was held at a Gate for \(timeout.brief), and nobody let it through.",
      likelyCause: "the test ended, failed or waits for something else before it calls `open()`.",
      suggestion: "call `open()` or `admit()` on every path of the test, or make the gate `Gate(isOpen: true)`."
    ).record(at: sourceLocation)
  }

  /// Waits until so many are held at the gate at once.
  ///
  /// It returns at once if they are there already, and early when the waiting task is cancelled, or when the time is up and
  /// an issue has been recorded.
  public nonisolated(nonsending) func reached(
    by count: Int = 1,
    within timeout: Duration = .seconds(20),
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let ending = await state.wait(until: Deadline(after: timeout)) { state -> Void? in
      state.waiting >= count ? () : nil
    }
    guard case .late = ending else { return }
    let present = waiting == 0 ? "nobody" : "only \(waiting)"
    Diagnostic(
      .timeout,
      "A Gate was not reached by \(count) task\(count == 1 ? "" : "s") within \(timeout.brief): \(present) came.",
      likelyCause: "the code under test took another way, or ended before it called `pass()`.",
      suggestion: "check what was called with a Recorder, or allow more time with `within:`."
    ).record(at: sourceLocation)
  }
}
