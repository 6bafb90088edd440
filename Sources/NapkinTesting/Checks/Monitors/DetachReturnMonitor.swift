// SPDX-License-Identifier: Apache-2.0

package import Napkin

/// T4: a detach returns when the child has left, and nothing of its subtree is active.
///
/// A call from inside a callback promises nothing, and one that another call may have superseded is left alone.
package final class DetachReturnMonitor: Monitor {
  package let rule = LifecycleRule.detachReturn

  package init() {}

  package func observe(_ event: LifecycleEvent, in tree: ObservedTree) -> String? {
    guard case .detachReturned(let child, let parent) = event, let node = tree.nodes[child],
      let call = node.calls.returning(.detach(from: parent)), call.isMeant, !call.isInside
    else { return nil }
    let subtree = tree.subtree(of: child)
    guard !tree.isDisturbed(call, within: subtree) else { return nil }
    let name = "\(tree.name(ofRouter: parent)).detachChild(\(node.name))"
    if node.parent == parent { return "\(name) returned, and it is still in its children." }
    return tree.stirring(below: child).map { "\(name) returned, and \($0.name) is still active." }
  }
}
