// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct GenIntegersTests {
  /// The values that the numbers 0, 1, 2, … make.
  static func order<Value>(_ generator: Gen<Value>, _ count: UInt64) -> [Value] {
    (0..<count).map { index in
      let choice = Choice(value: index, bound: Choice.unlimited)
      return generator.draw(from: ChoiceTape(replaying: ChoiceSequence(data: [choice])))
    }
  }

  @Test func `integers come in the order of their distance from zero, the positive first`() {
    #expect(Self.order(Gen<Int>.int(in: -2...4), 7) == [0, 1, -1, 2, -2, 3, 4])
    #expect(Self.order(Gen<Int>.int(in: -4...1), 6) == [0, 1, -1, -2, -3, -4])
    #expect(Self.order(Gen<Int>.int(in: 3...6), 4) == [3, 4, 5, 6])
    #expect(Self.order(Gen<Int>.int(in: -6 ... -3), 4) == [-3, -4, -5, -6])
    #expect(Self.order(Gen<UInt8>.int(in: 0..<3), 3) == [0, 1, 2])
  }

  @Test func `every integer of a byte comes from exactly one number`() {
    let bytes = Self.order(Gen<Int8>.int(in: .min ... .max), 256)
    #expect(Set(bytes).count == 256)
    #expect(bytes.last == .min)
  }

  @Test func `the widest ranges of every type stay within themselves`() {
    func check<Value: FixedWidthInteger & Sendable>(_ range: ClosedRange<Value>) {
      let generator = Gen<Value>.int(in: range)
      #expect(
        generator.simplest() == (range.contains(0) ? 0 : range.lowerBound > 0 ? range.lowerBound : range.upperBound))
      let values = generator.values(seed: 5, count: 2_000)
      #expect(values.allSatisfy(range.contains))
      // Each end has the odds 1 in 64 or more, so it is missed in 2,000 draws less than once in 10¹³.
      if range.lowerBound != range.upperBound && Value.bitWidth <= 64 {
        #expect(values.contains(range.upperBound))
        #expect(values.contains(range.lowerBound))
      }
    }
    check(Int8.min ... .max)
    check(UInt16.min ... .max)
    check(Int64.min ... .max)
    check(UInt64.min ... .max)
    check(UInt64.max - 1 ... .max)
    check(Int64.min ... -1)
    check(Int128.min ... .max)
    check(UInt128.min ... .max)
    check(Int128.min ... -(1 << 70))
    check(Int128(-3)...5)
    check(7...7)
  }

  @Test func `a range of 2⁶⁴ integers reaches its middle too`() {
    let values = Gen<Int>.int(in: .min ... .max).values(seed: 9, count: 400)
    #expect(Set(values.map { $0 >> 60 }).count == 16)
  }

  #if os(macOS) || os(Linux)
  @Test func `an empty range stops the process at its construction, with the caller's line`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { makeEmpty() }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("Gen.int(in:) was given the empty range 4..<4."))
    #expect(text.contains("GenIntegersTests.swift:\(emptyLine):"))
  }
  #endif

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `an integer shrinks to the one nearest to zero that fails`(seed: UInt64) async {
    let wide = Gen<Int>.int(in: .min ... .max)
    #expect(await minimal(wide, seed: seed) { $0 >= 12_345 }?.value == 12_345)
    #expect(await minimal(wide, seed: seed) { $0 <= -12_345 }?.value == -12_345)
    #expect(await minimal(wide, seed: seed) { abs($0 / 2) >= 500 }?.value == 1_000)
    #expect(await minimal(Gen<Int128>.int(in: .min ... .max), seed: seed) { $0 < -(1 << 80) }?.value == -(1 << 80) - 1)
  }
}

// Outside of the macro, which moves the lines of its closure.
private func makeEmpty() { _ = Gen<Int>.int(in: 4..<4) }
private let emptyLine = #line - 1
