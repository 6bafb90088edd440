// SPDX-License-Identifier: Apache-2.0

/// One decision of an execution: a number and its upper bound.
package struct Choice: Sendable, Hashable {
  /// The decision; zero is always the simplest one.
  package var value: UInt64

  /// The first number out of range, or ``unlimited``.
  package var bound: UInt64

  package init(value: UInt64, bound: UInt64) {
    self.value = value
    self.bound = bound
  }

  /// The bound that stands for 2⁶⁴, or for one that is not known, as in a choice read from a replay token.
  package static let unlimited: UInt64 = 0

  /// What a choice decides.
  package enum Kind: UInt8, Sendable, Hashable, CaseIterable {
    /// A value that a generator draws: data that the body works on.
    case data
    /// The next task to run, as a rank among the ready ones; zero is FIFO order.
    case schedule
    /// The task that is cancelled at this point; zero cancels none.
    case cancellation
    /// An access at which a task is preempted: its number among the task's, and the task's number; zero is none.
    case preemption
  }
}
