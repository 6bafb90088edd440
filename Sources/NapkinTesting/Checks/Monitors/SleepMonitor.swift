// SPDX-License-Identifier: Apache-2.0

/// T4, T7: at rest nothing is active below something that was deactivated, unless it was activated directly.
package final class SleepMonitor: Monitor {
  package let rule = LifecycleRule.dormancy

  package init() {}

  package func atRest(_ tree: ObservedTree) -> [String] {
    tree.ofNodes { _, node in
      guard let parent = node.parent, let above = tree.interactor(ofRouter: parent), above.wasActive, !above.isActive,
        let own = tree.interactors[node.lifecycle], own.isActive, own.wantedByHand != true
      else { return nil }
      return "\(own.name) is active, and \(above.name) above it is not."
    }
  }
}
