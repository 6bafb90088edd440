// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct SplitMix64Tests {
  @Test func `the numbers are those of the published algorithm`() {
    // The first five for seed 1234567, as other implementations of SplitMix64 give them.
    var generator = SplitMix64(seed: 1_234_567)
    let numbers = (0..<5).map { _ in generator.next() }
    #expect(
      numbers == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
      ]
    )
  }

  @Test(arguments: [2, 3, 7, 10, 13] as [UInt64])
  func `every number below a bound is equally likely`(bound: UInt64) {
    // Chi-squared with bound - 1 degrees of freedom: above mean + 6 deviations less than once in a million seeds.
    var generator = SplitMix64(seed: 42)
    var counts = [Double](repeating: 0, count: Int(bound))
    let draws = 20_000
    for _ in 0..<draws { counts[Int(generator.next(below: bound))] += 1 }
    let expected = Double(draws) / Double(bound)
    let chiSquared = counts.reduce(0) { $0 + ($1 - expected) * ($1 - expected) / expected }
    let freedom = Double(bound - 1)
    #expect(chiSquared < freedom + 6 * (2 * freedom).squareRoot() + 6)
  }

  @Test func `a bound that does not divide 2⁶⁴ has no bias`() {
    // With bound 3·2⁶² the multiply-shift alone would give every third value twice the odds: 1/2 instead of 1/3.
    var generator = SplitMix64(seed: 7)
    let bound: UInt64 = 3 << 62
    var thirds = 0
    for _ in 0..<9_000 where generator.next(below: bound) % 3 == 0 { thirds += 1 }
    // 3,000 are expected with a deviation of 45; 300 away is more than six deviations.
    #expect(abs(thirds - 3_000) < 300)
  }

  @Test func `a bound of one leaves nothing to draw`() {
    var generator = SplitMix64(seed: 1)
    #expect((0..<100).allSatisfy { _ in generator.next(below: 1) == 0 })
  }

  @Test func `neighbouring seeds do not share executions`() {
    var firsts: Set<UInt64> = []
    for seed in 0..<64 as Range<UInt64> {
      for index in 0..<64 as Range<UInt64> {
        var generator = SplitMix64(seed: seed, index: index)
        firsts.insert(generator.next())
      }
    }
    #expect(firsts.count == 64 * 64)
  }

  @Test func `a generator that was split off goes its own way`() {
    var generator = SplitMix64(seed: 5)
    var other = generator.split()
    let numbers = Set((0..<1_000).map { _ in generator.next() })
    #expect((0..<1_000).allSatisfy { _ in !numbers.contains(other.next()) })
  }

  @Test func `edgy draws reach small numbers and both ends and everything between`() {
    var generator = SplitMix64(seed: 3)
    let draws = (0..<4_000).map { _ in generator.next(below: 1_000, shape: .boundaryBiased) }
    // 1/8 below 16 and 1/64 at each end by design, 16/1000 by chance: 600 and 66 of 4,000 expected.
    #expect((450...750).contains(draws.count { $0 < 16 }))
    #expect(draws.count { $0 == 999 } > 25)
    #expect(draws.count { $0 == 998 } > 25)
    #expect(Set(draws.map { $0 / 100 }).count == 10)
    #expect(draws.allSatisfy { $0 < 1_000 })
  }
}
