// SPDX-License-Identifier: Apache-2.0
public import Testing

/// Suspends tasks until the test opens it, so that a test can act in the middle of an operation.
///
///     let gate = Gate()
///     let interactor = MockInteractor(didBecomeActive: { _ in await gate.pass() })
///     let activation = Task { await interactor.activate() }
///     await gate.reached()                       // didBecomeActive() is running, and waits
///     #expect(await interactor.isActive)
///     gate.open()
///     await activation.value
///
/// Waiting tasks resume in the order of their calls.
public final class Gate: Sendable {
  private struct State: Sendable {
    var isOpen: Bool
    var waiting = 0
    var admissions = 0
    /// How many waits have ended because their tasks were cancelled.
    var cancelled = 0
  }

  private let state: Monitored<State>
  private let lifetime = Lifetime(of: "Gate")

  /// Makes a gate, closed by default.
  public init(isOpen: Bool = false) {
    state = Monitored(State(isOpen: isOpen))
  }

  /// Resumes all waiting tasks, and lets every later one pass until the gate is closed again.
  public func open() {
    state.update { $0.isOpen = true }
  }

  /// Suspends tasks that arrive from now on, and revokes unused admissions.
  public func close() {
    state.update { state in
      state.isOpen = false
      state.admissions = 0
    }
  }

  /// Lets `count` tasks pass: the waiting ones first, then later ones.
  ///
  /// A negative number is an issue, and lets none pass.
  public func admit(_ count: Int = 1, sourceLocation: SourceLocation = #_sourceLocation) {
    if count < 0 { return recordNegative("admit", count, at: sourceLocation) }
    state.update { $0.admissions += count }
  }

  private func recordNegative(_ function: String, _ count: Int, at sourceLocation: SourceLocation) {
    Diagnostic(
      .misuse, "Gate.\(function) was given \(count), a negative number of tasks.",
      likelyCause: "the number was computed, or mistyped.", suggestion: "pass a positive number of tasks."
    ).record(at: sourceLocation)
  }

  /// The number of tasks that are waiting now.
  public var waiting: Int { state.read { $0.waiting } }

  /// The numbers of tasks that are waiting now, and that were cancelled while they waited.
  var tally: (waiting: Int, cancelled: Int) { state.read { ($0.waiting, $0.cancelled) } }

  /// Passes the gate, or waits until it is opened or the task is cancelled.
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
      leaving: { state, interruption in
        state.waiting -= 1
        if interruption == .cancelled { state.cancelled += 1 }
      },
      for: { state -> Void? in
        if !state.isOpen {
          guard state.admissions > 0 else { return nil }
          state.admissions -= 1
        }
        state.waiting -= 1
        return ()
      }
    )
    guard case .failure(.late) = ending else { return }
    Diagnostic(
      .timeout,
      "A task was held at a Gate for \(timeout.brief), and the gate was not opened.",
      likelyCause: "the test ends, fails or waits for something else before it calls `open()`.",
      suggestion: "call `open()` or `admit()` on every path of the test, or make the gate `Gate(isOpen: true)`."
    ).record(at: sourceLocation)
  }

  /// Waits until `count` tasks are waiting at the gate.
  ///
  /// It returns at once if they are waiting already, and early if the calling task is cancelled, or if the timeout has
  /// expired and an issue was recorded. A negative number is an issue, too.
  public nonisolated(nonsending) func reached(
    by count: Int = 1,
    within timeout: Duration = .seconds(20),
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    if count < 0 { return recordNegative("reached(by:)", count, at: sourceLocation) }
    let ending = await state.wait(until: Deadline(after: timeout)) { state -> Void? in
      state.waiting >= count ? () : nil
    }
    guard case .failure(.late) = ending else { return }
    Diagnostic(
      .timeout,
      "A Gate was not reached by \(count) task\(count == 1 ? "" : "s") within \(timeout.brief); tasks waiting: \(waiting).",
      likelyCause: "the code under test took another path, or ended before it called `pass()`.",
      suggestion: "check what was called with a Recorder, or allow more time with `within:`."
    ).record(at: sourceLocation)
  }
}
