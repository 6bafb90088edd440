// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Synchronization
import Testing

private actor Account {
  private(set) var balance = 100

  func withdraw(_ amount: Int) async {
    guard balance >= amount else { return }
    await Task.yield()
    balance -= amount
  }
}

/// Two tasks that pass one check together.
enum WithdrawnTwice {
  @Sendable static func check(_ amount: Int) async {
    let account = Account()
    let tasks = ["Ada", "Bob"].map { name in Task(name: name) { await account.withdraw(amount) } }
    for task in tasks { await task.value }
    #expect(await account.balance >= 0)
  }
}

private actor Server {
  @_optimize(none) func answer(_ query: String) -> String { query }
}

private actor Search {
  private(set) var shown = ""

  func search(_ query: String, on server: Server) async { shown = await server.answer(query) }
}

@MainActor private final class Screen {
  private(set) var shown = ""

  nonisolated static let lineOfLoad = #line + 1
  func load(from server: Server) async { shown = await server.answer("loaded") }

  func clear(on server: Server) async {
    _ = await server.answer("")
    shown = ""
  }
}

private actor Drafts {
  private(set) var parts = 0
  var isWhole: Bool { parts != 1 }

  @_optimize(none) func begin() {}

  func save() async {
    parts = 1
    await Task.yield()
    if !Task.isCancelled { parts = 2 }
  }
}

/// How many tasks are between the test's two calls, and the most there were.
private final class Inside: Sendable {
  let counts = Mutex((now: 0, most: 0))
}

/// Counts a waiter when it goes on, and not when it is woken.
private actor Turnstile {
  private var inside = 0
  private var waiters: [CheckedContinuation<Void, Never>] = []

  func enter() async {
    if inside > 0 { await withCheckedContinuation { waiters.append($0) } }
    inside += 1
  }

  func leave() {
    inside -= 1
    if !waiters.isEmpty { waiters.removeFirst().resume() }
  }
}

/// Resumes a cancelled task only if its continuation is stored by then.
private final class Mailbox: Sendable {
  private let waiting = Mutex<CheckedContinuation<Void, Never>?>(nil)

  func next() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in waiting.withLock { $0 = continuation } }
    } onCancel: {
      resume()
    }
  }

  func resume() { waiting.withLock { $0.take() }?.resume() }
}

private actor Sensor {
  private(set) var value = 0
  func raise() { value += 1 }
}

private actor Watcher {
  private(set) var changes = 0

  func watch(_ sensor: Sensor, rounds: Int) async {
    var last = await sensor.value
    for _ in 0..<rounds {
      try? await Task.sleep(for: .milliseconds(100))
      let value = await sensor.value
      if value != last { (changes, last) = (changes + 1, value) }
    }
  }
}

/// Two steps of different tasks, one before the other, without which a failure passes.
@Suite struct DecisivePairTests {
  @Sendable static func withdrawTwice() async { await WithdrawnTwice.check(80) }

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

  @Test(.failsByAPair, .interleavings(20), arguments: [60, 80])
  func `a test with arguments and a trait names the pair`(amount: Int) async { await WithdrawnTwice.check(amount) }

