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

  @Test func `a negative weight is reported and counts as zero`() throws {
    let tape = ChoiceTape()
    #expect(Gen<Int>.frequency((-2, .just(5)), (1, .just(6))).draw(from: tape) == 6)
    #expect(
      try #require(tape.problems.first).description == """
        Gen.frequency(_:) was given the weight -2.
        Likely cause: a computed weight is negative.
        What to do: pass a weight of zero or more; zero switches an alternative off.
        """
    )
  }

  #if os(macOS) || os(Linux)
  private func text(_ result: ExitTest.Result?) throws -> String {
    String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
  }

  @Test func `an empty collection stops the process when it is made, with the caller's line`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { makeEmpty() }
    #expect(try text(result).contains("GenChoosingTests.swift:\(emptyLine):"))
    #expect(
      try text(result).contains(
        """
        Gen.element(of:) was given an empty collection.
        Likely cause: a computed list is empty.
        What to do: pass at least one element.
        """))
  }

  @Test func `no alternative and no weight above zero stop the process at the construction`() async throws {
    let none = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Gen<Int>.oneOf([])
    }
    #expect(try text(none).contains("Gen.oneOf(_:) was given no generator."))
    let empty = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Gen<Int>.frequency([])
    }
    #expect(try text(empty).contains("Gen.frequency(_:) was given no generator."))
    let zeros = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Gen<Int>.frequency((0, .just(5)), (0, .just(6)))
    }
    #expect(try text(zeros).contains("Gen.frequency(_:) was given no weight above zero in [0, 0]."))
  }
  #endif
}

// Outside of the macro, which moves the lines of its closure.
private func makeEmpty() { _ = Gen<Int>.element(of: []) }
private let emptyLine = #line - 1
