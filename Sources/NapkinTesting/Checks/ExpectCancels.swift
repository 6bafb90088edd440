// SPDX-License-Identifier: Apache-2.0
public import Testing

/// Expects that an action cancels the work of a probe, and that the work then ends.
///
///     await expectCancels(probe) { await interactor.deactivate() }
///
/// Work that is not running when the action begins is an issue, since nothing could be cancelled. Cancelled work may end
/// later; with `beforeReturn`, it must have ended when the action returns.
///
/// - Parameters:
///   - probe: The probe around the work, by `run(_:)`, `untilCancelled()` or `stream()`.
///   - beforeReturn: Whether the work must have ended, and not only been cancelled, when the action returns.
///   - timeout: The time that the work may take to end, in real time; it has no effect under an exploration.
///   - sourceLocation: Where the issue is reported, this call by default.
///   - action: Cancels the work.
/// - Returns: Whether the work was cancelled and has ended.
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
    return recordUnmet(
      "The work of a CancellationProbe \(before.began == 0 ? "has not begun" : "has ended"), so nothing can cancel it.",
      likelyCause: "the task has not reached the work yet, or the work has ended by itself.",
      suggestion: "await `probe.recorder.first { $0 == .began }` before the action.", at: sourceLocation)
  }
  try await action()
  let after = probe.tally
  guard after.cancelled > before.cancelled else {
    return recordUnmet(
      "The action returned, and the work of a CancellationProbe has not been cancelled.",
      likelyCause: "the work runs in a task that is not bound to the scope, such as `Task { }` in place of `task { }`.",
      suggestion: "bind the work with the interactor's `task { }`, or keep its task and cancel it.", at: sourceLocation)
  }
  if after.ended >= before.began { return true }
  if !beforeReturn, await eventually(within: timeout, { probe.tally.ended >= before.began }) { return true }
  return recordUnmet(
    """
    The work of a CancellationProbe was cancelled, and is still running \
    \(beforeReturn ? "after the action has returned" : "\(timeout.brief) later").
    """,
    likelyCause:
      "it waits for something that does not end on cancellation, or ignores CancellationError in a loop.",
    suggestion: "check `Task.isCancelled` in its loops, and make what it awaits end on cancellation.",
    at: sourceLocation)
}

extension CancellationProbe {
  fileprivate var tally: (began: Int, cancelled: Int, ended: Int) {
    let events = events
    return (
      events.count { $0 == .began }, events.count { $0 == .cancelled }, events.count { $0 == .ended }
    )
  }
}
