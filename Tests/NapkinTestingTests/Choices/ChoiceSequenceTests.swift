// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct ChoiceSequenceTests {
  static func sequence(_ data: [UInt64] = [], schedule: [UInt64] = [], cancellation: [UInt64] = []) -> ChoiceSequence {
    func lane(_ values: [UInt64]) -> [Choice] { values.map { Choice(value: $0, bound: 100) } }
    return ChoiceSequence(data: lane(data), schedule: lane(schedule), cancellation: lane(cancellation))
  }

  @Test func `deviations are the ranks that are not zero, and the cancellations`() {
    #expect(Self.sequence([5, 5], schedule: [0, 3, 0, 1], cancellation: [0, 1]).deviations == 3)
  }

  @Test func `zeros at the end mean nothing`() {
    #expect(Self.sequence([1, 0], schedule: [0, 2, 0, 0]) == Self.sequence([1], schedule: [0, 2]))
    #expect(Self.sequence([0, 1]) != Self.sequence([1]))
  }

  @Test(arguments: [
    // Each is simpler than the next: fewer data, then fewer deviations, then smaller numbers, then a shorter schedule.
    [
      Self.sequence(schedule: [1, 1, 1]),
      Self.sequence([9]),
      Self.sequence([0, 0]),
      Self.sequence([0, 9]),
      Self.sequence([1, 0]),
      Self.sequence([1, 0], schedule: [2]),
      Self.sequence([1, 0], schedule: [0, 1]),
      Self.sequence([1, 0], schedule: [0, 0, 1]),
      Self.sequence([1, 0], schedule: [2], cancellation: [1]),
      Self.sequence([0, 0], schedule: [1, 1, 1]),
      Self.sequence([0, 0, 0]),
    ]
  ])
  func `the simpler of two sequences comes first`(sorted: [ChoiceSequence]) {
    for (index, left) in sorted.enumerated() {
      for (other, right) in sorted.enumerated() {
        #expect((left.shrinkOrder < right.shrinkOrder) == (index < other), "\(left) and \(right)")
      }
    }
  }
}
