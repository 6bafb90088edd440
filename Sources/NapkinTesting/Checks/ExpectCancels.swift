// SPDX-License-Identifier: Apache-2.0
public import Testing

/// Expects that an action cancels the work that a probe watches, and that the work then ends.
///
///     await expectCancels(probe) { await interactor.deactivate() }
///
/// Work that is not going on when the action begins is an issue, since nothing could be cancelled. Work that is cancelled
/// may go on for a while; with `beforeReturn`, it has to have ended when the action returns.
///
/// - Parameters:
///   - probe: Stands in the work, by `run(_:)`, `untilCancelled()` or `stream()`.
///   - beforeReturn: Whether the work has to have ended, and not only been cancelled, when the action returns.
///   - timeout: How long the work may take to end, in real time; under an exploration it ends at once or never.
///   - sourceLocation: Where the issue is reported, this call by default.
///   - action: Cancels the work.
/// - Returns: True if the work was cancelled and ended.
@discardableResult
public nonisolated(nonsending) func expectCancels(
  _ probe: CancellationProbe,
  beforeReturn: Bool = false,
  within timeout: Duration = .seconds(1),
  sourceLocation: SourceLocation = #_sourceLocation,
  _ action: () async throws -> Void
) async rethrows -> Bool {
  let before = probe.tally
  guard before.began > before.ended else {
    Diagnostic(
      .expectation,
      "The work of a CancellationProbe \(before.began == 0 ? "has not begun" : "is over"), so nothing can cancel it.",
      likelyCause: "the task that does the work has not come to it yet, or the work has ended by itself.",
      suggestion: "await `probe.recorder.first { $0 == .began }` before the action."
    ).record(at: sourceLocation)
    return false
  }
  try await action()
  let after = probe.tally
  guard after.cancelled > before.cancelled else {
    Diagnostic(
      .expectation,
      "The action returned, and the work of a CancellationProbe has not been cancelled.",
      likelyCause: "the work runs in a task that is not bound to the scope, such as `Task { }` in place of `task { }`.",
      suggestion: "bind the work with the interactor's `task { }`, or keep its task and cancel it."
    ).record(at: sourceLocation)
    return false
  }
  if after.ended >= before.began { return true }
  if !beforeReturn, await settles(within: timeout, { probe.tally.ended >= before.began }) { return true }
  Diagnostic(
    .expectation,
    """
    The work of a CancellationProbe was cancelled, and goes on \
    \(beforeReturn ? "after the action has returned" : "\(timeout.brief) later").
    """,
    likelyCause:
      "it waits for something that does not end with its task, or it swallows CancellationError and goes round.",
    suggestion: "check `Task.isCancelled` in its loops, and let what it awaits end by cancellation."
  ).record(at: sourceLocation)
  return false
}

extension CancellationProbe {
  fileprivate var tally: (began: Int, cancelled: Int, ended: Int) {
    let events = events
    return (
      events.count { $0 == .began }, events.count { $0 == .cancelled }, events.count { $0 == .ended }
    )
  }
}
