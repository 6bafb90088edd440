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
}
