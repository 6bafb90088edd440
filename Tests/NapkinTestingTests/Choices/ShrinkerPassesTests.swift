// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

/// One test for each pass of the shrinker that no other pass makes up for.
@Suite struct ShrinkerPassesTests {
  static let seeds = 1...12 as ClosedRange<UInt64>

  @Test(arguments: seeds) func `an element of many choices goes in one piece`(seed: UInt64) async {
    let rows = Gen<[[Int]]>.array(of: .array(of: .int(in: 0...1_000), count: 12), count: 0...10)
    let found = await minimal(rows, seed: seed) { $0.contains { $0[0] >= 900 } }
    #expect(found?.value == [[900] + Array(repeating: 0, count: 11)])
  }

  indirect enum Tree: Equatable, Sendable {
    case leaf(Int)
    case node([Int], Tree, Tree)

    var leaves: [Int] {
      switch self {
      case .leaf(let number): [number]
      case .node(_, let left, let right): left.leaves + right.leaves
      }
    }
  }

  @Test(arguments: seeds) func `a part of a recursive value takes the place of the whole`(seed: UInt64) async {
    // The array of a node is in the way of deleting it bit by bit, and is too small to become the leaf that matters.
    let trees = Gen<Tree>.recursive(Gen<Int>.int(in: 0...99).map { .leaf($0) }) { part in
      Gen.zip(Gen<[Int]>.array(of: .int(in: 0...9), count: 10), part, part).map { .node($0, $1, $2) }
    }
    let found = await minimal(trees, seed: seed) { $0.leaves.contains { $0 >= 77 } }
    #expect(found?.value == .leaf(77))
  }

  @Test(arguments: seeds) func `a length drawn first shrinks along with what it counts`(seed: UInt64) async {
    let lists = Gen<Int>.int(in: 1...30).flatMap { .array(of: .int(in: 0...1_000), count: $0) }
    let found = await minimal(lists, seed: seed) { ($0.last ?? 0) >= 900 }
    #expect(found?.value == [900])
  }

  @Test func `what generators have thrown away goes first, and all at once`() async throws {
    let odd = Gen<Int>.int(in: 0...1_000).filter { !$0.isMultiple(of: 2) }
    let generator = Gen<[Int]>.array(of: odd, count: 6)
    let tape = ChoiceTape(then: .random(SplitMix64(seed: 4)))
    let value = generator.draw(from: tape)
    try #require(tape.recorded.spans.contains { $0.isDiscarded })
    var first: ChoiceSequence?
    _ = await Shrinker(seed: 1).shrink(tape.recorded) { candidate in
      first = first ?? candidate
      return ShrinkOutcome(stillFails: false, consumed: candidate)
    }
    let candidate = try #require(first)
    #expect(candidate.data.count == 12)
    #expect(generator.draw(from: ChoiceTape(replaying: candidate)) == value)
  }

  @Test(arguments: seeds) func `a schedule that does not matter costs one execution`(seed: UInt64) async {
    func executions(_ schedule: [Choice]) async -> Int {
      let generator = Gen<[Int]>.array(of: .int(in: 0...1_000), count: 5...20)
      var failing = ChoiceSequence()
      var index: UInt64 = 0
      while !failing.data.contains(where: { $0.value >= 500 }) {
        let tape = ChoiceTape(then: .random(SplitMix64(seed: seed, index: index)))
        _ = generator.draw(from: tape)
        failing = tape.recorded
        index += 1
      }
      failing.schedule = schedule
      return await Shrinker(seed: seed).shrink(failing) { candidate in
        let tape = ChoiceTape(replaying: candidate)
        let value = generator.draw(from: tape)
        var consumed = tape.recorded
        consumed.schedule = candidate.schedule
        return ShrinkOutcome(stillFails: value.contains { $0 >= 500 }, consumed: consumed)
      }.executions
    }
    #expect(await executions(ShrinkerTests.wild(40, seed: seed).schedule) == executions([]) + 1)
  }
}
