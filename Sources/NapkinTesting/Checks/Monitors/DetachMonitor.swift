// SPDX-License-Identifier: Apache-2.0

package import Napkin

/// T4: when a child leaves its parent, nothing of its subtree is active.
///
/// What is activated directly meanwhile, or joins the subtree later, even before the detach returns, is another call's business.
package final class DetachMonitor: Monitor {
  package let rule = LifecycleRule.detachment

  package init() {}

  package func observe(_ event: LifecycleEvent, in tree: ObservedTree) -> String? {
    guard case .detached(let child, let parent) = event, tree.nodes[child]?.parent == parent else { return nil }
    return tree.stirring(below: child).map {
      "\(tree.name(ofRouter: child)) has left \(tree.name(ofRouter: parent)), and \($0.name) is still active."
    }
  }
}
