// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Synchronization
import Testing

private actor Kitchen {
  private var waiting = 0
  private(set) var longest = 0

  func order() {
    waiting += 1
    longest = max(longest, waiting)
  }

  func serve() { waiting -= 1 }
}

@Suite struct GuidedTests {
  /// Eight digits have a sum of 68 or more once in 200,000 times, if they are drawn evenly; seeds 1 to 10.
  @Test func `a target pulls what is drawn`() async {
    func found(_ strategy: Explorer.Strategy, targeted: Bool) async -> Int {
      var found = 0
      for seed in 1...10 {
        let result = await Explorer(executions: 1_000, strategy: strategy, seed: UInt64(seed), shrinks: false).run {
          let sum = (0..<8).map { _ in Execution.draw(.int(in: 0...9)) }.reduce(0, +)
          if targeted { Execution.target(sum) }
          try demand(sum < 68, "the sum is \(sum)")
        }
        if result.failure != nil { found += 1 }
      }
      return found
    }
    #expect(await found(.guided, targeted: true) == 10)
    #expect(await found(.portfolio, targeted: true) == 10)
    #expect(await found(.portfolio, targeted: false) == 0)
  }

  /// Twelve guests, one long after the other; how many of their orders wait at once, over five seeds.
  @Test func `a target pulls the schedule`() async {
    func longest(targeted: Bool) async -> Int {
      var sum = 0
      for seed in 1...5 {
        let longest = Mutex(0)
        _ = await Explorer(executions: 400, strategy: .guided, seed: UInt64(seed)).run {
          let kitchen = Kitchen()
          try await finish(
            (0..<12).map { guest in
              Task {
                await hop(6 * guest)
                await kitchen.order()
                await hop()
                await kitchen.serve()
              }
            })
          let most = await kitchen.longest
          if targeted { Execution.target(most) }
          longest.withLock { $0 = max($0, most) }
        }
        sum += longest.withLock { $0 }
      }
      return sum
    }
    let (pulled, free) = (await longest(targeted: true), await longest(targeted: false))
    #expect(pulled >= free + 5, "\(pulled) with a target, \(free) without")
  }

  @Test func `what was learned is the same with the same seed`() async {
    func run() async -> [String] {
      let orders = Mutex<[String]>([])
      _ = await Explorer(executions: 300, strategy: .guided, seed: 4).run {
        let steps = Steps()
        let shared = Variable(0)
        let number = Execution.draw(.int(in: 0...9))
        try await finish(
          "ABC".map { name in
            Task {
              for _ in 0..<3 {
                await shared.add(number)
                steps.take("\(name)")
              }
            }
          })
        Execution.target(steps.text.prefix(4).count { $0 == "C" } + number)
        orders.withLock { $0.append("\(steps.text) \(number)") }
      }
      return orders.withLock { $0 }
    }
    let first = await run()
    #expect(Set(first).count > 50)
    #expect(await run() == first)
  }

  @Test func `what it finds is replayed by the token alone`() async throws {
    let body = YardstickProgram.philosophers.body
    let failure = try #require(await Explorer(executions: 1_000, strategy: .guided, seed: 1).run(body).failure)
    // Shrunk once more, it may come to another failure that is as small.
    let replay = await Explorer(strategy: .replay(failure.schedule), shrinks: false).run(body)
    #expect(replay.failure?.schedule == failure.schedule)
    #expect(replay.failure?.messages == failure.messages)
    #expect(replay.warnings.isEmpty)
  }

  @Test func `a number that is none is reported at its line`() async {
    let line = #line + 2
    let result = await Explorer(executions: 1).run {
      Execution.target(.nan)
    }
    #expect(result.failure?.messages.first?.contains("Execution.target(nan)") == true)
    #expect(result.failure?.diagnostics.first?.sourceLocation?.line == line)
  }
}
