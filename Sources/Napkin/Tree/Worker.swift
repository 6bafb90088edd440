// SPDX-License-Identifier: Apache-2.0

/// Work with a type of its own, which an interactor starts for as long as it is active.
///
///     final actor Sync: Worker {
///       func run() async {
///         for await change in changes() { await upload(change) }
///       }
///     }
///
///     func didBecomeActive() async { start(sync) }
///
/// A worker is a class or an actor, so that it has one run at a time: see ``Interactable/start(_:priority:fileID:line:)``.
public protocol Worker: AnyObject, Sendable {
  /// Works until there is nothing left to do, or its task is cancelled, which is how an activation ends it.
  func run() async
}

extension Interactable {
  /// Runs a worker in a bound task: it is cancelled after `willResignActive()`, and never begins while inactive.
  ///
  /// A worker has one run at a time. While one goes on that was started in this activation, another start changes
  /// nothing. A run that an earlier activation has left, cancelled and not at its end, is waited for before the next
  /// one begins.
  ///
  /// The place of the call is only for the eyes of test tools, which name it, and the worker's type, when the run
  /// outlives its scope.
  public nonisolated func start(
    _ worker: any Worker, priority: TaskPriority? = nil, fileID: String = #fileID, line: Int = #line
  ) {
    lifecycle.start(worker, priority: priority, site: BindingSite(fileID: fileID, line: line))
  }
}

extension InteractorLifecycle {
  func start(_ worker: any Worker, priority: TaskPriority?, site: BindingSite) {
    guard let (bound, ticket) = TreeDriver.admitTask(to: self) else {
      return LifecycleObservation.notify(.taskRefused(ObjectIdentifier(self)))
    }
    bound.start(worker, ticket, priority: priority, site: site)
  }
}
