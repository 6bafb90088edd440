// SPDX-License-Identifier: Apache-2.0

/// The napkins of an execution at one moment, computed from the events up to it.
package struct TreePicture: Sendable, Equatable {
  /// The napkins, those attached first before their siblings.
  package private(set) var nodes: [TreeNode] = []

  package init() {}

  /// The picture after the first `count` events of a log; after all of them by default.
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
}

/// A napkin in the tree at one moment of an execution.
package struct TreeNode: Codable, Sendable, Equatable {
  /// Counts the napkins in the order of their creation in the execution.
  package var number: Int
  package var name: String

  /// The number of the napkin that it is attached to.
  package var parent: Int?
  package var state: State

  /// How many bound tasks have not ended.
  package var tasks: Int

  package init(number: Int, name: String, parent: Int? = nil, state: State = .inactive, tasks: Int = 0) {
    self.number = number
    self.name = name
    self.parent = parent
    self.state = state
    self.tasks = tasks
  }

  /// The state of a napkin, with the word that a report shows.
  package enum State: String, Codable, Sendable {
    case inactive, active
    case becoming = "becoming active"
    case loading
    case resigning
  }
}

/// A change of the tree by one event.
package enum TreeChange: Codable, Sendable, Equatable {
  /// A napkin was created, or differs from before.
  case node(TreeNode)
  /// A napkin was deallocated.
  case gone(Int)
}
