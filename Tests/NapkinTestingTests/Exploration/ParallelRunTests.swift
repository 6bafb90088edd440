// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Synchronization
import Testing

@Suite struct ParallelRunTests {
  private actor Counter {
    private(set) var value = 0
    func increment() { value += 1 }
  }

  @Test func `a sound body passes on the thread pool as often as asked`() async {
    let runs = Mutex(0)
    let result = await Explorer(executions: 50, strategy: .parallel).run {
      runs.withLock { $0 += 1 }
      let counter = Counter()
      await withTaskGroup { group in
        for _ in 0..<3 { group.addTask { await counter.increment() } }
      }
      #expect(await counter.value == 3)
    }
    #expect(result.failure == nil)
    #expect(result.executions == 50)
    #expect(runs.withLock { $0 } == 50)
  }

  @Test func `nothing is simulated on the thread pool`() async {
    let result = await Explorer(executions: 1, strategy: .parallel).run { #expect(!Execution.isSimulated) }
    #expect(result.failure == nil)
  }

  @Test func `a failure on the thread pool reports what was drawn, and cannot be replayed`() async throws {
    let result = await Explorer(executions: 10, strategy: .parallel, seed: 1).run {
      let number = Execution.draw(.int(in: 5...9), "number")
      try #require(number < 5)
    }
    let failure = try #require(result.failure)
    #expect(failure.schedule.isEmpty)
    #expect(failure.messages.contains { $0.hasPrefix("Drawn: number = ") })
  }
}
