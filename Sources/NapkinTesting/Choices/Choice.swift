// SPDX-License-Identifier: Apache-2.0

/// One decision of an execution: a number, and what it had to stay below.
package struct Choice: Sendable, Hashable {
  /// What was decided; zero is always the simplest that could have been.
  package var value: UInt64

  /// The first number that was out of reach, or ``unlimited``.
  package var bound: UInt64

  package init(value: UInt64, bound: UInt64) {
    self.value = value
    self.bound = bound
  }

  /// The bound that stands for 2⁶⁴, or for one that is not known, as in a choice read from a replay token.
  package static let unlimited: UInt64 = 0

  /// Which of an execution's questions a choice answers.
  package enum Kind: UInt8, Sendable, Hashable, CaseIterable {
    /// Something a generator asked: data that the body works on.
    case data
    /// Who runs next, as a rank among those that are ready; zero is what a plain run does.
    case schedule
    /// Whether a task is cancelled here, and which; zero cancels nobody.
    case cancellation
  }

  /// Brings `value` below `bound`, the nearest way.
  package static func clamp(_ value: UInt64, below bound: UInt64) -> UInt64 {
    bound == unlimited || value < bound ? value : bound &- 1
  }
}
