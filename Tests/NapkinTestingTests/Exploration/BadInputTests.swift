// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Synchronization
import Testing

@Suite struct BadInputTests {
  /// The issues that were recorded while `work` ran, and their lines in this file.
  private func issues(_ work: @Sendable () async -> Void) async throws -> [(text: String, line: Int?)] {
    let recorded = Mutex<[(text: String, line: Int?)]>([])
    let trait = IssueHandlingTrait.compactMapIssues { issue in
      // Swift Testing offers the issues of a detached task to every test that runs, those of another file, too.
      guard issue.sourceLocation?.fileID == #fileID else { return issue }
      recorded.withLock { $0.append((issue.comments.map(\.rawValue).joined(), issue.sourceLocation?.line)) }
      return nil
    }
    try await trait.provideScope(for: #require(Test.current), testCase: Test.Case.current, performing: work)
    return recorded.withLock { $0 }
  }

  @Test(arguments: [0, -5])
  func `a count that is not positive is one issue at the call`(_ count: Int) async throws {
    let found = try await issues { await explore(executions: count) {} }
    #expect(found.count == 1)
    #expect(found.first?.line == #line - 2)
    #expect(found.first?.text.contains("explore(executions: \(count)) was asked for") == true)
  }

  @Test func `a wrong argument is reported as one of the function that was given it`() async throws {
    let replay = Explorer.Strategy.replay("nk1.AAAA")
    let tree = TreeFuzzer { MockRouter() }.action("wait") { _ in }
    let system = Fuzzer { 0 }.action("wait") { _ in }
    let results = [
      "TreeFuzzer.run": await tree.run(strategy: replay, seed: 7),
      "Fuzzer.run": await system.run(strategy: replay, seed: 7),
    ]
    for (api, result) in results {
      #expect(result.failure?.messages.first?.hasPrefix("\(api)(strategy: .\(replay)) ignores seed: 7.") == true)
    }
    let records = try await issues {
      await tree.check(strategy: replay, seed: 7)
      await system.check(strategy: replay, seed: 7)
      await checkLinearizable(model: RegisterModel(), commands: [[.get("a")]], strategy: replay, seed: 7, { 0 }) {
        _, _ in 0
      }
    }
    #expect(
      records.map { String($0.text.prefix { $0 != "(" }) } == ["TreeFuzzer.check", "Fuzzer.check", "checkLinearizable"])
  }

  @Test(
    .compactMapIssues {
      $0.comments.first?.rawValue.hasPrefix(".interleavings(executions: 0) was asked") == true ? nil : $0
    },
    .interleavings(0))
  func `a wrong argument is reported as one of the trait that was given it`() { Issue.record("the body was run") }

  @Test func `a count of actions, calls or callers that runs nothing, or too many, is refused`() async throws {
    let fuzzer = Fuzzer { 0 }.action("wait") { _ in }
    let wrong = [
      "actions: 0...0": await fuzzer.run(actions: 0...0), "concurrency: 1001": await fuzzer.run(concurrency: 1_001),
      "nodes: 0...4": await TreeFuzzer<SyntheticRouter>.synthetic(nodes: 0...4).run(executions: 1),
      "nodes: -3...0": await TreeFuzzer<SyntheticRouter>.synthetic(nodes: -3...0).run(executions: 1),
    ]
    for (argument, result) in wrong {
      #expect(result.failure?.messages.first?.contains(argument) == true && result.executions == 0)
    }
    let records = try await issues {
      for (calls, callers) in [(0...0, 2), (1...8, 1_001)] {
        await checkLinearizable(
          model: RegisterModel(), commands: .just(.get("a")), calls: calls, callers: callers, { 0 }
        ) { _, _ in 0 }
      }
    }
    #expect(records.map { $0.text.contains("was given call") } == [true, true])
  }

  @Test func `a negative number of tasks at a gate is one issue at the call`() async throws {
    let records = try await issues {
      let gate = Gate()
      gate.admit(-1)
      await gate.reached(by: -1)
    }
    #expect(records.map(\.line) == [#line - 3, #line - 2])
    #expect(records.first?.text.hasPrefix("Gate.admit was given -1, ") == true)
    #expect(records.last?.text.hasPrefix("Gate.reached(by:) was given -1, ") == true)
  }

