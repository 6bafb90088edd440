// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct PortfolioTests {
  /// Ten tasks that all come before the last, and one order in 70: the walk never finds the first, and PCT never the second.
  @Test func `it finds what some of its members do not`() async {
    let explorer = Explorer(executions: 1_000, strategy: .portfolio, seed: 1, shrinks: false)
    let reordered = YardstickProgram.reorder(10).body
    #expect(await explorer.run(reordered).failure != nil)
    #expect(await Explorer(executions: 1_000, strategy: .random, seed: 1).run(reordered).failure == nil)
    let alternating = { @Sendable () async throws in
      let steps = Steps()
      let tasks = "AB".map { name in
        Task {
          for step in 0..<4 {
            if step > 0 { await Task.yield() }
            steps.take(String(name))
          }
        }
      }
      for task in tasks { await task.value }
      try demand(steps.text != "BABABABA", "alternated")
    }
    #expect(await explorer.run(alternating).failure != nil)
    #expect(await Explorer(executions: 1_000, strategy: .pct(depth: 3), seed: 1).run(alternating).failure == nil)
  }
}
