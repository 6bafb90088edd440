// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct POSTests {
  /// A task that must rest while another one takes a dozen steps: its one priority has to be the lowest of about 25,
  /// while a random walk would have to leave it alone 24 times in a row.
  @Sendable private static func rest() async throws {
    let here = Variable(0)
    let there = Variable(0)
    try await finish([
      Task {
        await here.add(1)
        let steps = await there.get()
        try demand(steps != 12, "rested")
      },
      Task { for _ in 0..<12 { await there.add(1) } },
    ])
  }

  /// Once in about 50 executions; ten seeds would all need more than 500 with a probability of 1 in 20,000 a seed.
  @Test func `a task can rest while another one gets far`() async {
    for seed in 1...10 as ClosedRange<UInt64> {
      let result = await Explorer(executions: 500, strategy: .pos, seed: seed, shrinks: false).run(Self.rest)
      #expect(result.failure != nil, "seed \(seed)")
    }
  }

  @Test(.enabled(if: YardstickProgram.haveAllHops, "an optimised build merges hops, and the rest is shorter"))
  func `a random walk does not let it`() async {
    #expect(await Explorer(executions: 2_000, strategy: .random, seed: 1).run(Self.rest).failure == nil)
  }
}
