// SPDX-License-Identifier: Apache-2.0

extension ChoiceSequence {
  /// A sequence without bounds, spans and trailing zeros: two equal ones replay alike.
  package struct Canonical: Sendable, Hashable {
    package let data: [UInt64]
    package let schedule: [UInt64]
    package let cancellation: [UInt64]
    package let preemption: [UInt64]
  }

  package var canonical: Canonical {
    Canonical(
      data: Self.values(of: data),
      schedule: Self.values(of: schedule),
      cancellation: Self.values(of: cancellation),
      preemption: Self.values(of: preemption)
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

  /// The order in which the shrinker compares sequences: by what a reader has to understand.
  package struct ShrinkOrder: Sendable, Equatable {
    package let canonical: Canonical
    /// The number of data choices, including zeros at the end.
    ///
    /// Without those, every last number would first become zero and then block a simpler order.
    package let dataCount: Int
    package let deviations: Int
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
    let (less, more) = (left.canonical, right.canonical)
    if less.data != more.data { return less.data.lexicographicallyPrecedes(more.data) }
    if less.cancellation != more.cancellation { return isShortlexLess(less.cancellation, more.cancellation) }
    if less.preemption != more.preemption { return isShortlexLess(less.preemption, more.preemption) }
    return isShortlexLess(less.schedule, more.schedule)
  }

  private static func isShortlexLess(_ left: [UInt64], _ right: [UInt64]) -> Bool {
    left.count != right.count ? left.count < right.count : left.lexicographicallyPrecedes(right)
  }
}

extension ChoiceSequence: Equatable {
  /// Two sequences are equal when they replay alike, whatever the bounds that they were met with.
  package static func == (left: Self, right: Self) -> Bool {
    left.canonical == right.canonical
  }
}
