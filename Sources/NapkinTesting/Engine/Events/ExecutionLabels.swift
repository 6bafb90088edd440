// SPDX-License-Identifier: Apache-2.0

package import Testing

/// A condition that a share of an exploration's executions has to meet.
package struct Goal: Codable, Sendable, Hashable {
  /// The label of the executions that meet it.
  package let name: String

  /// The least share of the executions, from 0 to 1; with 0 one execution is enough.
  package let share: Double

  package let sourceLocation: SourceLocation
}

/// The labels of one execution, each once, the goals that it came by, and the actions that a fuzzer drew in it.
package struct ExecutionLabels: Codable, Sendable {
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

/// How often a fuzzer's actions were drawn, and how often of these they were skipped, each by the number of the action.
package struct ActionCounts: Codable, Sendable, Equatable {
  package private(set) var drawn: [Int] = []
  package private(set) var skipped: [Int] = []

  package mutating func count(_ action: Int, isSkipped: Bool) {
    Self.add(1, to: &drawn, at: action)
    if isSkipped { Self.add(1, to: &skipped, at: action) }
  }

  package mutating func add(_ other: ActionCounts) {
    // Most executions are no fuzzer's.
    if other.drawn.isEmpty { return }
    for (action, count) in other.drawn.enumerated() { Self.add(count, to: &drawn, at: action) }
    for (action, count) in other.skipped.enumerated() { Self.add(count, to: &skipped, at: action) }
  }

  private static func add(_ count: Int, to counts: inout [Int], at action: Int) {
    while counts.count <= action { counts.append(0) }
    counts[action] += count
  }
}
