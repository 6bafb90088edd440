// SPDX-License-Identifier: Apache-2.0

package import Napkin

/// T4, T10: a subtree that is deactivated resigns deepest first, and siblings the last attached first.
///
/// Only a subtree that one call, or the end of one parent, puts to sleep is judged: where another call comes in between
/// it may activate a part of it again, and takes precedence. A node with a request of its own is outside the order,
/// and so is, among siblings, one whose activation was still running and is cut short (L5).
package final class ResignationOrderMonitor: Monitor {
  package let rule = LifecycleRule.resignationOrder

  /// What was below a deactivated parent, in the order of attachment.
  private var bereft: [ObservedTree.ID: [ObservedTree.Node]] = [:]

  package init() {}

  package func observe(_ event: LifecycleEvent, in tree: ObservedTree) -> String? {
    switch event {
    case .willResignActiveBegan(let id):
      // Where threads race, the end of a resignation may be recorded after the beginning of the next.
      guard tree.isExact, let interactor = tree.interactors[id], let router = interactor.router,
        let node = tree.nodes[router], tree.hasOneReason(router)
      else { return nil }
      return awakeBelow(node, tree).map {
        "willResignActive() of \(interactor.name) began while \($0.name) below it was active."
      }
        ?? awakeAfter(router, node, interactor, tree).map {
          "willResignActive() of \(interactor.name) began before that of \($0.name), which was attached after it."
        }
    case .routerDeinit(let id):
      bereft[id] = nil
      guard let node = tree.nodes[id], node.children.count > 1 else { return nil }
      let siblings = node.children.compactMap { tree.nodes[$0] }
      for child in node.children { bereft[child] = siblings }
    case .attached(let child, _): bereft[child] = nil
    default: break
    }
    return nil
  }

  /// A direct activation takes precedence, wherever the node is.
  private func awakeBelow(_ node: ObservedTree.Node, _ tree: ObservedTree) -> ObservedTree.Interactor? {
    for child in node.children.reversed() {
      if let own = tree.interactor(ofRouter: child), own.isActive, own.wantedByHand != true,
        let node = tree.nodes[child],
        tree.isLeftAlone(node)
      {
        return own
      }
    }
    return nil
  }

  private func awakeAfter(
    _ router: ObservedTree.ID, _ node: ObservedTree.Node, _ interactor: ObservedTree.Interactor, _ tree: ObservedTree
  ) -> ObservedTree.Interactor? {
    guard interactor.wasAskedAtRest, interactor.lastByHand == nil, tree.isLeftAlone(node) else { return nil }
    for sibling in siblings(after: router, node, tree).reversed() {
      guard let own = tree.interactors[sibling.lifecycle], own.isActive, own.wantedByHand != true,
        tree.isLeftAlone(sibling)
      else { continue }
      return own
    }
    return nil
  }

  private func siblings(
    after router: ObservedTree.ID, _ node: ObservedTree.Node, _ tree: ObservedTree
  ) -> [ObservedTree.Node] {
    if let parent = node.parent {
      let all = tree.nodes[parent]?.children ?? []
      return all.drop { $0 != router }.dropFirst().compactMap { tree.nodes[$0] }
    }
    // An identity may be another's by now, a node is itself.
    return (bereft[router] ?? []).drop { $0 !== node }.dropFirst().filter { sibling in
      sibling.parent == nil && tree.interactors[sibling.lifecycle]?.router.map { tree.nodes[$0] === sibling } == true
    }
  }
}
