// SPDX-License-Identifier: Apache-2.0

package import Napkin

/// T2: a router has at most one parent, is in its children once, and is never below itself.
package final class ParentMonitor: Monitor {
  package let rule = LifecycleRule.placement

  package init() {}

  package func observe(_ event: LifecycleEvent, in tree: ObservedTree) -> String? {
    guard case .attached(let child, let parent) = event, let node = tree.nodes[child] else { return nil }
    if node.parent == parent { return "\(node.name) is twice under \(tree.name(ofRouter: parent))." }
    if let other = node.parent {
      return "\(node.name) is under \(tree.name(ofRouter: other)) and under \(tree.name(ofRouter: parent))."
    }
    if tree.subtree(of: child).contains(parent) {
      return "\(node.name) was attached under \(tree.name(ofRouter: parent)), which is below it."
    }
    return nil
  }
}
