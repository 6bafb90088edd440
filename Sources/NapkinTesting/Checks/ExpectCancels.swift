// SPDX-License-Identifier: Apache-2.0
public import Testing

/// Expects that an action cancels all tasks that wait at a gate.
///
///     service.totalStub.waits(at: gate)
///     await interactor.activate()
///     await gate.reached()
///     await expectCancels(at: gate) { await interactor.deactivate() }
///
/// A double that waits at a closed gate is work that only a cancellation ends. If no task waits when the action begins, that
/// is an issue too, since nothing could be cancelled. `expectBoundTasksEnd(of:)` expects that cancelled tasks end.
///
/// - Parameters:
///   - gate: A gate that is closed, and that the action does not open.
///   - sourceLocation: Where the issue is reported, this call by default.
///   - action: Cancels the tasks.
/// - Returns: Whether all tasks were cancelled that waited when the action began.
@discardableResult
public nonisolated(nonsending) func expectCancels(
  at gate: Gate,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ action: () async throws -> Void
) async rethrows -> Bool {
  let before = gate.tally
  guard before.waiting > 0 else {
    return recordUnmet(
      "No task waits at the Gate, so nothing can be cancelled.",
      likelyCause: "the task has not reached the gate yet, or the gate is open.",
      suggestion: "await `reached()` of the gate before the action.", at: sourceLocation)
  }
  try await action()
  let cancelled = gate.tally.cancelled - before.cancelled
  guard cancelled < before.waiting else { return true }
  return recordUnmet(
    """
    The action returned, and \(before.waiting - cancelled) of \(before.waiting) task\(before.waiting == 1 ? "" : "s") \
    that waited at the Gate \(before.waiting - cancelled == 1 ? "has" : "have") not been cancelled.
    """,
    likelyCause: "the work runs in a task that is not bound to the scope, such as `Task { }` in place of `task { }`.",
    suggestion: "bind the work with the interactor's `task { }`, or keep its task and cancel it.", at: sourceLocation)
}
