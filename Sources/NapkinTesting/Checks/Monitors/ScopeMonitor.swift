// SPDX-License-Identifier: Apache-2.0

package import Napkin

/// L6: work is only bound while the interactor is active, begins after it was bound, and ends after the scope.
package final class ScopeMonitor: Monitor {
  package let rule = LifecycleRule.boundWork

  package init() {}

  package func observe(_ event: LifecycleEvent, in tree: ObservedTree) -> String? {
    switch event {
    case .taskRegistered(let id, let task):
      guard let interactor = tree.interactors[id], !interactor.isActive else { return nil }
      return "Task \(task) was bound to \(interactor.name) while it was inactive."
    case .taskStarted(let id, let task):
      guard let interactor = tree.interactors[id], interactor.tasks[task] == nil else { return nil }
      return "Task \(task) of \(interactor.name) began, though its scope had let go of it."
    default: return nil
    }
  }

  package func atRest(_ tree: ObservedTree) -> [String] {
    tree.livingInteractors.filter { !$0.isActive }.flatMap { interactor in
      interactor.tasks.filter { $0.value.hasStarted && !$0.value.isCancelled }.keys.sorted().map {
        "Task \($0) of \(interactor.name) goes on uncancelled, though the interactor is inactive."
      }
    }
  }

  package func atEnd(_ tree: ObservedTree) -> [String] {
    tree.livingInteractors.flatMap { interactor in
      interactor.tasks.filter(\.value.hasStarted).keys.sorted().map {
        "Task \($0) of \(interactor.name) outlived its scope: it was cancelled, and has not ended."
      }
    }
  }
}
