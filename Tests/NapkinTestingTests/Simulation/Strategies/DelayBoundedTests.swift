// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct DelayBoundedTests {
  @Test func `without delays all executions are first come, first served`() async {
    let tally = Tally()
    let result = await Explorer(executions: 20, strategy: .delayBounded(0)).run(stepping([2, 2, 2], into: tally))
    #expect(tally.outcomes == ["ABCABC"])
    #expect(result.distinctSchedules == 1)
  }

  /// A delayed job goes to the end: with one delay at one of the choices there is one schedule each at most.
  @Test func `one delay makes as many schedules as there are choices`() async {
    let tally = Tally()
    _ = await Explorer(executions: 500, strategy: .delayBounded(1), seed: 1).run(stepping([1, 1, 1, 1], into: tally))
    #expect(tally.outcomes.isSubset(of: ["ABCD", "BCDA", "ACDB", "ABDC"]))
    #expect(tally.outcomes.isSuperset(of: ["BCDA", "ACDB", "ABDC"]))
  }
}
