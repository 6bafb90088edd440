// SPDX-License-Identifier: Apache-2.0

package import Napkin

/// T3: a detach of a router that is no child changes nothing: it does not resign, and stays where it is.
///
/// If anything else is under way that may put it to sleep, nothing is said.
package final class StrangerMonitor: Monitor {
  package let rule = LifecycleRule.strangers

  package init() {}

  package func observe(_ event: LifecycleEvent, in tree: ObservedTree) -> String? {
    guard case .detachReturned(let child, let parent) = event, let node = tree.nodes[child],
      let call = node.calls.returning(.detach(from: parent)), !call.isMeant,
      let interactor = tree.interactors[node.lifecycle], interactor.transitions != call.transitions,
      tree.isQuiet(at: child, since: call)
    else { return nil }
    let name = "\(tree.name(ofRouter: parent)).detachChild(\(node.name))"
    return
      "\(name) was called, though it is no child there, and \(interactor.name) \(interactor.isActive ? "became active" : "was deactivated")."
  }
}
