// SPDX-License-Identifier: Apache-2.0

@_spi(Benchmarks) import NapkinTesting
import Testing

@Suite struct FairnessTests {
  @Test(arguments: [
    Explorer.Strategy.random, .pct(depth: 3), .pos, .surw, .guided, .fifo, .portfolio,
  ])
  func `tasks that wait in a loop do not keep out the one that they wait for`(_ strategy: Explorer.Strategy) async {
    let result = await Explorer(executions: 100, strategy: strategy, seed: 1, shrinks: false).run {
      let isDone = Variable(false)
      var tasks = (0..<2).map { _ in
        Task<Void, any Error> { while await !isDone.get() { await Task.yield() } }
      }
      tasks.append(
        Task {
          await hop(3)
          await isDone.set(true)
        }
      )
      try await finish(tasks)
    }
    #expect(result.failure == nil)
  }
  /// SURW holds the second task where it has drawn that the first enters next, which it cannot yet.
  @Test func `a task that waits in a loop does not block one that may not enter before it`() async {
    let result = await Explorer(executions: 100, strategy: .surw, seed: 1, shrinks: false).run {
      let visits = Variable(0)
      let steps = Steps()
      try await finish([
        Task {
          while steps.text.isEmpty { await Task.yield() }
          await visits.add(1)
        },
        Task {
          await visits.add(1)
          steps.take("B")
          await hop(3)
        },
      ])
    }
    #expect(result.failure == nil)
  }
}
