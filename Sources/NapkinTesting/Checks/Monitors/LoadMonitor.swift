// SPDX-License-Identifier: Apache-2.0

package import Napkin

/// T1: `didLoad()` runs once in a router's life, after its interactor was activated first.
package final class LoadMonitor: Monitor {
  package let rule = LifecycleRule.loading

  package init() {}

  package func observe(_ event: LifecycleEvent, in tree: ObservedTree) -> String? {
    guard case .loadBegan(let id) = event, let node = tree.nodes[id] else { return nil }
    if node.loads > 0 { return "\(node.name) was loaded a second time." }
    if let interactor = tree.interactors[node.lifecycle], node.parent != nil, !interactor.wasActive {
      return "\(node.name) was loaded before its interactor was ever active."
    }
    return nil
  }
}
