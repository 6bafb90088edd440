// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct FIFOTests {
  @Test func `the job that is ready first runs first`() async {
    let tally = Tally()
    let result = await Explorer(executions: 5, strategy: .fifo).run(stepping([2, 1, 2], into: tally))
    #expect(tally.outcomes == ["ABCAC"])
    #expect(result.distinctSchedules == 1)
  }
}
