// SPDX-License-Identifier: Apache-2.0
import Foundation
import NapkinTesting
import Synchronization
import Testing

/// The sentences of the articles that state a number or a rule: each is found on its page, and holds.
@Suite struct StatementTests {
  private static let testing = "Sources/NapkinTesting/NapkinTesting.docc/"

  /// Looks for a sentence of a page, whose lines may be broken anywhere.
  private func expect(_ sentence: String, on page: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let text = try Page(page.hasSuffix(".md") ? page : Self.testing + page + ".md").text
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains(sentence), "\(page) says something else now", sourceLocation: sourceLocation)
  }

  /// How often a body runs that is not under control of its test.
  private func runs(of explorer: Explorer) async -> (calls: Int, result: Exploration) {
    let calls = Mutex(0)
    let result = await explorer.run {
      calls.withLock { $0 += 1 }
      await Task.yield()
    }
    return (calls.withLock(\.self), result)
  }

  @Test func `the first of more than 50 executions runs twice`() async throws {
    try expect("In an exploration of more than 50 executions the first one runs twice", on: "WhatAPassProves")
    #expect(await runs(of: Explorer(executions: 50)).calls == 50)
    #expect(await runs(of: Explorer(executions: 51)).calls == 52)
    try expect("and again after each 250 of the first thousand", on: "WhatAPassProves")
    #expect(await runs(of: Explorer(executions: 2_000)).calls == 2_005)
  }

  @Test func `a sleep of a thousand seconds never ends before a ready task cancels it`() async throws {
    try expect("A sleep of a thousand seconds never ends before a ready task has cancelled it", on: "WhatAPassProves")
    let result = await Explorer().run {
      let sleeper = Task { try await Task.sleep(for: .seconds(1_000)) }
      for _ in 0..<3 { await Task.yield() }
      sleeper.cancel()
      #expect(await { if case .failure = await sleeper.result { true } else { false } }())
    }
    #expect(result.failure == nil)
  }

  @Test func `sleeps of one, two and three seconds end in this order`() async throws {
    try expect(
      "sleeps of one, two and three seconds with nothing between them end in this order", on: "WhatAPassProves")
    let result = await Explorer().run {
      let ended = Recorder<Int>()
      await withTaskGroup { group in
        for seconds in 1...3 {
          group.addTask {
            try? await Task.sleep(for: .seconds(seconds))
            ended.record(seconds)
          }
        }
      }
      #expect(ended.events == [1, 2, 3])
    }
    #expect(result.failure == nil)
  }

  @Test func `a timeout of 300 ms ends in the middle of work, and with zero it does not`() async throws {
    try expect("a timeout of 300 ms ends in the middle of work", on: "WhatAPassProves")
    try expect("with `.zero` no time passes while a task is ready", on: "WhatAPassProves")
    @Sendable func body() async throws {
      let isOver = Mutex(false)
      let timeout = Task {
        try await Task.sleep(for: .milliseconds(300))
        isOver.withLock { $0 = true }
      }
      for _ in 0..<5 { await Task.yield() }
      timeout.cancel()
      _ = await timeout.result
      if isOver.withLock(\.self) { throw CancellationError() }
    }
    #expect(await Explorer().run(body).failure != nil)
    #expect(await Explorer(busyTime: .zero).run(body).failure == nil)
  }

  @Test func `a driver takes 149 executions where tasks share only actors`() async throws {
    try expect("takes 149 executions so instead of 70,473", on: "ExploringInterleavings")
    guard YardstickProgram.haveAllHops else { return }
    let explorer = Explorer(executions: 1_000, strategy: .exhaustive(assuming: .tasksShareOnlyActors))
    let result = await explorer.run(YardstickProgram.soundBluetooth.body)
    #expect(result.isExhaustive)
    #expect(result.executions == 149)
  }

  @Test func `the profiles are those of the table`() throws {
    try expect("| `nightly` | twenty times as many | no | by name |", on: "ReplayAndCI")
    try expect("| `standard` | as the test says | yes | where `CI` is not set |", on: "ReplayAndCI")
    let nightly = try #require(RunProfile { $0 == "NAPKIN_PROFILE" ? "nightly" : nil })
    let standard = try #require(RunProfile { _ in nil })
    let ci = try #require(RunProfile { $0 == "CI" ? "1" : nil })
    #expect((nightly.factor, nightly.remembers, standard.factor, standard.remembers) == (20, false, 1, true))
    #expect((ci.factor, ci.remembers) == (1, false))
  }

  @Test func `a test has a thousand executions where it does not say`() throws {
    #expect(Explorer().executions == 1_000)
    #expect(Explorer().strategy == .portfolio)
    #expect(Explorer().seed == 0)
    try expect("Without a seed a test uses 0.", on: "ExploringInterleavings")
    try expect(
      "| `.portfolio` | `.guided` in turn with `.pos`, `.random`, and one for it alone | everything; the default |",
      on: "ExploringInterleavings")
  }

  @Test func `with four shards the first machine runs executions 1, 5 and 9`() async throws {
    try expect("the first machine runs executions 1, 5, 9, …, the second 2, 6, 10", on: "ShardingOverMachines")
    for (index, numbers) in [[1, 5, 9], [2, 6, 10]].enumerated() {
      var settings = RunSettings()
      settings.shard = RunSettings.Shard(index: index, count: 4)
      for (position, number) in numbers.enumerated() {
        let counter = Mutex(0)
        let result = await Explorer(executions: 40, strategy: .fifo, shrinks: false).adjusted(by: settings).run {
          if counter.withLock({
            $0 += 1
            return $0
          }) == position + 1 {
            throw CancellationError()
          }
        }
        #expect(result.failure?.execution == number)
      }
    }
  }

  @Test func `every variable that is read is on a page, and every one on a page is read`() throws {
    func names(_ texts: [String], _ pattern: Regex<Substring>) -> Set<String> {
      Set(texts.flatMap { text in text.matches(of: pattern).map { String($0.output).replacing("\"", with: "") } })
    }
    let sources = try FileManager.default.subpathsOfDirectory(atPath: Page.root.appending(path: "Sources").path)
      .filter { $0.hasSuffix(".swift") || $0.hasSuffix(".c") }.map { try Page("Sources/\($0)").text }
    // A process passes these on to one that it starts.
    let own: Set = ["NAPKIN_WORKER", "NAPKIN_AUTOPSY"]
    let read = names(sources, #/"NAPKIN_[A-Z_]+"/#).subtracting(own)
    let shown = names(try Page.all.get().map(\.text), #/NAPKIN_[A-Z_]+/#).subtracting(own)
    #expect(read.subtracting(shown) == [])
    #expect(shown.subtracting(read).subtracting(try manifest()) == [])
    #expect(read.count >= 14)
  }

  /// The variables that the manifest reads.
  private func manifest() throws -> Set<String> {
    Set(try Page("Package.swift").text.matches(of: #/NAPKIN_[A-Z_]+/#).map { String($0.output) })
  }

  @Test func `blocks are a sixteenth of the executions that are left`() throws {
    try expect("in blocks, each a sixteenth of the executions that are left, of 25 to 1,000", on: "ReplayAndCI")
    let source = try Page("Sources/NapkinTesting/Engine/Exploration/Isolation/IsolatedRun.swift").text
    #expect(source.contains("max(25, min(left / 16, 1_000))"))
  }

  @Test func `the app has six napkins, and its fuzzer a planted bug`() throws {
    try expect("fuzzes an app of six napkins, and finds the bug that is planted in it", on: "README.md")
    try expect("`Fixtures/RibHouse` is an app of six napkins", on: "Sources/Napkin/Napkin.docc/TheRibHouse.md")
    let house = Page.root.appending(path: "Fixtures/RibHouse/Sources/RibHouse").path
    let napkins = try FileManager.default.contentsOfDirectory(atPath: house).filter { $0.hasSuffix("Napkin") }
    #expect(napkins.count == 6)
  }
}
