// SPDX-License-Identifier: Apache-2.0

/// One decision of an execution: a number and its upper bound.
package struct Choice: Codable, Sendable, Hashable {
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
package struct ChoiceSequence: Codable, Sendable {
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
    _modify {
      switch kind {
      case .data: yield &data
      case .schedule: yield &schedule
      case .cancellation: yield &cancellation
      case .preemption: yield &preemption
      }
    }
  }

  /// How many choices were met, of all kinds and with the zeros.
  package var count: Int { data.count + schedule.count + cancellation.count + preemption.count }

  /// The number of scheduling decisions that differ from FIFO order, of injected cancellations and of preemptions.
  package var deviations: Int { schedule.deviations + cancellation.deviations + preemption.deviations }
}

extension [Choice] {
  /// The number of choices that are not zero.
  package var deviations: Int { count { $0.value != 0 } }
}

/// A stretch of the drawn data that belongs together, such as one array element, so that it can go in one piece.
package struct Span: Codable, Sendable, Hashable {
  /// The data choices in it, by their position in the data lane.
  package var range: Range<Int>

  package var label: Label

  /// Whether the value drawn here was thrown away, as by a filter; deleting it changes nothing but the length.
  package var isDiscarded: Bool

  /// How many spans are around it: neighbours at one depth are siblings, or nearly so.
  package var depth: Int

  package init(_ label: Label, _ range: Range<Int>, depth: Int = 0, isDiscarded: Bool = false) {
    self.label = label
    self.range = range
    self.depth = depth
    self.isDiscarded = isDiscarded
  }

  /// The kind of stretch; only spans of one label are ever put in each other's place.
  package enum Label: UInt8, Codable, Sendable, Hashable {
    /// One call of `Execution.draw`.
    case draw
    /// One element of a collection, with the choice that says that it exists.
    case element
    /// One of several alternatives, as a level of a recursive value is.
    case alternative
    /// One attempt of a filter.
    case attempt
    /// One step of a program under test, drawn by the fuzzer.
    case action
  }
}

extension ChoiceSequence {
  /// The values of each lane, in the order of ``Choice/Kind``, without trailing zeros: two equal ones replay alike.
  package var canonical: [[UInt64]] { Choice.Kind.allCases.map { Self.values(of: self[$0]) } }

  private static func values(of lane: [Choice]) -> [UInt64] {
    var end = lane.count
    while end > 0, lane[end - 1].value == 0 { end -= 1 }
    return lane[..<end].map(\.value)
  }

  /// The order in which the shrinker compares sequences: by how much a reader has to understand.
  package struct ShrinkOrder: Sendable, Equatable {
    package let canonical: [[UInt64]]
    /// The number of data choices, including zeros at the end.
    ///
    /// Without those, every last number would first become zero and then block a simpler order.
    package let dataCount: Int
    package let deviations: Int

    subscript(kind: Choice.Kind) -> [UInt64] { canonical[Int(kind.rawValue)] }
  }

  package var shrinkOrder: ShrinkOrder {
    ShrinkOrder(canonical: canonical, dataCount: data.count, deviations: deviations)
  }
}

extension ChoiceSequence.ShrinkOrder: Comparable {
  /// Orders by less data first, then fewer deviations, then smaller numbers.
  ///
  /// Each step is shortlex, shorter before smaller, which is a well-order: a shrinker that only ever goes down ends.
  package static func < (left: Self, right: Self) -> Bool {
    if left.dataCount != right.dataCount { return left.dataCount < right.dataCount }
    if left.deviations != right.deviations { return left.deviations < right.deviations }
    if left[.data] != right[.data] { return left[.data].lexicographicallyPrecedes(right[.data]) }
    for kind in [Choice.Kind.cancellation, .preemption, .schedule] where left[kind] != right[kind] {
      let (less, more) = (left[kind], right[kind])
      return less.count != more.count ? less.count < more.count : less.lexicographicallyPrecedes(more)
    }
    return false
  }
}

extension ChoiceSequence: Equatable {
  /// Two sequences are equal when they replay alike, whatever the bounds that they were met with.
  package static func == (left: Self, right: Self) -> Bool {
    left.canonical == right.canonical
  }
}

/// An access at which a task is preempted, as a choice has it.
package struct Preemption {
  /// The task's number, less than 2^24: a token of an execution with as many choices is not read back.
  package var task: Int32

  /// The access' number among the task's, from 1 on and less than 2^40: half a day of accesses, at 45 ns each.
  package var number: Int64

  package init(task: Int32, number: Int64) {
    (self.task, self.number) = (task, number)
  }

  /// Reads a choice, which has the task's number in the 16 lowest bits and the 8 highest.
  package init(_ choice: UInt64) {
    self.init(task: Int32((choice >> 56) << 16 | choice & 0xffff), number: Int64((choice << 8) >> 24))
  }

  /// The access as a choice, which is not zero.
  package var choice: UInt64 {
    let task = UInt64(UInt32(bitPattern: task))
    return (task >> 16) << 56 | UInt64(number) << 16 | task & 0xffff
  }
}
