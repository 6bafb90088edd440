// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct ExhaustiveTests {
  /// The multinomial coefficients: (3 + 3)! / (3! · 3!), (2 + 2 + 2)! / (2! · 2! · 2!), 4!, (1 + 5)! / 5!.
  @Test(arguments: [([3, 3], 20), ([2, 2, 2], 90), ([1, 1, 1, 1], 24), ([1, 5], 6)])
  func `every interleaving is run`(lengths: [Int], orders: Int) async {
    let tally = Tally()
    let result = await Explorer(executions: 20_000, strategy: .exhaustive()).run(stepping(lengths, into: tally))
    #expect(tally.outcomes.count == orders)
    #expect(result.isExhaustive)
    #expect(result.distinctSchedules == result.executions)
  }

  /// Two tasks of three steps: one after the other in 2 orders; with one preemption either is cut in one of two places.
  @Test(arguments: [(0, 2), (1, 6), (5, 20)])
  func `a bound on preemptions leaves out what needs more`(preemptions: Int, orders: Int) async {
    let tally = Tally()
    let strategy = Explorer.Strategy.exhaustive(preemptions: preemptions)
    let result = await Explorer(executions: 20_000, strategy: strategy).run(stepping([3, 3], into: tally))
    #expect(tally.outcomes.count == orders)
    #expect(result.isExhaustive)
  }

  @Test func `an exploration that was cut short is not exhaustive`() async {
    let result = await Explorer(executions: 10, strategy: .exhaustive()).run(stepping([3, 3], into: Tally()))
    #expect(!result.isExhaustive)
  }
}
