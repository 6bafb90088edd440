// SPDX-License-Identifier: Apache-2.0

import Foundation
import NapkinTesting
import Synchronization
import Testing

private actor Signal {
  var isUp = false
  private(set) var first: String?

  func claim(_ name: String) { first = first ?? name }
}

@Suite struct LivelockTests {
  @Test func `a livelock that alternates between an actor and the pool is reported`() async throws {
    let result = await Explorer(executions: 1_000, seed: 1).run {
      let signal = Signal()
      while await !signal.isUp { await Task.yield() }
    }
    let failure = try #require(result.failure)
    let report = failure.report
    #expect(report.hasPrefix("Livelock: 200000 jobs have run"))
    #expect(report.contains("runs › Signal › … › Signal › runs ×2"))
    #expect(report.contains("140,000 more events"))
    #expect(failure.htmlReport(title: "livelock").contains("Livelock"))
  }

  @Test func `all steps of a livelock run once to find it, and once to show it`() async throws {
    let rounds = Mutex(0)
    let result = await Explorer(executions: 5, strategy: .random, seed: 1).run {
      let signal = Signal()
      async let other: Void = Task.yield()
      while await !signal.isUp {
        rounds.withLock { $0 += 1 }
        await Task.yield()
      }
      await other
    }
    let failure = try #require(result.failure)
    // Each round has four steps; an execution that shrinking tries has a tenth of the rounds.
    let whole = 200_000 / 4
    let tried = failure.shrinking.executions * whole / 10
    #expect(rounds.withLock { $0 } < 2 * whole + tried + whole / 2)
  }

  @Test func `the token of a livelock that needs an order replays it`() async throws {
    let body = { @Sendable in
      let signal = Signal()
      async let one: Void = signal.claim("one")
      async let two: Void = signal.claim("two")
      _ = await (one, two)
      while await signal.first == "two" { await Task.yield() }
    }
    // Twice as many as its log keeps.
    let steps = 40_000
    for strategy in [Explorer.Strategy.random, .pct(depth: 3), .portfolio] {
      let explorer = Explorer(executions: 100, strategy: strategy, seed: 1, steps: steps)
      let failure = try #require(await explorer.run(body).failure)
      #expect(failure.deviations == 1)
      let replay = Explorer(executions: 1, strategy: .replay(failure.schedule), shrinks: false, steps: steps)
      let again = await replay.run(body)
      #expect(again.failure?.messages.first == failure.messages.first)
      #expect(again.failure?.log.events.count == failure.log.events.count)
    }
  }

  /// The processor time of a timeline of one task that alternates between two places; the least of three.
  private func cost(ofSteps count: Int) -> Int {
    var log = EventLog()
    for step in 1...count {
      log.append(.ran(step % 2 == 0 ? .main : .global, rank: 0, ready: 1), step: step, time: .zero, task: 0)
    }
    return (0..<3).map { _ in
      let start = processorTime()
      #expect(Story(of: log).rows.count == 1)
      return processorTime() - start
    }.min()!
  }

  private func processorTime() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  // Linear is four times as much; with rows that were copied at each step it was sixteen times.
  @Test func `four times the steps of a task cost no more than eight times as much`() {
    #expect(cost(ofSteps: 8_000) < 8 * cost(ofSteps: 2_000))
  }

  @Test func `the time of an exploration ends an execution that goes on and on`() async throws {
    let result = await Explorer(executions: 10, steps: .max, time: .milliseconds(200)).run {
      while true { await Task.yield() }
    }
    #expect(result.failure == nil)
    #expect(result.executions == 1)
    let warning = try #require(result.warnings.first)
    #expect(warning.hasPrefix("The time of the exploration was over when an execution had run "))
  }

  @Test func `a log keeps its first and last events, and what decides between them`() {
    var log = EventLog()
    for step in 1...100_000 {
      let rank = step == 50_000 ? 1 : 0
      log.append(.ran(.global, rank: rank, ready: 2), step: step, time: .zero, task: step.nonzeroBitCount % 2)
      if step == 60_000 { log.append(.issue("seen"), step: step, time: .zero, task: 0) }
    }
    #expect(log.events.count < 14_100)
    #expect(log.events.reduce(0) { $0 + $1.count } == 100_001)
    #expect(log.events.prefix(8_000).map(\.step) == Array(1...8_000))
    #expect(log.events.suffix(2_000).map(\.step) == Array(98_001...100_000))
    #expect(log.events.contains { $0.step == 50_000 })
    #expect(log.events.contains { $0.kind == .issue("seen") })
    let rows = Story(of: log).rows
    #expect(rows.count { $0.text.hasPrefix("… ") } == 1)
  }
}
