// SPDX-License-Identifier: Apache-2.0
public import Napkin

/// A tree of routers at one moment, to be printed or compared with a literal.
///
///     #expect(await TreeSnapshot(of: root) == """
///       RootRouter (active)
///       ├─ HomeRouter (active, 1 bound task)
///       │  └─ ProfileRouter (inactive)
///       └─ FeedRouter (active)
///       """)
///
/// It visits each router and each interactor. Take it when the tree is idle, since nothing is locked meanwhile.
public struct TreeSnapshot: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// The tree, a line a router.
  public let description: String

  /// Makes a snapshot of a router and everything below it.
  @MainActor
  public init(of root: any Routing) async {
    let tree = Tree(root)
    description = tree.nodes.indices.map { tree.line($0) }.joined(separator: "\n")
  }

  /// Makes the snapshot that a literal shows.
  public init(stringLiteral value: String) {
    description = value
  }
}

extension Tree {
  fileprivate func line(_ index: Int) -> String {
    let node = nodes[index]
    var prefix = ""
    if let parent = node.parent {
      prefix = isLast(index) ? "└─ " : "├─ "
      var ancestor = parent
      while let above = nodes[ancestor].parent {
        prefix = (isLast(ancestor) ? "   " : "│  ") + prefix
        ancestor = above
      }
    }
    return prefix + "\(node.name) (\(state(of: node)))"
  }

  private func isLast(_ index: Int) -> Bool {
    nodes[index].parent.map { nodes[$0].children.last == index } ?? true
  }

  private func state(of node: Node) -> String {
    if node.isRepeated { return "shown above" }
    let tasks = node.lifecycle.boundTasks
    return (node.lifecycle.isActive ? "active" : "inactive")
      + (tasks == 0 ? "" : ", \(tasks) bound task\(tasks == 1 ? "" : "s")")
  }
}
