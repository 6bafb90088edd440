// SPDX-License-Identifier: Apache-2.0

extension ChoiceSequence {
  /// What is left of a sequence when bounds, spans and trailing zeros are taken away: two equal ones replay alike.
  package struct Essence: Sendable, Hashable {
    package let data: [UInt64]
    package let schedule: [UInt64]
    package let cancellation: [UInt64]
    package let deviations: Int
  }

  package var essence: Essence {
    Essence(
      data: Self.values(of: data), schedule: Self.values(of: schedule), cancellation: Self.values(of: cancellation),
      deviations: deviations)
  }

  private static func values(of lane: [Choice]) -> [UInt64] {
    var end = lane.count
    while end > 0, lane[end - 1].value == 0 { end -= 1 }
    var values: [UInt64] = []
    values.reserveCapacity(end)
    for index in 0..<end { values.append(lane[index].value) }
    return values
  }
}

extension ChoiceSequence.Essence: Comparable {
  /// Orders by what a reader has to take in: less data first, then fewer deviations, then smaller numbers.
  ///
  /// Each step is shortlex, shorter before smaller, which is a well-order: a shrinker that only ever goes down ends.
  package static func < (left: Self, right: Self) -> Bool {
    if left.data.count != right.data.count { return left.data.count < right.data.count }
    if left.deviations != right.deviations { return left.deviations < right.deviations }
    if left.data != right.data { return left.data.lexicographicallyPrecedes(right.data) }
    for (left, right) in [(left.cancellation, right.cancellation), (left.schedule, right.schedule)] where left != right {
      return left.count != right.count ? left.count < right.count : left.lexicographicallyPrecedes(right)
    }
    return false
  }
}

extension ChoiceSequence: Equatable {
  /// Two sequences are equal when they replay alike, whatever the bounds that they were met with.
  package static func == (left: Self, right: Self) -> Bool {
    left.essence == right.essence
  }
}