  #if os(macOS) || os(Linux)
  @Test func `a token in a new process has the same pair`() async throws {
    let failure = try #require(await Explorer(seed: 1).run(Self.withdrawTwice).failure)
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      [token = failure.schedule as String] in
      let again = await Explorer(executions: 1, strategy: .replay(token)).run(DecisivePairTests.withdrawTwice)
      print("pair:", again.failure?.decisivePair?.description ?? "none")
    }
    let text = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
    let pair = try #require(failure.decisivePair)
    #expect(text.contains("pair: \(pair)\n"), "\(text)")
  }
  #endif

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
    #expect(failure.report.contains("Likely cause: the order of the steps that are marked (▶), to which what was"))
    #expect(!failure.report.contains("no special order"))
  }

  @Test func `an order that FIFO order has, too, is the cause where another one passes`() async throws {
    let failure = try #require(
      await Explorer(executions: 10, strategy: .fifo).run {
        let (search, server) = (Search(), Server())
        // Its latencies are zero in FIFO order, and lead to nothing.
        Execution.answersInAnyOrder(of: server)
        let tasks = ["sw", "s"].map { text in Task(name: text) { await search.search(text, on: server) } }
        for task in tasks { await task.value }
        #expect(await search.shown == "sw")
      }.failure)
    #expect(failure.decisivePair != nil)
    #expect(failure.report.contains("which they have in FIFO order, too"), "\(failure.report)")
    #expect(!failure.report.contains("no special order"))
  }

  @Test func `a cancellation whose moment decides is the cause, and one of the pair`() async throws {
    let failure = try #require(
      await Explorer(executions: 5, strategy: .fifo).run {
        let drafts = Drafts()
        let task = Task(name: "save") { await drafts.save() }
        await drafts.begin()
        task.cancel()
        await task.value
        #expect(await drafts.isWhole)
      }.failure)
    let pair = try #require(failure.decisivePair)
    #expect(pair.first.task == "body" && pair.second.task == "save", "\(pair)")
    #expect(pair.first.actor == nil && pair.second.actor == "Drafts", "\(pair)")
    #expect(failure.report.contains("Likely cause: a task is cancelled at a moment that it is not prepared for."))
    #expect(!failure.report.contains("no special order"))
  }

  @Test func `a cancellation without which it passes is the cause where no order is`() async throws {
    let failure = try #require(
      await Explorer(executions: 5, seed: 1).run {
        let drafts = Drafts()
        let task = Task(name: "save") { if !Task.isCancelled { await drafts.save() } }
        task.cancel()
        await task.value
        #expect(await drafts.parts == 2)
      }.failure)
    #expect(failure.decisivePair?.isCancellation == true)
    #expect(failure.report.contains("Likely cause: a task is cancelled at a moment that it is not prepared for."))
  }

  @Test func `a cancellation is no cause where it fails without one, too`() async throws {
    let failure = try #require(
      await Explorer(executions: 5, seed: 1).run {
        let drafts = Drafts()
        let task = Task(name: "save") { await drafts.begin() }
        task.cancel()
        await task.value
        #expect(await drafts.parts == 2)
      }.failure)
    #expect(failure.report.contains("no special order"), "\(failure.report)")
  }

  // Both steps go on in closures of the test, as well: in the same step, since these run on the main actor.
  @Test(.enabled(if: PlatformWays.findFunctions, "functions are found by a library of Linux's toolchain"))
  func `a step is known by its function, and not by a closure of the test`() async throws {
    let failure = try #require(
      await Explorer(seed: 1).run {
        let (server, screen) = (Server(), Screen())
        Execution.answersInAnyOrder(of: server)
        let load = Task(name: "load") { @MainActor in await screen.load(from: server) }
        let clear = Task(name: "clear") { @MainActor in await screen.clear(on: server) }
        _ = await (load.value, clear.value)
        #expect(await screen.shown.isEmpty)
      }.failure)
    let pair = try #require(failure.decisivePair)
    #expect(pair.first.function == "Screen.clear(on:)" && pair.second.function == "Screen.load(from:)", "\(pair)")
    #expect(pair.second.line == "DecisivePairTests.swift:\(Screen.lineOfLoad)", "\(pair)")
  }

  @Test(.enabled(if: PlatformWays.findFunctions, "functions are found by a library of Linux's toolchain"))
  func `a pair in the code under test comes before one in the test's own counter`() async throws {
    let failure = try #require(
      await Explorer(executions: 100, seed: 3).run {
        let turnstile = Turnstile()
        let inside = Inside()
        await withTaskGroup { group in
          for _ in 0..<3 {
            group.addTask {
              await turnstile.enter()
              inside.counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
              await Task.yield()
              inside.counts.withLock { $0.now -= 1 }
              await turnstile.leave()
            }
          }
        }
        #expect(inside.counts.withLock { $0.most } == 1)
      }.failure)
    let pair = try #require(failure.decisivePair)
    #expect(pair.first.function == "Turnstile.enter()" && !pair.first.isResumption, "\(pair)")
    #expect(pair.second.function == "Turnstile.enter()" && pair.second.isResumption, "\(pair)")
  }

  @Test func `the polls of a loop do not hide the pair before it, and are one row`() async throws {
    let failure = try #require(
      await Explorer(executions: 100, seed: 1).run {
        let (sensor, watcher) = (Sensor(), Watcher())
        let watch = Task(name: "watch") { await watcher.watch(sensor, rounds: 300) }
        let raise = Task(name: "raise") { await sensor.raise() }
        _ = await (watch.value, raise.value)
        #expect(await watcher.changes == 1)
      }.failure)
    let pair = try #require(failure.decisivePair)
    #expect(pair.first.task == "raise" && pair.second.task == "watch", "\(pair)")
    #expect(pair.first.actor == "Sensor" && pair.second.actor == "Sensor", "\(pair)")
    #expect(failure.report.contains("… 296 equal rounds"), "\(failure.report)")
  }

  @Test func `forty tasks have a pair, and names in the rows`() async throws {
    let failure = try #require(
      await Explorer(executions: 10, seed: 1).run {
        let account = Account()
        await withTaskGroup { group in
          for _ in 0..<40 { group.addTask { await account.withdraw(5) } }
        }
        #expect(await account.balance >= 0)
      }.failure)
    #expect(failure.report.hasPrefix("It fails where task "), "\(failure.report)")
    #expect(failure.report.contains("; no single pair of steps decides"))
    let marked = failure.timeline.split(separator: "\n").filter { $0.hasPrefix("▶") }
    #expect(marked.count == 3, "\(failure.timeline)")
    #expect(failure.timeline.contains("equal rows of 3"), "\(failure.timeline)")
    #expect(!failure.report.contains("rows of 40 tasks left out"))
  }

  @Test(.enabled(if: PlatformWays.findFunctions, "functions are found by a library of Linux's toolchain"))
  func `a cancellation that decides is the first sentence, before the step that it meets`() async throws {
    let failure = try #require(
      await Explorer(executions: 1, strategy: .fifo).run {
        let drafts = Drafts()
        let task = Task(name: "save") { await drafts.save() }
        Task(name: "stop") { task.cancel() }
        await task.value
        #expect(await drafts.isWhole)
      }.failure)
    let pair = try #require(failure.decisivePair)
    #expect(pair.isCancellation)
    #expect(failure.report.hasPrefix("It fails where stop cancels save (step "), "\(failure.report)")
    #expect(
      failure.report.contains(" before save goes on in `Drafts.save()` (DecisivePairTests.swift:"), "\(failure.report)")
    #expect(failure.report.contains("); not cancelled, it passes.\n"), "\(failure.report)")
  }

  @Test(.enabled(if: PlatformWays.findFunctions, "functions are found by a library of Linux's toolchain"))
  func `a cancelled task that waits for ever is the first sentence of a deadlock`() async throws {
    let failure = try #require(
      await Explorer(executions: 1, strategy: .fifo).run {
        let mailbox = Mailbox()
        let task = Task(name: "reader") { await mailbox.next() }
        task.cancel()
        await task.value
      }.failure)
    let start = "Deadlock: reader, which is cancelled, waits since step 2, at DecisivePairTests.swift:"
    #expect(failure.report.hasPrefix(start), "\(failure.report)")
    #expect(failure.report.contains(" in closure in Mailbox.next(), and nothing resumes it.\n"), "\(failure.report)")
    #expect(failure.report.contains("onCancel may have run before the continuation was stored"))
    #expect(!failure.report.contains("outside Swift Concurrency"))
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

/// For a test that fails by the order of two tasks, which the report has to name first.
private struct FailsByAPair: TestTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withKnownIssue {
      try await function()
    } matching: { issue in
      let text = issue.comments.map(\.rawValue).joined(separator: "\n")
      return text.hasPrefix("It fails where Bob ") && text.contains(") before Ada ")
    }
  }
}

extension Trait where Self == FailsByAPair {
  fileprivate static var failsByAPair: Self { Self() }
}
