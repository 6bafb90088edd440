// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

@Suite struct LabelTests {
  private actor Register {
    private(set) var order: [Int] = []
    func enter(_ number: Int) { order.append(number) }
  }

  /// Two tasks that enter an actor in either order.
  @Sendable private static func race() async -> [Int] {
    let register = Register()
    let tasks = [1, 2].map { number in Task { await register.enter(number) } }
    for task in tasks { await task.value }
    return await register.order
  }

  @Test func `a label counts each execution once`() async {
    let result = await Explorer(executions: 100).run {
      Execution.label("any")
      Execution.label("any")
      if await Self.race() == [2, 1] { Execution.label("reversed") }
    }
    #expect(result.labels["any"] == 100)
    #expect((10...90).contains(result.labels["reversed"] ?? 0))
    #expect("\(result)".contains("any: 100 executions, 100 %"))
  }

  @Test func `a condition that holds once is enough`() async {
    let result = await Explorer(executions: 100).run {
      Execution.sometimes("reversed", await Self.race() == [2, 1])
    }
    #expect(result.failure == nil)
    #expect(result.labels["reversed"] ?? 0 > 0)
  }

  @Test func `a condition that never holds fails the exploration at its line`() async throws {
    let result = await Explorer(executions: 100).run {
      Execution.sometimes("three", await Self.race().count == 3)
    }
    let line = #line - 2
    let failure = try #require(result.failure)
    #expect(failure.diagnostics.first?.kind == .unmetGoal)
    #expect(failure.diagnostics.first?.sourceLocation?.line == line)
    #expect(failure.messages.first?.hasPrefix("Never true in 100 executions: Execution.sometimes(\"three\").") == true)
    #expect(result.labels["three"] == 0)
    #expect(result.executions == 100)
  }

  @Test func `a share that is missed fails with both numbers`() async throws {
    let result = await Explorer(executions: 200, strategy: .random).run {
      Execution.sometimes("a six", Execution.draw(.int(in: 1...6)) == 6, atLeast: 0.9)
    }
    let failure = try #require(result.failure)
    #expect(failure.messages[0].contains("and 90 % were asked for"))
  }

  @Test func `a shard warns of a goal that it misses, and passes`() async throws {
    let settings = try RunSettings { ["NAPKIN_SHARD": "2/3"][$0] }
    let result = await Explorer(executions: 90).adjusted(by: settings).run {
      Execution.sometimes("never", false)
      Execution.sometimes("ever", true)
    }
    #expect(result.executions == 30 && result.failure == nil)
    let warning = try #require(result.warnings.first { $0.contains("Execution.sometimes(\"never\")") })
    #expect(warning.contains("Never true in 30 executions") && warning.contains("NAPKIN_SHARD=0/1"))
    #expect(!result.warnings.contains { $0.contains("ever\")") && !$0.contains("never") })
  }

  @Test func `each goal that is missed is a failure of its own`() async {
    let result = await Explorer(executions: 10).run {
      Execution.sometimes("one", false)
      Execution.sometimes("two", false)
    }
    #expect(result.failures.map { $0.diagnostics[0].sourceLocation?.line } == [#line - 3, #line - 2] as [Int?])
  }

  @Test func `a discarded execution does not count`() async {
    let result = await Explorer(executions: 200, strategy: .random).run {
      let even = Execution.draw(Gen<Int>.int(in: 0...1).filter { $0 == 0 })
      Execution.sometimes("even", even == 0, atLeast: 1)
    }
    #expect(result.failure == nil)
  }

  @Test func `a failed execution is reported, and no goal`() async {
    let result = await Explorer(executions: 10).run {
      Execution.sometimes("never", false)
      #expect(Bool(false))
    }
    #expect(result.failures.map { $0.diagnostics[0].kind } == [.expectation])
  }

  @Test func `a replay and a simulated run judge no goal`() async throws {
    let body: @Sendable () async -> Void = {
      Execution.sometimes("reversed", await Self.race() == [2, 1])
    }
    #expect(await Explorer(executions: 1, strategy: .fifo).run(body).failure == nil)
    let token = try #require(
      await Explorer(executions: 100).run {
        let order = await Self.race()
        #expect(order == [1, 2])
      }.failure?.schedule)
    #expect(await Explorer(strategy: .replay(token)).run { Execution.sometimes("never", false) }.failure == nil)
  }

  @Test func `executions on real threads are counted too`() async {
    let result = await Explorer(executions: 20, strategy: .parallel).run {
      Execution.label("any")
      Execution.sometimes("never", false)
    }
    #expect(result.labels == ["any": 20, "never": 0])
    #expect(result.failure?.diagnostics.first?.kind == .unmetGoal)
  }

  @Test func `a share in per cent is misuse`() async {
    withKnownIssue {
      Execution.sometimes("often", true, atLeast: 5)
    } matching: {
      "\($0)".contains("Execution.sometimes(\"often\", atLeast: 5.0)")
    }
  }

  @Test func `outside an exploration each call without an effect is one issue at its line`() async {
    let found = await issueRecords {
      Execution.label("a")
      Execution.sometimes("b", true)
      Execution.target(1)
      await Execution.settle()
      Execution.answersInAnyOrder(of: Register())
      Execution.answersInAnyOrder(of: Register.self)
      Execution.stubsAnswerInAnyOrder()
    }
    #expect(found.map(\.line) == (1...7).map { $0 + #line - 9 })
    let calls = [
      #"label("a")"#, #"sometimes("b")"#, "target(1.0)", "settle()", "answersInAnyOrder(of: Register)",
      "answersInAnyOrder(of: Register.self)", "stubsAnswerInAnyOrder()",
    ]
    for (issue, call) in zip(found, calls) {
      #expect(issue.text.hasPrefix("Execution.\(call) was called outside an exploration."))
    }
  }

  @Test func `the actions of a fuzzer are labels`() async {
    let result = await Fuzzer { Register() }
      .action("enter") { await $0.enter(1) }
      .run(executions: 50)
    #expect(result.labels["enter"] ?? 0 > 0)
  }

  @Test(.interleavings(200)) func `a goal that is met leaves a test green`() async {
    Execution.sometimes("both orders", await Self.race() == [2, 1], atLeast: 0.05)
  }
}
