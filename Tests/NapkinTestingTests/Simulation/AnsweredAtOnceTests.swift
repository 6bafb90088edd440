// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Synchronization
import Testing

/// Fakes that suspend nowhere, as a structure or a class on the caller's actor.
@Suite(.enabled(if: PlatformWays.findFunctions, "the names of functions are not known here"))
struct AnsweredAtOnceTests {
  @MainActor fileprivate protocol Feed: Sendable {
    func page(_ number: Int) async throws -> [Int]
  }
  nonisolated fileprivate protocol Drafts: Sendable {
    nonisolated(nonsending) func save(_ text: String) async
  }

  fileprivate struct FakeFeed: Feed {
    func page(_ number: Int) async throws -> [Int] { [number] }
  }
  fileprivate struct SlowFakeFeed: Feed {
    func page(_ number: Int) async throws -> [Int] {
      await Task.yield()
      return [number]
    }
  }
  // Suspends where another task was there before.
  fileprivate final class SeldomSlowFakeFeed: Feed {
    private var calls = 0
    func page(_ number: Int) async throws -> [Int] {
      calls += 1
      if calls == 2 { try await Task.sleep(for: .seconds(1)) }
      return [number]
    }
  }
  /// A part of the app, by its name.
  fileprivate struct CachedFeed: Feed {
    func page(_ number: Int) async throws -> [Int] { [number] }
  }
  fileprivate final class FakeDrafts: Drafts {
    nonisolated(nonsending) func save(_ text: String) async {}
  }

  @MainActor fileprivate final class Model {
    private(set) var items: [Int] = []
    private let feed: any Feed
    init(_ feed: any Feed) { self.feed = feed }

    func refresh() async {
      items = []
      if let page = try? await feed.page(1) { items += page }
    }

    func save(in drafts: any Drafts) async { await drafts.save("") }
  }

  private static func refreshTwice(
    _ executions: Int = 100, strategy: Explorer.Strategy = .portfolio,
    _ feed: @escaping @MainActor @Sendable () -> any Feed
  ) async -> Exploration {
    await Explorer(executions: executions, strategy: strategy).run {
      let model = await Model(feed())
      let tasks = [1, 2].map { _ in Task { @MainActor in await model.refresh() } }
      for task in tasks { await task.value }
    }
  }

  private static let module = String("\(#fileID)".prefix { $0 != "/" })
  private static func names(_ exploration: Exploration) -> [String] {
    exploration.answeredAtOnce(inModule: module).map { "\($0.standIn.name) \($0.place?.located() ?? "")" }
  }

  @Test func `a fake on its caller's actor is named with the line that awaits it`() async {
    let result = await Self.refreshTwice { FakeFeed() }
    #expect(
      Self.names(result) == [
        "AnsweredAtOnceTests.FakeFeed AnsweredAtOnceTests.swift:50 in Model.refresh()"
      ])
    #expect(result.answeredAtOnce(inModule: "App").isEmpty)
  }

  @Test func `a fake that goes where its caller is, is named`() async {
    let result = await Explorer(executions: 100).run {
      let model = await Model(FakeFeed())
      let tasks = [1, 2].map { _ in Task { @MainActor in await model.save(in: FakeDrafts()) } }
      for task in tasks { await task.value }
    }
    #expect(Self.names(result).map { $0.prefix { $0 != " " } } == ["AnsweredAtOnceTests.FakeDrafts"])
  }

  @Test func `a fake that suspends, be it seldom, and a part of the app are not named`() async {
    #expect(Self.names(await Self.refreshTwice { SlowFakeFeed() }) == [])
    #expect(Self.names(await Self.refreshTwice { SeldomSlowFakeFeed() }) == [])
    #expect(Self.names(await Self.refreshTwice { CachedFeed() }) == [])
  }

  // Until then all calls have suspended, so that no step is looked at any more.
  @Test func `a fake that later executions alone call is named, unless it suspends there`() async {
    func names(after early: Int, _ drafts: @escaping @Sendable () -> any Drafts) async -> [String] {
      let executions = Mutex(0)
      let result = await Explorer(executions: 100).run {
        let isLate = executions.withLock { count in
          count += 1
          return count > early
        }
        let model = await Model(SlowFakeFeed())
        let tasks = [1, 2].map { _ in
          Task { @MainActor in
            await model.refresh()
            if isLate { await model.save(in: drafts()) }
          }
        }
        for task in tasks { await task.value }
      }
      return Self.names(result).map { String($0.prefix { $0 != " " }) }
    }
    #expect(await names(after: 8) { FakeDrafts() } == ["AnsweredAtOnceTests.FakeDrafts"])
    #expect(await names(after: 8) { SlowFakeDrafts() } == [])
    // The last execution that is looked at: nothing is said of a call that is not known well enough.
    #expect(await names(after: 96) { SlowFakeDrafts() } == [])
  }

  @Test func `a fake is not named where values are drawn, and no other task is ever ready`() async {
    let result = await Explorer(executions: 100).run {
      _ = Execution.draw(.int(in: 1...9), "n")
      await Model(FakeFeed()).refresh()
    }
    #expect(result.warnings.isEmpty)
    #expect(Self.names(result) == [])
  }

  @Test func `what only hears of things stands for no service`() {
    func standIn(_ type: String) -> StandIn? {
      let function = "App.\(type).load(Swift.Int) async -> ()"
      return StandIn(witness: "protocol witness for \(function) in conformance Tests.Fake : App.\(type) in Tests")
    }
    #expect(standIn("Feed")?.call == "Feed.load(…) of Fake")
    for type in ["HomeListener", "HomePresentable", "FeedDelegate", "FeedObserver"] { #expect(standIn(type) == nil) }
  }

  @Test func `the summary of a run has one line for a fake, and not where the actors are named`() async {
    let entry = RunSummary.Entry(
      of: await Self.refreshTwice { FakeFeed() }, named: "Suite/test()", inModule: Self.module)
    let text = RunSummary([entry, entry]).text
    #expect(text.ranges(of: "never suspends").count == 1, "\(text)")
    let line = """
        never suspends: AnsweredAtOnceTests.Feed.page(…) of AnsweredAtOnceTests.FakeFeed, awaited at \
      AnsweredAtOnceTests.swift:50 in Model.refresh(), as no network does;
          a Stub, or `await Task.yield()` in AnsweredAtOnceTests.FakeFeed, lets other tasks go first in Suite/test()

      """
    #expect(text.contains(line), "\(text)")
  }

  fileprivate final class SlowFakeDrafts: Drafts {
    nonisolated(nonsending) func save(_ text: String) async { await Task.yield() }
  }
}
