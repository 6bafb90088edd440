// SPDX-License-Identifier: Apache-2.0

package import Napkin

/// T1: an attach returns when the child is in the parent's children, active and loaded; inactive under an inactive parent.
///
/// A call from inside a callback promises nothing, and one that another call may have superseded is left alone.
package final class AttachReturnMonitor: Monitor {
  package let rule = LifecycleRule.attachReturn

  package init() {}

  package func observe(_ event: LifecycleEvent, in tree: ObservedTree) -> String? {
    guard case .attachReturned(let child, let parent) = event, let node = tree.nodes[child],
      let call = node.calls.returning(.attach(to: parent)), call.isMeant, !call.isInside,
      !tree.isDisturbed(call, at: child)
    else { return nil }
    return complaint(node, parent, tree).map {
      "\(tree.name(ofRouter: parent)).attachChild(\(node.name)) returned, and \($0)."
    }
  }

  private func complaint(_ node: ObservedTree.Node, _ parent: ObservedTree.ID, _ tree: ObservedTree) -> String? {
    if node.parent != parent { return "it is not in its children" }
    guard let above = tree.interactor(ofRouter: parent), let own = tree.interactors[node.lifecycle] else { return nil }
    if !above.isActive {
      return above.wasActive && own.isActive ? "\(own.name) is active, while \(above.name) above it is not" : nil
    }
    if !own.isActive { return "\(own.name) is not active" }
    if let callback = own.callback { return "\(callback.rawValue) of \(own.name) is still running" }
    if node.isLoading { return "its didLoad() is still running" }
    return node.loads == 0 ? "it is not loaded" : nil
  }
}
