// SPDX-License-Identifier: Apache-2.0
public import Napkin
public import Testing

/// Expects that an action deactivates an interactor, and that all tasks bound to it end.
///
///     await expectBoundTasksEnd(of: interactor) { await router.detachChild(profile) }
///
/// It observes `task { }` itself, so the interactor needs no change. If no task was bound, or the interactor was not
/// deactivated, that is an issue too, since nothing was checked.
///
/// - Parameters:
///   - interactor: An interactor with bound tasks that are running when the action begins.
///   - timeout: The time that the tasks may take to end, of virtual time under an exploration.
///   - sourceLocation: Where the issue is reported, this call by default.
///   - action: Deactivates the interactor.
/// - Returns: Whether all bound tasks have ended.
@discardableResult
public nonisolated(nonsending) func expectBoundTasksEnd(
  of interactor: any Interactable,
  within timeout: Duration = .seconds(1),
  sourceLocation: SourceLocation = #_sourceLocation,
  _ action: () async throws -> Void
) async rethrows -> Bool {
  let ledger = TaskLedger(of: interactor.lifecycle)
  LifecycleObservation.add(ledger)
  defer { LifecycleObservation.remove(ledger) }
  try await action()
  let name = String(describing: type(of: interactor))
  let cancelled = ledger.cancelled
  guard cancelled > 0 else {
    return recordUnmet(
      "The action has cancelled no task that is bound to \(name).",
      likelyCause: "the interactor was not deactivated, or all its tasks had ended before.",
      suggestion:
        "make sure that a task of `task { }` is running, and that the action deactivates this interactor.",
      at: sourceLocation)
  }
  if await eventually(within: timeout, { ledger.remaining == 0 }) { return true }
  if CurrentExecution.scope?.isSimulated == true {
    try? await Execution.clock.sleep(for: timeout)
    if await eventually(within: timeout, { ledger.remaining == 0 }) { return true }
  }
  return recordUnmet(
    "\(ledger.remaining) of \(cancelled) tasks bound to \(name) were still running \(timeout.brief) after its deactivation.",
    likelyCause: "a task waits for something that does not end when it is cancelled, or ignores CancellationError.",
    suggestion: "check `Task.isCancelled` in its loops, and make what it awaits end on cancellation.",
    at: sourceLocation)
}

/// The bound tasks that were cancelled by the end of a scope.
private final class TaskLedger: LifecycleObserver {
  private let lifecycle: LifecycleEvent.ID
  private let book = Monitored((cancelled: Set<UInt64>(), finished: Set<UInt64>()))

  init(of lifecycle: InteractorLifecycle) { self.lifecycle = LifecycleEvent.ID(lifecycle) }

  var cancelled: Int { book.read { $0.cancelled.count } }
  var remaining: Int { book.read { $0.cancelled.subtracting($0.finished).count } }

  func lifecycle(_ event: LifecycleEvent) {
    switch event {
    case .taskCancelled(lifecycle, let task): book.update { _ = $0.cancelled.insert(task) }
    case .taskFinished(lifecycle, let task): book.update { _ = $0.finished.insert(task) }
    default: return
    }
  }
}
