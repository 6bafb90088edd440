// SPDX-License-Identifier: Apache-2.0

/// L3: at rest every activation and deactivation has come to its end.
package final class RestMonitor: Monitor {
  package let rule = LifecycleRule.completion

  package init() {}

  package func atRest(_ tree: ObservedTree) -> [String] {
    tree.ofInteractors { interactor in
      guard let callback = interactor.callback else { return [] }
      return ["\(callback.rawValue) of \(interactor.name) has not returned, and no task is left that could resume it."]
    }
  }
}
