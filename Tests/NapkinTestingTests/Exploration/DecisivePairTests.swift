// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

private actor Account {
  private(set) var balance = 100

  func withdraw(_ amount: Int) async {
    guard balance >= amount else { return }
    await Task.yield()
    balance -= amount
  }
}

private actor Server {
  func answer(_ query: String) -> String { query }
}

private actor Search {
  private(set) var shown = ""

  func search(_ query: String, on server: Server) async { shown = await server.answer(query) }
}

/// Two steps of different tasks, one before the other, without which a failure passes.
@Suite struct DecisivePairTests {
  @Sendable private static func withdrawTwice() async {
    let account = Account()
    let tasks = ["Ada", "Bob"].map { name in Task(name: name) { await account.withdraw(80) } }
    for task in tasks { await task.value }
    #expect(await account.balance >= 0)
  }

  @Test(arguments: [Explorer.Strategy.portfolio, .random, .exhaustive()])
  func `the pair is the check of one task before the act of another`(strategy: Explorer.Strategy) async throws {
    let failure = try #require(await Explorer(strategy: strategy, seed: 1).run(Self.withdrawTwice).failure)
    let pair = try #require(failure.decisivePair)
    #expect(pair.count == 1)
    #expect(pair.first.task != pair.second.task)
    #expect(pair.first.step < pair.second.step)
    #expect(pair.first.actor == "Account" && pair.second.actor == "Account")
    #expect(pair.executions <= DecisivePair.mostExecutions + 10)
    #expect(failure.report.hasPrefix("It fails where \(pair.first.task) "), "\(failure.report)")
    #expect(failure.report.contains("; the other way round"))
    let marked = failure.timeline.split(separator: "\n").filter { $0.hasPrefix("▶") }
    #expect(marked.count == 3, "\(failure.timeline)")
    #expect(failure.htmlReport(title: "x").contains("\"pair\":[\(pair.first.step),\(pair.second.step)]"))
  }

  @Test(.enabled(if: PlatformWays.findFunctions, "functions are found by a library of Linux's toolchain"))
  func `the pair names both functions, and says which one goes on`() async throws {
    let failure = try #require(await Explorer(seed: 1).run(Self.withdrawTwice).failure)
    let pair = try #require(failure.decisivePair)
    #expect(pair.first.function == "Account.withdraw(_:)" && !pair.first.isResumption)
    #expect(pair.second.function == "Account.withdraw(_:)" && pair.second.isResumption)
    #expect(pair.second.line?.hasPrefix("DecisivePairTests.swift:") == true)
  }

  @Test func `a replayed token has the same pair`() async throws {
    let failure = try #require(await Explorer(seed: 1).run(Self.withdrawTwice).failure)
    let replay = Explorer(executions: 1, strategy: .replay(failure.schedule), shrinks: false)
    let again = try #require(await replay.run(Self.withdrawTwice).failure)
    #expect(again.decisivePair?.first == failure.decisivePair?.first)
    #expect(again.decisivePair?.second == failure.decisivePair?.second)
  }

  @Test func `late answers are named where one overtakes another`() async throws {
    let failure = try #require(
      await Explorer(seed: 1).run {
        let (server, search) = (Server(), Search())
        Execution.answersInAnyOrder(of: server)
        let old = Task(name: "old") { await search.search("s", on: server) }
        await Execution.settle()
        let new = Task(name: "new") { await search.search("sw", on: server) }
        _ = await (old.value, new.value)
        #expect(await search.shown == "sw")
      }.failure)
    let pair = try #require(failure.decisivePair)
    #expect(pair.first.task == "new" && pair.second.task == "old", "\(pair)")
    #expect(pair.first.actor == "Search" && pair.second.actor == "Search", "\(pair)")
  }

  @Test func `no pair is named where no order passes`() async throws {
    let failure = try #require(
      await Explorer(executions: 10).run {
        let tasks = (1...3).map { _ in Task { await Task.yield() } }
        for task in tasks { await task.value }
        Issue.record("it fails in any order")
      }.failure)
    #expect(failure.decisivePair == nil)
    #expect(!failure.report.contains("It fails where"))
  }

  @Test func `a failure that one drawn value makes has no pair`() async throws {
    let failure = try #require(
      await Explorer(executions: 100, seed: 1).run {
        let value = Execution.draw(.int(in: 0...9))
        let task = Task { value }
        #expect(await task.value < 5)
      }.failure)
    #expect(failure.decisivePair == nil)
  }
}
