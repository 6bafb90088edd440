// SPDX-License-Identifier: Apache-2.0
internal import Napkin

/// One rule of the contract that a tree at rest can be looked at for.
@MainActor
package struct TreeInvariant {
  /// The rule's number in the contract.
  package let rule: String

  /// What breaks it in this tree, in a phrase for each breach, in the tree's order.
  package let breaches: (Tree) -> [String]

  /// Every rule, in the order of the contract.
  package static let all = [loadedOnceActive, placedOnce, ownInteractor, ownParent, sleepsWithParent]

  static let loadedOnceActive = TreeInvariant(rule: "T1") { tree in
    tree.nodes.compactMap { node in
      guard node.parent != nil, !node.isRepeated, node.lifecycle.isActive else { return nil }
      return RouterNode.isLoaded(node.router) == false ? "\(node.name) is attached and active, and not loaded" : nil
    }
  }

  static let placedOnce = TreeInvariant(rule: "T2") { tree in
    tree.nodes.filter(\.isRepeated).map { node in
      "\(node.name) stands in the tree at more than one place, once under \(tree.parentName(of: node))"
    }
  }

  static let ownInteractor = TreeInvariant(rule: "T2") { tree in
    var owners: [ObjectIdentifier: String] = [:]
    return tree.nodes.compactMap { node in
      guard !node.isRepeated else { return nil }
      let other = owners.updateValue(node.name, forKey: ObjectIdentifier(node.router.interactable.lifecycle))
      return other.map { "\(node.name) and \($0) share one interactor" }
    }
  }

  static let ownParent = TreeInvariant(rule: "T2") { tree in
    tree.nodes.compactMap { node in
      guard let parent = node.parent, !node.isRepeated else { return nil }
      // A parent that is no `Router` attaches on its own account, and the framework knows nothing of it.
      guard tree.nodes[parent].router is any NodeOwner else { return nil }
      guard RouterNode.parent(of: node.router) != ObjectIdentifier(tree.nodes[parent].router) else { return nil }
      return "\(node.name) stands under \(tree.nodes[parent].name), and belongs to another parent"
    }
  }

  static let sleepsWithParent = TreeInvariant(rule: "T7") { tree in
    tree.nodes.compactMap { node in
      guard let index = node.parent, !node.isRepeated, node.lifecycle.isActive else { return nil }
      let parent = tree.nodes[index]
      guard !parent.lifecycle.isActive, parent.lifecycle.hasBeenActive || parent.lifecycle.isAsleep else { return nil }
      return "\(node.name) is active under \(parent.name), which was deactivated"
    }
  }
}

extension Tree {
  fileprivate func parentName(of node: Node) -> String {
    node.parent.map { nodes[$0].name } ?? "nobody"
  }
}
