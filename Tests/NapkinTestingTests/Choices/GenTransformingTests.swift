// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct GenTransformingTests {
  @Test func `what is drawn is mapped`() {
    let values = Gen<Int>.int(in: 0...50).map { $0 * 2 }.values(seed: 1, count: 100)
    #expect(values.allSatisfy { $0.isMultiple(of: 2) })
  }

  @Test func `a second draw depends on the first`() {
    let pairs = Gen<Int>.int(in: 1...100).flatMap { upper in Gen<Int>.int(in: 0...upper).map { ($0, upper) } }
    #expect(pairs.values(seed: 1, count: 200).allSatisfy { $0.0 <= $0.1 })
  }

  @Test func `a filter passes values that satisfy it, and draws no more than it must`() {
    let even = Gen<Int>.int(in: 0...1_000).filter { $0.isMultiple(of: 2) }
    var draws = 0
    for index in 0..<200 as Range<UInt64> {
      let tape = ChoiceTape(then: .random(SplitMix64(seed: 1, index: index)))
      #expect(even.draw(from: tape).isMultiple(of: 2) || tape.rejection != nil)
      draws += tape.recorded.count
    }
    // Two on average: 400 expected with a deviation of 20.
    #expect((280...520).contains(draws))
  }

  @Test func `a filter that no value satisfies rejects the execution after sixteen attempts`() throws {
    let tape = ChoiceTape(then: .random(SplitMix64(seed: 1)))
    _ = Gen<Int>.int(in: 0...9).filter { _ in false }.draw(from: tape)
    #expect(tape.recorded.count == 16)
    #expect(tape.problems.isEmpty)
    let rejection = try #require(tape.rejection)
    #expect(
      rejection.description == """
        Gen.filter(_:) rejected 16 values in a row.
        Likely cause: few of the drawn values satisfy the filter.
        What to do: construct a valid value with map(_:) or flatMap(_:), or draw from a narrower range.
        """
    )
    #expect(rejection.sourceLocation?.line == #_sourceLocation.line - 11)
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `a filtered value shrinks, and rejected values are deleted`(seed: UInt64) async {
    let odd = Gen<Int>.int(in: 0...1_000).filter { !$0.isMultiple(of: 2) }
    let found = await minimal(.array(of: odd, count: 0...10), seed: seed) { $0.contains { $0 > 100 } }
    #expect(found?.value == [101])
    #expect(found?.shrunk.sequence.data.count == 3)
  }

  @Test func `nil comes once in four times, and is the simplest`() {
    let values = Gen<Int?>.optional(.int(in: 0...9)).values(seed: 1, count: 2_000)
    // 500 expected with a deviation of 19.
    #expect(abs(values.count { $0 == nil } - 500) < 120)
    #expect(Gen<Int?>.optional(.int(in: 0...9)).simplest() == nil)
  }

  @Test func `zipped generators draw from left to right`() {
    let triple = Gen.zip(Gen<Int>.int(in: 5...9), Gen<String>.just("x"), Gen.bool)
    #expect(triple.simplest() == (5, "x", false))
  }

  indirect enum Tree: Sendable {
    case leaf(Int)
    case node(Tree, Tree)

    var depth: Int {
      switch self {
      case .leaf: 0
      case .node(let left, let right): 1 + max(left.depth, right.depth)
      }
    }

    var leaves: [Int] {
      switch self {
      case .leaf(let number): [number]
      case .node(let left, let right): left.leaves + right.leaves
      }
    }
  }

  static let trees = Gen<Tree>.recursive(Gen<Int>.int(in: 0...9).map { .leaf($0) }, depth: 4) { part in
    Gen.zip(part, part).map { .node($0, $1) }
  }

  @Test func `a recursive value reaches its depth and no more`() {
    #expect(Set(Self.trees.values(seed: 1, count: 500).map(\.depth)) == [0, 1, 2, 3, 4])
    #expect(Self.trees.simplest().leaves == [0])
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `a recursive value shrinks to a part of itself`(seed: UInt64) async {
    let found = await minimal(Self.trees, seed: seed) { $0.leaves.contains { $0 >= 5 } }
    #expect(found?.value.leaves == [5])
    #expect(found?.value.depth == 0)
  }

  @Test func `a negative depth is reported, and a leaf drawn`() throws {
    let tape = ChoiceTape()
    let generator = Gen<Int>.recursive(.just(3), depth: -1) { $0 }
    #expect(generator.draw(from: tape) == 3)
    #expect(
      try #require(tape.problems.first).summary == "Gen.recursive(_:depth:_:) was given the depth -1."
    )
  }
}
