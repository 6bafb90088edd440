// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Testing

@Suite struct RecordedObjectsTests {
  /// A fuzzed screen that hands itself to its feed, as a listener and in a closure.
  private func fuzzer(of feed: @escaping @Sendable () -> FeedMock) -> TreeFuzzer<Router<ReaderInteractor>> {
    TreeFuzzer { Router(interactor: ReaderInteractor(feed())) }.action("open") { await $0.interactor.open() }
  }

  @Test func `a double of the tree that is handed its caller keeps no tree`() async {
    await fuzzer { FeedMock() }.check(executions: 20, seed: 1)
  }

  @Test func `a double outside of the tree keeps no tree, and forgets no other call`() async {
    let feed = FeedMock()
    await fuzzer { feed }.check(executions: 20, seed: 1)
    #expect(feed.listeners.calls.isEmpty)
    #expect(feed.closures.calls.isEmpty)
    #expect(feed.pages.calls.count >= 20)
    #expect(feed.pages.calls.allSatisfy { $0 == ("news", 1) })
  }

  @Test func `a double keeps its calls while the tree is there`() async {
    await TreeFuzzer { Router(interactor: ReaderInteractor(FeedMock())) }
      .action("open") { await $0.interactor.open() }
      .invariant("each page is for a listener") {
        $0.interactor.feed.listeners.calls.count == $0.interactor.feed.pages.calls.count
      }
      .check(executions: 20, seed: 1)
  }

  @Test func `a leak check is not misled by a double that is handed its caller`() async {
    await expectNoLeaks { await ReaderInteractor(FeedMock()).open() }
  }
}

private protocol Listening: AnyObject, Sendable {}

private final class FeedMock: Sendable {
  let listeners = Stub<any Listening, Void>()
  let closures = Stub<(Int, @Sendable () -> Void), Void>()
  let pages = Stub<(String, Int), Void>()
}

private final actor ReaderInteractor: Interactable, Listening {
  nonisolated let lifecycle = InteractorLifecycle()
  let feed: FeedMock

  init(_ feed: FeedMock) { self.feed = feed }

  func open() async {
    try? await feed.listeners(self)
    try? await feed.closures(1, { @Sendable in _ = self })
    try? await feed.pages("news", 1)
  }
}
