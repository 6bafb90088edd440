// SPDX-License-Identifier: Apache-2.0
public import Napkin
public import Testing

/// Expects that an action ends an interactor's active scope, and that all work that was bound to it ends as well.
///
///     await expectBoundTasksEnd(of: interactor) { await router.detachChild(profile) }
///
/// It watches `task { }` itself, so the interactor needs no change. A scope that had no work bound to it when it ended,
/// or that did not end, is an issue too, since nothing was shown.
///
/// - Parameters:
///   - interactor: Has bound work that goes on when the action begins.
///   - timeout: How long the work may take to end, in real time; under an exploration it ends at once or never.
///   - sourceLocation: Where the issue is reported, this call by default.
///   - action: Deactivates the interactor.
/// - Returns: True if all the work has ended.
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
    Diagnostic(
      .expectation,
      "The action has cancelled no work that is bound to \(name).",
      likelyCause: "the interactor did not resign, or all its work had ended by itself.",
      suggestion:
        "make sure that `task { }` has been called and goes on, and that the action deactivates this interactor."
    ).record(at: sourceLocation)
    return false
  }
  if await settles(within: timeout, { ledger.remaining == 0 }) { return true }
  Diagnostic(
    .expectation,
    "\(ledger.remaining) of \(cancelled) tasks bound to \(name) went on \(timeout.brief) after it resigned.",
    likelyCause: "the work waits for something that does not end with its task, or swallows CancellationError.",
    suggestion: "check `Task.isCancelled` in its loops, and let what it awaits end by cancellation."
  ).record(at: sourceLocation)
  return false
}

/// The work of one scope that its end found unfinished.
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
