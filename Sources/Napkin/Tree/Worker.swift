// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Work with a type of its own, which runs at most as long as the interactor that starts it is active.
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
  /// Does the work; the task is cancelled when the interactor becomes inactive.
  func run() async
}

extension Interactable {
  /// Runs a worker in a bound task: it is cancelled after `willResignActive()`, and never begins while inactive.
  ///
  /// A worker has one run at a time. During a run that was started in this activation, another start does nothing. A run
  /// that an earlier activation started, and that has not ended since its cancellation, delays the next one.
  ///
  /// - Parameters:
  ///   - worker: The worker.
  ///   - priority: The priority of the task; nil is that of the caller.
  ///   - fileID: The file of the call, which test tools report when the run outlives its scope.
  ///   - line: The line of the call.
  public nonisolated func start(
    _ worker: any Worker, priority: TaskPriority? = nil, fileID: String = #fileID, line: Int = #line
  ) {
    let lifecycle = lifecycle
    guard let (bound, ticket) = TreeDriver.state.withLock({ $0.admitTask(to: lifecycle) }) else {
      return LifecycleObservation.notify(.taskRefused(ObjectIdentifier(lifecycle)))
    }
    bound.start(worker, ticket, priority: priority, site: BindingSite(fileID: fileID, line: line))
  }
}