  @Test func `a limit of steps that is not positive is refused`() async {
    let result = await Explorer(steps: 0).run {}
    #expect(result.failure?.messages.first?.contains("Explorer(steps: 0)") == true)
  }

  @Test(arguments: [Explorer.Strategy.parallel, .exhaustive(), .exhaustive(preemptions: 2)])
  func `cancellation is refused by strategies that cannot cancel`(_ strategy: Explorer.Strategy) async {
    let result = await Explorer(strategy: strategy, cancels: true).run {}
    #expect(result.failure?.messages.first?.contains("Explorer(strategy: .\(strategy), cancels: true)") == true)
    #expect(result.executions == 0)
  }

  @Test func `processes of their own for the real thread pool are refused`() async {
    let result = await Explorer(strategy: .parallel, isolated: true).run {}
    #expect(result.failure?.messages.first?.contains("Explorer(strategy: .parallel, isolated: true)") == true)
    #expect(result.executions == 0)
  }

  @Test func `an explorer's parameters can be read and changed`() async {
    var explorer = Explorer(executions: 5, strategy: .fifo, seed: 7)
    #expect(explorer.executions == 5 && explorer.strategy == .fifo && explorer.seed == 7)
    explorer.executions = 3
    #expect(await explorer.run { await Task.yield() }.executions == 3)
  }

  @Test func `a malformed token is one issue at the call that names it`() async throws {
    let found = try await issues { await explore(strategy: .replay("nk1.garbage")) {} }
    #expect(found.count == 1)
    #expect(found.first?.line == #line - 2)
    #expect(found.first?.text.contains("nk1.garbage") == true)
  }

  @Test(arguments: [Explorer.Strategy.pct(depth: 0), .exhaustive(preemptions: -1)])
  func `a strategy that describes no schedule is one issue at the call`(_ strategy: Explorer.Strategy) async throws {
    let found = try await issues { await explore(strategy: strategy) {} }
    #expect(found.count == 1)
    #expect(found.first?.line == #line - 2)
    #expect(found.first?.text.contains("\(strategy)") == true)
  }

  @Test(arguments: [Explorer.Strategy.pct(depth: .max), .exhaustive(preemptions: .max)])
  func `a number that is far too large does no harm`(_ strategy: Explorer.Strategy) async {
    var settings = RunSettings()
    settings.shard = RunSettings.Shard(index: 0, count: 3)
    let result = await Explorer(executions: .max, strategy: strategy).adjusted(by: settings).run {
      async let one: Void = Task.yield()
      await Task.yield()
      await one
      try #require(Execution.draw(.int(in: 0...9)) != 9)
    }
    #expect(result.failure != nil || result.isExhaustive)
  }

  @Test func `a draw outside an execution is one issue there and gives the simplest value`() async throws {
    let drawn = Mutex<Int?>(nil)
    let found = try await issues {
      let value = Execution.draw(.int(in: 3...9), "taps")
      drawn.withLock { $0 = value }
    }
    #expect(found.count == 1)
    #expect(found.first?.line == #line - 4)
    #expect(found.first?.text.hasPrefix("Execution.draw(\"taps\") was called outside an exploration.") == true)
    #expect(drawn.withLock { $0 } == 3)
  }

  @Test func `a fuzzer without actions is one issue at the check`() async throws {
    let found = try await issues { await TreeFuzzer { CarefulHomeRouter(interactor: HomeInteractor()) }.check() }
    #expect(found.count == 1)
    #expect(found.first?.line == #line - 2)
    #expect(found.first?.text.contains("has no actions") == true)
  }

  @Test func `a weight that can never be drawn is one issue at the action`() async throws {
    let found = try await issues {
      await TreeFuzzer { CarefulHomeRouter(interactor: HomeInteractor()) }
        .action("tap", weight: 0) { _ in }
        .check()
    }
    #expect(found.count == 1)
    #expect(found.first?.line == #line - 4)
    #expect(found.first?.text.contains("the action \"tap\" with the weight 0") == true)
  }
}
