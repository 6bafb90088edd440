// SPDX-License-Identifier: Apache-2.0

package import Testing

/// A condition that a share of an exploration's executions has to meet.
package struct Goal: Sendable, Hashable {
  /// The label of the executions that meet it.
  package let name: String

  /// The least share of the executions, from 0 to 1; with 0 one execution is enough.
  package let share: Double

  package let sourceLocation: SourceLocation
}

/// The labels of one execution, each once, the goals that it came by, and the actions that a fuzzer drew in it.
package struct ExecutionLabels: Sendable {
  package private(set) var names: [String] = []
  package private(set) var goals: [Goal] = []
  package var actions = ActionCounts()

  package mutating func add(_ name: String) {
    if !names.contains(name) { names.append(name) }
  }

  package mutating func add(_ goal: Goal, isMet: Bool) {
    if !goals.contains(goal) { goals.append(goal) }
    if isMet { add(goal.name) }
  }
}
