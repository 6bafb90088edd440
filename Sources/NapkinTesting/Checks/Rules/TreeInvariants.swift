// SPDX-License-Identifier: Apache-2.0
internal import Napkin

/// A rule of the contract that can be checked on an idle tree.
@MainActor
package struct TreeInvariant {
  package let rule: LifecycleRule

  /// The violations of the rule in a tree, each as a clause, in the order of the tree.
  package let violations: (Tree) -> [String]

  /// Every rule, in the order of the contract.
  package static let all = [loadedOnceActive, placedOnce, ownInteractor, ownParent, inactiveWithParent]

  static let loadedOnceActive = TreeInvariant(rule: .loading) { tree in
    tree.nodes.compactMap { node in
      guard node.parent != nil, !node.isRepeated, node.lifecycle.isActive else { return nil }
      return RouterNode.isLoaded(node.router) == false ? "\(node.name) is attached and active, and not loaded" : nil
    }
  }

  static let placedOnce = TreeInvariant(rule: .placement) { tree in
    tree.nodes.filter(\.isRepeated).map { node in
      "\(node.name) is in the tree at more than one position, one of them under \(tree.parentName(of: node))"
    }
  }

  static let ownInteractor = TreeInvariant(rule: .placement) { tree in
    var owners: [ObjectIdentifier: String] = [:]
    return tree.nodes.compactMap { node in
      guard !node.isRepeated else { return nil }
      let other = owners.updateValue(node.name, forKey: ObjectIdentifier(node.router.interactable.lifecycle))
      return other.map { "\(node.name) and \($0) share one interactor" }
    }
  }

  static let ownParent = TreeInvariant(rule: .placement) { tree in
    tree.nodes.compactMap { node in
      guard let parent = node.parent, !node.isRepeated else { return nil }
      // A parent that is no `Router` attaches by itself, unknown to the framework.
      guard tree.nodes[parent].router is any NodeOwner else { return nil }
      guard RouterNode.parent(of: node.router) != ObjectIdentifier(tree.nodes[parent].router) else { return nil }
      return "\(node.name) is under \(tree.nodes[parent].name), and belongs to another parent"
    }
  }

  static let inactiveWithParent = TreeInvariant(rule: .dormancy) { tree in
    tree.nodes.compactMap { node in
      guard let index = node.parent, !node.isRepeated, node.lifecycle.isActive else { return nil }
      let parent = tree.nodes[index]
      guard !parent.lifecycle.isActive, parent.lifecycle.hasBeenActive || parent.lifecycle.isDormant else { return nil }
      return "\(node.name) is active under \(parent.name), which was deactivated"
    }
  }
}

extension Tree {
  fileprivate func parentName(of node: Node) -> String {
    node.parent.map { nodes[$0].name } ?? "no parent"
  }
}
