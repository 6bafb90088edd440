// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct ChoiceTapeTests {
  static func choices(_ values: UInt64...) -> [Choice] {
    values.map { Choice(value: $0, bound: Choice.unlimited) }
  }

  static let random = ChoiceTape.Continuation.random(SplitMix64(seed: 1))

  @Test func `a replayed recording makes the same choices again`() {
    for seed in 0..<200 as Range<UInt64> {
      let first = ChoiceTape(then: .random(SplitMix64(seed: seed)))
      let numbers = Gen<[Int]>.array(of: .int(in: 0...9), count: 0...9)
      let value = numbers.draw(from: first)
      let ranks = (0..<10).map { _ in first.next(.schedule, below: 5) }
      let again = ChoiceTape(replaying: first.recorded, then: .random(SplitMix64(seed: ~seed)))
      #expect(numbers.draw(from: again) == value)
      #expect((0..<10).map { _ in again.next(.schedule, below: 5) } == ranks)
      #expect(again.recorded.spans == first.recorded.spans)
    }
  }

  @Test func `each kind has its own place in the script`() {
    let script = ChoiceSequence(data: Self.choices(7, 8), schedule: Self.choices(1), cancellation: Self.choices(1))
    let tape = ChoiceTape(replaying: script)
    #expect(tape.next(.schedule, below: 3) == 1)
    #expect(tape.next(.data, below: 10) == 7)
    #expect(tape.next(.cancellation, below: 2) == 1)
    #expect(tape.next(.data, below: 10) == 8)
  }

  @Test func `a script that ends early goes on with zeros`() {
    let tape = ChoiceTape(replaying: ChoiceSequence(schedule: Self.choices(2)))
    #expect((0..<4).map { _ in tape.next(.schedule, below: 3) } == [2, 0, 0, 0])
  }

  @Test func `a script that ends early goes on at random where that is wanted`() {
    let tape = ChoiceTape(replaying: ChoiceSequence(schedule: Self.choices(2)), then: Self.random)
    let ranks = (0..<100).map { _ in tape.next(.schedule, below: 3) }
    #expect(ranks[0] == 2)
    #expect(Set(ranks[1...]) == [0, 1, 2])
  }

  @Test func `a number out of range becomes the last one within it`() {
    let tape = ChoiceTape(replaying: ChoiceSequence(schedule: Self.choices(9, 1)))
    #expect(tape.next(.schedule, below: 4) == 3)
    #expect(tape.next(.schedule, below: 4) == 1)
  }

  @Test func `where there is no alternative nothing is recorded and nothing used up`() {
    let tape = ChoiceTape(replaying: ChoiceSequence(schedule: Self.choices(2)))
    #expect(tape.next(.schedule, below: 1) == 0)
    #expect(tape.recorded.count == 0)
    #expect(tape.next(.schedule, below: 3) == 2)
  }

  @Test func `a forced number takes the place of the scripted one`() {
    let tape = ChoiceTape(replaying: ChoiceSequence(data: Self.choices(0, 5)))
    tape.force(1, below: 2)
    #expect(tape.next(.data, below: 10) == 5)
    #expect(tape.recorded.data == [Choice(value: 1, bound: 2), Choice(value: 5, bound: 10)])
  }

  @Test func `spans nest and have their depth`() {
    let tape = ChoiceTape(then: Self.random)
    tape.beginSpan(.draw)
    _ = tape.draw(below: 9, shape: .uniform)
    tape.beginSpan(.element)
    _ = tape.draw(below: 9, shape: .uniform)
    tape.endSpan(isDiscarded: true)
    tape.endSpan(isDiscarded: false)
    #expect(
      tape.recorded.spans == [Span(.element, 1..<2, depth: 1, isDiscarded: true), Span(.draw, 0..<2)]
    )
  }

  @Test func `a span without choices is no span`() {
    let tape = ChoiceTape()
    tape.beginSpan(.draw)
    tape.endSpan(isDiscarded: false)
    tape.endSpan(isDiscarded: false)
    #expect(tape.recorded.spans.isEmpty)
  }
}
