// SPDX-License-Identifier: Apache-2.0

/// The napkins of an execution at one moment, as the events up to it tell.
package struct TreePicture: Sendable, Equatable {
  /// The napkins, those attached first before their siblings.
  package private(set) var nodes: [TreeNode] = []

  package init() {}

  /// The picture after so many events of a log, all of them if no number is given.
  package init(of log: EventLog, after count: Int? = nil) {
    for event in log.events.prefix(count ?? log.events.count) {
      if case .tree(let change) = event.kind { apply(change) }
    }
  }

  package mutating func apply(_ change: TreeChange) {
    switch change {
    case .node(let node):
      guard let index = nodes.firstIndex(where: { $0.number == node.number }) else { return nodes.append(node) }
      if nodes[index].parent == node.parent {
        nodes[index] = node
      } else {
        nodes.remove(at: index)
        nodes.append(node)
      }
    case .gone(let number):
      nodes.removeAll { $0.number == number }
    }
  }

  /// The napkins that nobody in the picture has attached.
  package var roots: [TreeNode] {
    nodes.filter { node in node.parent.map { parent in !nodes.contains { $0.number == parent } } ?? true }
  }

  /// The napkins attached to one, in the order in which they were.
  package func children(of number: Int) -> [TreeNode] { nodes.filter { $0.parent == number } }
}
