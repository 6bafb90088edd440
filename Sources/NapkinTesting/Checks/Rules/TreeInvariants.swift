// SPDX-License-Identifier: Apache-2.0
internal import Napkin

extension Tree {
  /// The violations of the contract in an idle tree, each as a clause with its rule, in the order of the rules and the tree.
  var violations: [String] {
    var owners: [ObjectIdentifier: String] = [:]
    let checks: [(rule: LifecycleRule, check: (Node) -> String?)] = [
      (.loading, notLoaded), (.loading, deactivated),
      (.placement, { $0.isRepeated ? placedAgain($0) : nil }),
      (
        .placement,
        { node in
          guard !node.isRepeated else { return nil }
          let other = owners.updateValue(node.name, forKey: ObjectIdentifier(node.router.interactable.lifecycle))
          return other.map { "\(node.name) and \($0) share one interactor" }
        }
      ),
      (.placement, ofAnotherParent), (.dormancy, activeBelowInactive),
    ]
    return checks.flatMap { rule, check in
      nodes.compactMap { node in check(node).map { "\($0) (\(rule.heading))" } }
    }
  }

  private func notLoaded(_ node: Node) -> String? {
    guard node.parent != nil, !node.isRepeated, node.lifecycle.isActive else { return nil }
    return RouterNode.isLoaded(node.router) == false ? "\(node.name) is attached and active, and not loaded" : nil
  }

  private func deactivated(_ node: Node) -> String? {
    guard let parent = node.parent.map({ nodes[$0] }), !node.isRepeated, parent.router is any NodeOwner,
      RouterNode.parent(of: node.router) == ObjectIdentifier(parent.router), parent.lifecycle.isActive,
      !node.lifecycle.isActive
    else { return nil }
    return "\(node.name) is inactive under \(parent.name), which is active: it was deactivated directly"
  }

  private func placedAgain(_ node: Node) -> String {
    let parent = node.parent.map { nodes[$0].name } ?? "no parent"
    return "\(node.name) is in the tree at more than one position, one of them under \(parent)"
  }

  private func ofAnotherParent(_ node: Node) -> String? {
    guard let parent = node.parent.map({ nodes[$0] }), !node.isRepeated else { return nil }
    // A parent that is no `Router` attaches by itself, unknown to the framework.
    guard parent.router is any NodeOwner, RouterNode.parent(of: node.router) != ObjectIdentifier(parent.router) else {
      return nil
    }
    return "\(node.name) is under \(parent.name), and belongs to another parent"
  }

  private func activeBelowInactive(_ node: Node) -> String? {
    guard let parent = node.parent.map({ nodes[$0] }), !node.isRepeated, node.lifecycle.isActive,
      !parent.lifecycle.isActive, parent.lifecycle.hasBeenActive || parent.lifecycle.isDormant
    else { return nil }
    return "\(node.name) is active under \(parent.name), which was deactivated"
  }
}
