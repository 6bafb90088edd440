// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct ReadyQueueTests {
  /// Runs a given number of tasks that are all ready at once, and twice in a row, and returns in which order they ran.
  private func order(of count: Int, _ strategy: Explorer.Strategy) async -> [Int] {
    let ran = Recorder<Int>()
    let result = await Explorer(executions: 1, strategy: strategy, seed: 7).run {
      for round in 0..<2 {
        let tasks = (0..<count).map { number in
          Task { ran.record(round * count + number) }
        }
        for task in tasks { await task.value }
      }
    }
    #expect(result.failure == nil)
    return ran.events
  }

  @Test(arguments: [1, 63, 64, 65, 500])
  func `tasks of any number run in the order in which they became ready`(_ count: Int) async {
    #expect(await order(of: count, .fifo) == Array(0..<2 * count))
  }

  @Test(arguments: [Explorer.Strategy.random, .pct(depth: 3), .pos])
  func `each of many tasks runs once, in whatever order it is picked`(_ strategy: Explorer.Strategy) async {
    let order = await order(of: 500, strategy)
    #expect(order != Array(0..<1_000))
    #expect(order.sorted() == Array(0..<1_000))
  }
}
