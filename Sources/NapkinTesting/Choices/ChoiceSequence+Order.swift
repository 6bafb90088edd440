// SPDX-License-Identifier: Apache-2.0

extension ChoiceSequence {
  /// What is left of a sequence when bounds, spans and trailing zeros are taken away: two equal ones replay alike.
  package struct Essence: Sendable, Hashable {
    package let data: [UInt64]
    package let schedule: [UInt64]
    package let cancellation: [UInt64]
  }

  package var essence: Essence {
    Essence(
      data: Self.values(of: data),
      schedule: Self.values(of: schedule),
      cancellation: Self.values(of: cancellation)
    )
  }

  private static func values(of lane: [Choice]) -> [UInt64] {
    var end = lane.count
    while end > 0, lane[end - 1].value == 0 { end -= 1 }
    var values: [UInt64] = []
    values.reserveCapacity(end)
    for index in 0..<end { values.append(lane[index].value) }
    return values
  }

  /// How much a reader has to take in, to compare two sequences by.
  package struct Complexity: Sendable, Equatable {
    package let essence: Essence
    /// How many data choices were met, with the zeros at the end.
    ///
    /// Without those every last number would first become zero, and then stand in the way of a simpler order.
    package let dataCount: Int
    package let deviations: Int
  }

  package var complexity: Complexity {
    Complexity(essence: essence, dataCount: data.count, deviations: deviations)
  }
}

extension ChoiceSequence.Complexity: Comparable {
  /// Orders by less data first, then fewer deviations, then smaller numbers.
  ///
  /// Each step is shortlex, shorter before smaller, which is a well-order: a shrinker that only ever goes down ends.
  package static func < (left: Self, right: Self) -> Bool {
    if left.dataCount != right.dataCount { return left.dataCount < right.dataCount }
    if left.deviations != right.deviations { return left.deviations < right.deviations }
    let (less, more) = (left.essence, right.essence)
    if less.data != more.data { return less.data.lexicographicallyPrecedes(more.data) }
    if less.cancellation != more.cancellation { return isShortlexLess(less.cancellation, more.cancellation) }
    return isShortlexLess(less.schedule, more.schedule)
  }

  private static func isShortlexLess(_ left: [UInt64], _ right: [UInt64]) -> Bool {
    left.count != right.count ? left.count < right.count : left.lexicographicallyPrecedes(right)
  }
}

extension ChoiceSequence: Equatable {
  /// Two sequences are equal when they replay alike, whatever the bounds that they were met with.
  package static func == (left: Self, right: Self) -> Bool {
    left.essence == right.essence
  }
}
