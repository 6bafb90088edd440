// SPDX-License-Identifier: Apache-2.0

package import Napkin

/// L6: work is only bound while the interactor is active, and begins while its scope has not let go of it.
package final class ScopeMonitor: Monitor {
  package let rule = LifecycleRule.activeScope

  package init() {}

  package func observe(_ event: LifecycleEvent, in tree: ObservedTree) -> String? {
    switch event {
    case .taskRegistered(let id, let task, _, _):
      guard let interactor = tree.interactors[id], !interactor.isActive else { return nil }
      return "Task \(task) was bound to \(interactor.name) while it was inactive."
    case .taskStarted(let id, let task):
      guard let interactor = tree.interactors[id] else { return nil }
      // Where threads race, its beginning may be recorded after the cancellation that came after it.
      if let own = interactor.tasks[task], !own.isCancelled || !tree.isExact { return nil }
      return "Task \(task) of \(interactor.name) began, though its scope had let go of it."
    default: return nil
    }
  }
}
