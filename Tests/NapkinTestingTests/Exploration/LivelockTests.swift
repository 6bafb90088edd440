// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

private actor Signal {
  var isUp = false
}

@Suite struct LivelockTests {
  // Without a bound on the log, and with rows that were copied at each step, this took some minutes.
  @Test func `a livelock that alternates between an actor and the pool is reported soon`() async throws {
    let clock = ContinuousClock()
    let begin = clock.now
    let result = await Explorer(executions: 1_000, seed: 1).run {
      let signal = Signal()
      while await !signal.isUp { await Task.yield() }
    }
    let failure = try #require(result.failure)
    let (report, page) = (failure.report, failure.htmlReport(title: "livelock"))
    #expect(clock.now - begin < .seconds(20))
    #expect(report.hasPrefix("Livelock: 200000 jobs have run"))
    #expect(report.contains("runs › Signal › … › Signal › runs ×2"))
    #expect(report.contains("140,000 more events"))
    #expect(page.contains("Livelock"))
  }

  @Test func `a log keeps its first and last events, and what decides between them`() {
    var log = EventLog()
    for step in 1...100_000 {
      let rank = step == 50_000 ? 1 : 0
      log.append(.ran(.global, rank: rank, ready: 2), step: step, time: .zero, task: step % 2)
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
