// SPDX-License-Identifier: Apache-2.0

/// A napkin as it stood in the tree at one moment of an execution.
package struct TreeNode: Sendable, Equatable {
  /// Counted up in the order in which napkins came to be in the execution.
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

  /// What a napkin is doing with its life, in a word that is shown.
  package enum State: String, Sendable {
    case inactive, active
    case becoming = "becoming active"
    case loading
    case resigning
  }
}

/// What one event does to the tree.
package enum TreeChange: Sendable, Equatable {
  /// A napkin is there, as the node says; from now on if it was not there before.
  case node(TreeNode)
  /// A napkin is gone.
  case gone(Int)
}
