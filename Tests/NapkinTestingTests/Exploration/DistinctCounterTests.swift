// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct DistinctCounterTests {
  @Test func `few are counted exactly, and each once`() {
    var counter = DistinctCounter()
    var random = SplitMix64(seed: 1)
    let hashes = (0..<10_000).map { _ in random.next() }
    for hash in hashes + hashes { counter.insert(hash) }
    #expect(counter.count == 10_000)
  }

  @Test func `many are estimated within two percent`() {
    var counter = DistinctCounter()
    var random = SplitMix64(seed: 2)
    for _ in 0..<400_000 { counter.insert(random.next()) }
    // The standard error is at most 0.4 percent, and the seed is fixed.
    #expect((392_000...408_000).contains(counter.count))
  }

  /// Draws from `count` hashes, as often as `times` says for each on average: e⁻ᵗⁱᵐᵉˢ of them stay undrawn.
  private static func draws(from count: UInt64, times: Int, seed: UInt64) -> DistinctCounter {
    var counter = DistinctCounter()
    var random = SplitMix64(seed: seed)
    for _ in 0..<Int(count) * times {
      var hash = SplitMix64(seed: random.next() % count)
      counter.insert(hash.next())
    }
    return counter
  }

  @Test func `the share of what was never seen is estimated within a tenth of it`() throws {
    // e⁻² is 13.5 percent; the standard error of 20,000 draws is 0.3 percent, and the seed is fixed.
    let few = try #require(Self.draws(from: 10_000, times: 2, seed: 3).unseen)
    #expect(abs(few - 0.1353) < 0.0135, "\(few)")
  }

  @Test func `where only a sample is kept the estimate is as good`() throws {
    let many = try #require(Self.draws(from: 200_000, times: 2, seed: 4).unseen)
    #expect(abs(many - 0.1353) < 0.0135, "\(many)")
  }

  @Test func `before anything was counted nothing is known`() {
    #expect(DistinctCounter().unseen == nil)
  }
}
