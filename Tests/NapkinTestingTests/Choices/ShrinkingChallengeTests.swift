// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

/// The challenges of https://github.com/jlink/shrinking-challenge, each from twelve seeds: every one has to come down to
/// the one minimal value, whatever it started from.
@Suite struct ShrinkingChallengeTests {
  static let seeds = 1...12 as ClosedRange<UInt64>
  static let integers = Gen<[Int]>.array(of: .int(in: -1_000...1_000), count: 0...20)

  @Test(arguments: seeds) func `an array with a number of 500 or more shrinks to that number`(seed: UInt64) async {
    let found = await minimal(.array(of: .int(in: 0...1_000), count: 0...20), seed: seed) {
      !$0.allSatisfy { $0 < 500 }
    }
    #expect(found?.value == [500])
  }

  @Test(arguments: seeds) func `five lists that overflow together shrink to two numbers`(seed: UInt64) async {
    let list = Gen<[Int16]>.array(of: .int(in: .min ... .max), count: 0...10)
    let found = await minimal(.array(of: list, count: 5), seed: seed) { lists in
      let sums = lists.map { $0.reduce(0, &+) }
      return sums.allSatisfy { $0 < 256 } && sums.reduce(0, &+) >= 5 * 256
    }
    #expect(found?.value == [[], [], [], [-1], [.min]])
  }

  @Test(arguments: seeds) func `a list that differs from its reverse shrinks to two numbers`(seed: UInt64) async {
    let found = await minimal(Self.integers, seed: seed) { $0.reversed() != $0 }
    #expect(found?.value == [0, 1])
  }

  @Test(arguments: seeds) func `three distinct numbers shrink to the three simplest`(seed: UInt64) async {
    let found = await minimal(Self.integers, seed: seed) { Set($0).count >= 3 }
    #expect(found?.value == [0, 1, -1])
  }

  @Test(arguments: seeds) func `nested lists shrink to one list`(seed: UInt64) async {
    let lists = Gen<[[Int]]>.array(of: Self.integers, count: 0...20)
    let found = await minimal(lists, seed: seed) { $0.map(\.count).reduce(0, +) > 10 }
    #expect(found?.value == [Array(repeating: 0, count: 11)])
  }

  @Test(arguments: seeds) func `a list whose length was drawn first shrinks to one number`(seed: UInt64) async {
    let lists = Gen<Int>.int(in: 1...100).flatMap { .array(of: .int(in: 0...1_000), count: $0) }
    let found = await minimal(lists, seed: seed) { ($0.max() ?? 0) >= 900 }
    #expect(found?.value == [900])
  }

  @Test(arguments: seeds) func `many distinct numbers in many lists shrink to one list of five`(seed: UInt64) async {
    let lists = Gen<[[Int]]>.array(of: Self.integers, count: 0...10)
    let found = await minimal(lists, seed: seed) { Set($0.joined()).count > 4 }
    #expect(found?.value == [[0, 1, -1, 2, -2]])
  }

  @Test(arguments: seeds) func `a list with a number and its double shrinks both together`(seed: UInt64) async {
    let found = await minimal(Gen.zip(Self.integers, Gen<Int>.int(in: -1_000...1_000)), seed: seed) { list, number in
      var rest = list
      guard let index = rest.firstIndex(of: number) else { return false }
      rest.remove(at: index)
      return rest.contains(number)
    }
    #expect(found?.value.0 == [0, 0])
    #expect(found?.value.1 == 0)
  }

  @Test(arguments: seeds) func `two indices that point at each other shrink to the first two`(seed: UInt64) async {
    let found = await minimal(.array(of: Gen<Int>.int(in: 0...10), count: 0...20), seed: seed) { list in
      list.allSatisfy { $0 < list.count }
        && list.indices.contains { list[$0] != $0 && list[list[$0]] == $0 }
    }
    #expect(found?.value == [1, 0])
  }

  @Test(arguments: seeds, [(0...0, 10), (1...4, 6), (1...1, 9)])
  func `two numbers whose difference matters shrink together`(
    seed: UInt64,
    challenge: (difference: ClosedRange<Int>, second: Int)
  ) async {
    let pair = Gen.zip(Gen<Int>.int(in: 1...1_000), Gen<Int>.int(in: 1...1_000))
    let found = await minimal(pair, seed: seed, tries: 50_000) { first, second in
      first >= 10 && challenge.difference.contains(abs(first - second))
    }
    #expect(found?.value.0 == 10)
    #expect(found?.value.1 == challenge.second)
  }

  indirect enum Expression: Equatable, Sendable {
    case number(Int)
    case sum(Expression, Expression)
    case quotient(Expression, Expression)

    /// Nil after a division by zero.
    var value: Int? {
      switch self {
      case .number(let number): number
      case .sum(let left, let right): left.value.flatMap { left in right.value.map { left &+ $0 } }
      case .quotient(let left, let right):
        left.value.flatMap { left in right.value.flatMap { $0 == 0 ? nil : left / $0 } }
      }
    }

    var dividesByLiteralZero: Bool {
      switch self {
      case .number: false
      case .sum(let left, let right): left.dividesByLiteralZero || right.dividesByLiteralZero
      case .quotient(let left, let right):
        right == .number(0) || left.dividesByLiteralZero || right.dividesByLiteralZero
      }
    }
  }

  @Test(arguments: seeds) func `a hidden division by zero shrinks to the smallest one`(seed: UInt64) async {
    let expressions = Gen<Expression>.recursive(Gen<Int>.int(in: -100...100).map { .number($0) }) { part in
      .oneOf(
        Gen.zip(part, part).map { .sum($0, $1) },
        Gen.zip(part, part).map { .quotient($0, $1) }
      )
    }
    let found = await minimal(expressions, seed: seed) { $0.value == nil && !$0.dividesByLiteralZero }
    #expect(found?.value == .quotient(.number(0), .sum(.number(0), .number(0))))
  }

  @Test(arguments: 0..<20 as Range<UInt64>) func `what holds for every seventh number shrinks to its least ones`(
    seed: UInt64
  ) async throws {
    let pairs = Gen<[Int]>.array(of: .int(in: 0...1_000), count: 2...2)
    let equal = try #require(
      await minimal(pairs, seed: seed) { numbers in numbers.allSatisfy { $0 % 7 == 3 } })
    #expect(equal.value == [3, 3])
    let distinct = try #require(
      await minimal(pairs, seed: seed) { numbers in numbers.allSatisfy { $0 % 7 == 3 } && numbers[0] < numbers[1] })
    #expect(distinct.value == [3, 10])
  }
}
