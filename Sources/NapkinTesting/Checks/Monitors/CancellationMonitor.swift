// SPDX-License-Identifier: Apache-2.0

package import Napkin

/// L6: bound tasks are cancelled when `willResignActive()` has ended, in the order of their registration.
package final class CancellationMonitor: Monitor {
  package let rule = LifecycleRule.cancellation

  /// What was cancelled before its interactor has resigned, unless its release is about to be recorded (L8).
  private var early: (id: ObservedTree.ID, complaint: String)?

  package init() {}

  package func observe(_ event: LifecycleEvent, in tree: ObservedTree) -> String? {
    // Where threads race, a task may be cancelled by the code that bound it, and the event recorded late.
    guard tree.isExact else { return nil }
    if case .taskCancelled(let id, let task) = event, let interactor = tree.interactors[id] {
      if interactor.hasBecomeActive || interactor.callback != nil, early == nil {
        early = (id, "Task \(task) of \(interactor.name) was cancelled before willResignActive() had ended.")
      }
      return overtaken(task, interactor)
    }
    return early.flatMap { early in confirm(early, event) }
  }

  /// A lifecycle that is released cancels what is bound without a resignation; no other event of it is recorded meanwhile.
  private func confirm(_ early: (id: ObservedTree.ID, complaint: String), _ event: LifecycleEvent) -> String? {
    guard event.subject == early.id else { return nil }
    switch event {
    case .streamClosed, .taskFinished: return nil
    case .lifecycleDeinit:
      self.early = nil
      return nil
    default:
      self.early = nil
      return early.complaint
    }
  }

  private func overtaken(_ task: UInt64, _ interactor: ObservedTree.Interactor) -> String? {
    guard let older = interactor.tasks.filter({ $0.key < task && !$0.value.isCancelled }).keys.min() else { return nil }
    return "Task \(task) of \(interactor.name) was cancelled before task \(older), which was bound before it."
  }
}
