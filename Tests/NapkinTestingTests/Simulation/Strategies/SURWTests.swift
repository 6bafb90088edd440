// SPDX-License-Identifier: Apache-2.0

@_spi(Benchmarks) import NapkinTesting
import Testing

@Suite struct SURWTests {
  /// Two tasks that enter an actor three times each do so in 6! / (3! · 3!) = 20 orders.
  ///
  /// Of 4,000 executions 200 fall on each, with a standard deviation of 14; the bounds are more than five of them away.
  @Test(.enabled(if: YardstickProgram.haveAllHops, "an optimised build merges hops, and each enters once"))
  func `all orders of entering an actor are equally likely`() async {
    let tally = Tally()
    _ = await Explorer(executions: 4_000, strategy: .surw, seed: 1).run {
      let visitors = Visitors()
      let tasks = "AB".map { name in
        Task { for _ in 0..<3 { await visitors.enter(String(name)) } }
      }
      for task in tasks { await task.value }
      tally.count(visitors.steps.text)
    }
    #expect(tally.counts.count == 20)
    #expect(tally.counts.allSatisfy { 125...285 ~= $0 }, "\(tally.counts)")
  }
}

private actor Visitors {
  nonisolated let steps = Steps()

  func enter(_ name: String) { steps.take(name) }
}
