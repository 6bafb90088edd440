// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct GenChoosingTests {
  enum Suit: CaseIterable, Sendable { case spades, hearts, clubs, diamonds }

  @Test func `elements are equally likely and the first is the simplest`() {
    let values = Gen<Suit>.allCases.values(seed: 1, count: 2_000)
    // 500 expected of each with a deviation of 19.
    #expect(Suit.allCases.allSatisfy { suit in abs(values.count { $0 == suit } - 500) < 120 })
    #expect(Gen<Suit>.allCases.simplest() == .spades)
    #expect(Gen<Character>.element(of: "xyz").simplest() == "x")
  }

  @Test func `a constant uses up no choice`() {
    let tape = ChoiceTape(then: .random(SplitMix64(seed: 1)))
    #expect(Gen.just(7).draw(from: tape) == 7)
    #expect(tape.recorded.count == 0)
  }

  @Test func `alternatives are equally likely and the first is the simplest`() {
    let generator = Gen<Int>.oneOf(.just(1), .int(in: 10...19))
    let values = generator.values(seed: 1, count: 2_000)
    #expect(abs(values.count { $0 == 1 } - 1_000) < 150)
    #expect(generator.simplest() == 1)
  }

  @Test func `weights are kept, and a weight of zero switches off`() {
    let values = Gen<Int>.frequency((1, .just(1)), (0, .just(2)), (3, .just(3))).values(seed: 1, count: 2_000)
    #expect(!values.contains(2))
    // 500 expected with a deviation of 19.
    #expect(abs(values.count { $0 == 1 } - 500) < 120)
  }

  @Test func `weights that add up to more than fits do no harm`() {
    let values = Gen<Int>.frequency((.max, .just(1)), (.max, .just(2)), (.max, .just(3))).values(seed: 1, count: 100)
    #expect(Set(values).isSuperset(of: [1, 2]))
  }

  @Test func `an empty collection is reported, and zero, nil or something empty drawn`() throws {
    let tape = ChoiceTape()
    #expect(Gen<Int>.element(of: []).draw(from: tape) == 0)
    #expect(Gen<Bool?>.element(of: []).draw(from: tape) == nil)
    #expect(Gen<Bool>.element(of: []).draw(from: tape) == false)
    #expect(Gen<String>.element(of: []).draw(from: tape) == "")
    #expect(Gen<[Int]>.element(of: []).draw(from: tape) == [])
    #expect(Gen<[Int: Int]>.element(of: []).draw(from: tape) == [:])
    #expect(Gen<Set<Int>>.element(of: []).draw(from: tape) == [])
    #expect(Gen<Suit>.element(of: []).draw(from: tape) == .spades)
    #expect(tape.problems.count == 8)
    #expect(
      try #require(tape.problems.first).description == """
        Gen.element(of:) was given an empty collection.
        Likely cause: a list that was computed came out empty.
        What to do: give it at least one element.
        """
    )
  }

  @Test func `no alternatives and no weights are reported with what was given`() throws {
    let tape = ChoiceTape()
    _ = Gen<Int>.oneOf([]).draw(from: tape)
    _ = Gen<Int>.frequency([]).draw(from: tape)
    #expect(Gen<Int>.frequency((0, .just(5)), (0, .just(6))).draw(from: tape) == 5)
    #expect(Gen<Int>.frequency((-2, .just(5)), (1, .just(6))).draw(from: tape) == 6)
    #expect(
      tape.problems.map(\.happened) == [
        "Gen.oneOf(_:) was given no generator.",
        "Gen.frequency(_:) was given no generator.",
        "Gen.frequency(_:) was given no weight above zero in [0, 0].",
        "Gen.frequency(_:) was given the weight -2.",
      ]
    )
  }

  final class Nothing: Sendable {}

  @Test func `a value that cannot be made up ends the process with the line of the call`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Gen<Nothing>.element(of: []).draw(from: ChoiceTape())
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("GenChoosingTests.swift:"))
    #expect(text.contains("Gen.element(of:) was given an empty collection."))
  }
}
