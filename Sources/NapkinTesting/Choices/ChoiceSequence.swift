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

  /// The decision that a choice stands for.
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

/// Every decision of one execution, data and schedule alike: replaying it is the execution again.
///
/// The idea is that of Hypothesis (MacIver and Donaldson, "Test-case reduction via test-case generation", ECOOP 2020): the
/// numbers that values are made from are stored and shrunk, not the values, so one shrinker serves every generator and
/// the schedule.
///
/// The choices stand in a lane for each kind, each in the order in which it was met. Replay reads the lanes apart, so
/// that deleting an array element shifts the data behind it and leaves the schedule as it was.
/// A lane that ends early goes on with zeros, and so trailing zeros mean nothing.
package struct ChoiceSequence: Sendable {
  package var data: [Choice]
  package var schedule: [Choice]
  package var cancellation: [Choice]
  package var preemption: [Choice]

  /// How the data is structured: inner spans before the ones around them, as they end.
  package var spans: [Span]

  package init(
    data: [Choice] = [],
    schedule: [Choice] = [],
    cancellation: [Choice] = [],
    preemption: [Choice] = [],
    spans: [Span] = []
  ) {
    self.data = data
    self.schedule = schedule
    self.cancellation = cancellation
    self.preemption = preemption
    self.spans = spans
  }

  /// The choices of one kind.
  package subscript(kind: Choice.Kind) -> [Choice] {
    get {
      switch kind {
      case .data: data
      case .schedule: schedule
      case .cancellation: cancellation
      case .preemption: preemption
      }
    }
    set {
      switch kind {
      case .data: data = newValue
      case .schedule: schedule = newValue
      case .cancellation: cancellation = newValue
      case .preemption: preemption = newValue
      }
    }
  }

  /// How many choices were met, of all kinds and with the zeros.
  package var count: Int { data.count + schedule.count + cancellation.count + preemption.count }

  /// The number of scheduling decisions that differ from FIFO order, of injected cancellations and of preemptions.
  package var deviations: Int {
    var deviations = 0
    for choice in schedule where choice.value != 0 { deviations += 1 }
    for choice in cancellation where choice.value != 0 { deviations += 1 }
    for choice in preemption where choice.value != 0 { deviations += 1 }
    return deviations
  }
}
