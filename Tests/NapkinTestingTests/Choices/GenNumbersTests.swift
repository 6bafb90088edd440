// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct GenNumbersTests {
  @Test func `true and false are equally likely, and false is the simpler`() {
    // 1,000 expected with a deviation of 22: 150 away is more than six deviations.
    #expect(abs(Gen.bool.values(seed: 2, count: 2_000).count { $0 } - 1_000) < 150)
    #expect(!Gen.bool.simplest())
  }

  @Test(arguments: [0...1, -1...1, 0.25...0.5, -3.5...100, 5...5, -2e300...1e300, 1e-9...2e-9, -7 ... -2, 0...0x1p60])
  func `a floating-point number stays in its range and starts nearest to zero`(range: ClosedRange<Double>) {
    let generator = Gen<Double>.double(in: range)
    let values = generator.values(seed: 3, count: 500)
    #expect(values.allSatisfy(range.contains))
    #expect(Set(values).count > (range.lowerBound == range.upperBound ? 0 : 200))
    #expect(
      generator.simplest() == (range.contains(0) ? 0 : range.lowerBound > 0 ? range.lowerBound : range.upperBound))
  }

  @Test func `a floating-point number reaches both ends and both halves evenly`() {
    let values = Gen<Double>.double(in: -10...10).values(seed: 4, count: 2_000)
    #expect(values.contains(10))
    #expect(values.contains(-10))
    // 1,000 expected with a deviation of 22.
    #expect(abs(values.count { $0 < 0 } - 1_000) < 150)
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `a floating-point number shrinks to a whole one or a short fraction`(seed: UInt64) async {
    let generator = Gen<Double>.double(in: -1_000...1_000)
    #expect(await minimal(generator, seed: seed) { $0 >= 12.3 }?.value == 13)
    #expect(await minimal(generator, seed: seed) { $0 > 12 && $0 < 13 }?.value == 12.5)
    #expect(await minimal(generator, seed: seed) { $0 <= -7 }?.value == -7)
  }

  @Test func `an infinite range is reported and the largest finite number drawn instead`() throws {
    let tape = ChoiceTape(then: .random(SplitMix64(seed: 1)))
    #expect(Gen<Double>.double(in: 0 ... .infinity).draw(from: tape).isFinite)
    #expect(
      try #require(tape.problems.first).description == """
        Gen.double(in:) was given the infinite range 0.0...inf.
        Likely cause: the range is meant to contain every number, and infinity is a value of Double.
        What to do: pass finite bounds, and add infinity with .oneOf(_:) if it is wanted.
        """
    )
  }

  @Test func `a duration is drawn in whole milliseconds, or in the unit of its range`() {
    let seconds = Gen<Duration>.duration(in: .zero ... .seconds(5))
    #expect(seconds.values(seed: 1, count: 300).allSatisfy { $0.attoseconds % 1_000_000_000_000_000 == 0 })
    #expect(seconds.simplest() == .zero)
    let micro = Gen<Duration>.duration(in: .microseconds(3) ... .milliseconds(2))
    #expect(micro.simplest() == .microseconds(3))
    #expect(Set(micro.values(seed: 1, count: 300)).count > 100)
    #expect(Gen<Duration>.duration(in: .nanoseconds(-1) ... .seconds(1 << 62)).simplest() == .zero)
  }
}
