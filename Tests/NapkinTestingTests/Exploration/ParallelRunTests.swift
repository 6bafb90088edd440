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

  @Test func `an execution whose values a filter refused is discarded, and no failure`() async {
    let multiples = Gen<Int>.int(in: 1...999).filter { $0 % 7 == 0 }
    let result = await Explorer(executions: 200, strategy: .parallel, seed: 1).run {
      #expect(Execution.draw(multiples) % 7 == 0)
      Execution.label("any")
    }
    #expect(result.failure == nil)
    #expect(result.executions == 200)
    #expect(result.discardedExecutions > 0)
    #expect(result.labels["any"] == 200 - result.discardedExecutions)
  }

  @Test(arguments: [50, 1_000])
  func `threads fail where a filter refuses everything`(executions: Int) async {
    let result = await Explorer(executions: executions, strategy: .parallel).run {
      _ = Execution.draw(.int(in: 0...9).filter { $0 > 9 })
    }
    #expect(result.failure?.diagnostics.map(\.kind) == [.rejection])
    #expect(result.executions <= 100)
  }

  @Test func `threads keep to the time of a test`() async {
    let result = await Explorer(executions: 1_000_000, strategy: .parallel, time: .milliseconds(50)).run {}
    #expect((1..<1_000_000).contains(result.executions))
    #expect(result.failure == nil)
  }

  @Test func `threads run as many executions as the environment's time allows`() async {
    var settings = RunSettings()
    settings.timeBudget = .seconds(600)
    let runs = Mutex(0)
    let result = await Explorer(executions: 1, strategy: .parallel).adjusted(by: settings).run {
      let run = runs.withLock {
        $0 += 1
        return $0
      }
      #expect(run < 5)
    }
    #expect(result.failure?.execution == 5)
  }

  @Test func `shards on threads run each execution once between them`() async {
    let body: @Sendable () async throws -> Void = { Execution.label("\(Execution.draw(.int(in: 0...Int.max)))") }
    let whole = await Explorer(executions: 30, strategy: .parallel, seed: 1).run(body)
    var seen: [String: Int] = [:]
    for index in 0..<4 {
      var settings = RunSettings()
      settings.shard = RunSettings.Shard(index: index, count: 4)
      let part = await Explorer(executions: 30, strategy: .parallel, seed: 1).adjusted(by: settings).run(body)
      #expect((7...8).contains(part.executions))
      seen.merge(part.labels, uniquingKeysWith: +)
    }
    #expect(seen == whole.labels)
  }

  @Test func `threads run in this process, whatever the environment asks for`() async {
    var settings = RunSettings()
    (settings.isIsolated, settings.jobs) = (true, 4)
    let result = await Explorer(executions: 3, strategy: .parallel).adjusted(by: settings).run {}
    #expect(result.failure == nil && result.executions == 3 && result.warnings.isEmpty, "\(result)")
  }
}
