// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct UniformTests {
  /// A task of two steps and one of six interleave in 8! / (2! · 6!) = 28 ways.
  ///
  /// Of 5,600 executions 200 fall on each, with a standard deviation of 14; the bounds are more than five of them away.
  @Test func `all interleavings of a short and a long task are equally likely`() async {
    let tally = Tally()
    _ = await Explorer(executions: 5_600, strategy: .uniform, seed: 1).run(stepping([2, 6], into: tally))
    #expect(tally.counts.count == 28)
    #expect(tally.counts.allSatisfy { 125...285 ~= $0 }, "\(tally.counts)")
  }
}
