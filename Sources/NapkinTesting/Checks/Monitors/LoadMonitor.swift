// SPDX-License-Identifier: Apache-2.0

package import Napkin

/// T1: `didLoad()` runs once in a router's life, after its first activation; at rest a child of an active parent is active
/// and loaded.
package final class LoadMonitor: Monitor {
  package let rule = LifecycleRule.loading

  package init() {}

  package func observe(_ event: LifecycleEvent, in tree: ObservedTree) -> String? {
    guard case .loadBegan(let id) = event, let node = tree.nodes[id] else { return nil }
    if node.loads > 0 { return "\(node.name) was loaded a second time." }
    if let interactor = tree.interactors[node.lifecycle], node.parent != nil, !interactor.wasActive {
      return "\(node.name) was loaded before its interactor was ever active."
    }
    if node.parent != nil, node.wanted == nil {
      return "\(node.name) was loaded, though it had been detached before that."
    }
    return nil
  }

  package func atRest(_ tree: ObservedTree) -> [String] {
    tree.ofNodes { _, node in
      // What was asked of the interactor directly is not the tree's business.
      guard let parent = node.parent, let above = tree.interactor(ofRouter: parent), above.isActive,
        above.callback == nil, let own = tree.interactors[node.lifecycle], own.wantedByHand == nil
      else { return nil }
      let name = tree.name(ofRouter: parent)
      if !own.isActive { return "\(node.name) is under \(name), which is active, and \(own.name) is not active." }
      if node.isLoading { return nil }
      return node.loads == 0 ? "\(node.name) is under \(name), which is active, and was never loaded." : nil
    }
  }
}
