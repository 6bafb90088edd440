// SPDX-License-Identifier: Apache-2.0

/// T6: at rest every router is where the calls about it put it, each taken to have its effect when it arrived.
///
/// This is the sequential model of a tree: the newest accepted call about a child decides.
package final class OrderMonitor: Monitor {
  package let rule = LifecycleRule.callOrder

  package init() {}

  package func atRest(_ tree: ObservedTree) -> [String] {
    tree.ofNodes { id, node in
      let wanted = tree.wantedParent(of: id)
      guard wanted != node.parent else { return nil }
      return "\(node.name) \(place(node.parent, tree)), and by the order of the calls it \(place(wanted, tree))."
    }
  }

  private func place(_ parent: ObservedTree.ID?, _ tree: ObservedTree) -> String {
    parent.map { "is under \(tree.name(ofRouter: $0))" } ?? "is detached"
  }
}
