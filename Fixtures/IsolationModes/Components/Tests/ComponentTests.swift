// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Synchronization
import Testing

#if IN_XCODE
@testable import XcodeApp
#else
@testable import PlainApp
#endif

// Fakes as one writes them first: structures, and classes with a lock.

struct FakeFeed: FeedService {
  func page(_ number: Int) async throws -> [Int] { [number, number + 1] }
}

final class FakeAuth: AuthService, Sendable {
  private let count = Mutex(0)
  var refreshes: Int { count.withLock { $0 } }
  func refresh() async throws -> String {
    count.withLock {
      $0 += 1
      return "token \($0)"
    }
  }
}

final class FakeImages: ImageService, Sendable {
  private let paths = Mutex<[String]>([])
  var loaded: [String] { paths.withLock { $0 } }
  func data(at path: String) async throws -> [UInt8] {
    paths.withLock { $0.append(path) }
    return [1, 2, 3]
  }
}

struct FakeSearch: SearchService {
  func matches(of text: String) async throws -> [String] { ["ribs", "rice"].filter { $0.hasPrefix(text) } }
}

struct FakeSuggestions: SuggestionService {
  func suggestions(for text: String) async -> [String] { [text + "!"] }
}

struct FakeDownloads: DownloadService {
  func size(of file: String) async throws -> Int { file.count }
}

final class FakeMessages: MessageService, Sendable {
  private struct Offline: Error {}
  private let tried = Mutex<[String: Int]>([:])
  func mostTries() -> Int { tried.withLock { $0.values.max() ?? 0 } }
  func send(_ text: String) async throws {
    tried.withLock { $0[text, default: 0] += 1 }
    throw Offline()
  }
}

final class FakeSubscriber: EventSubscriber, Sendable {
  private let events = Mutex<[Int]>([])
  var received: [Int] { events.withLock { $0 } }
  func receive(_ event: Int) async { events.withLock { $0.append(event) } }
}

final class FakeDrafts: DraftService, Sendable {
  private let text = Mutex("")
  var saved: String { text.withLock { $0 } }
  func save(_ text: String) async throws { self.text.withLock { $0 = text } }
}

final class FakeSessions: SessionService, Sendable {
  private let isOpen = Mutex(false)
  var hasSession: Bool { isOpen.withLock { $0 } }
  func logIn() async throws -> String {
    isOpen.withLock { $0 = true }
    return "Joe"
  }
  func logOut() async { isOpen.withLock { $0 = false } }
}

/// Each bug is found, or the line at the end of the run says why not; `.ci/isolation-modes` looks which.
@Suite @MainActor struct ComponentTests {
  private func check(_ body: @escaping @Sendable @MainActor () async throws -> Void) async {
    await withKnownIssue(isIntermittent: true) {
      await explore(executions: 1_000) { try await body() }
    } matching: { issue in
      // The exploration judges the issues of its executions.
      issue.comments.contains { $0.rawValue.contains("Replay: ") }
    }
  }

  @Test func pullToRefresh() async {
    await check {
      let feed = Feed(FakeFeed())
      async let first: Void = feed.pullToRefresh()
      async let second: Void = feed.pullToRefresh()
      _ = await (first, second)
      #expect(feed.items == [1, 2])
    }
  }

  @Test func tokenStore() async {
    await check {
      let service = FakeAuth()
      let store = TokenStore(service)
      async let first = store.current()
      async let second = store.current()
      _ = try await (first, second)
      #expect(service.refreshes == 1)
    }
  }

  @Test func imageCache() async {
    await check {
      let service = FakeImages()
      let cache = ImageCache(service)
      async let first = cache.image(at: "a.png")
      async let second = cache.image(at: "a.png")
      _ = try await (first, second)
      #expect(service.loaded == ["a.png"])
    }
  }

  @Test func searchAsYouType() async {
    await check {
      let search = Search(FakeSearch())
      let first = Task { await search.type("r") }
      let second = Task { await search.type("ri") }
      _ = await (first.value, second.value)
      #expect(search.results == ["ribs", "rice"])
      let third = Task { await search.type("rib") }
      let last = Task { await search.type("ric") }
      _ = await (third.value, last.value)
      #expect(search.results == ["rice"])
    }
  }

  @Test func debounce() async {
    await check {
      let field = DebouncedField(FakeSuggestions())
      let first = field.type("r")
      try await Task.sleep(for: .milliseconds(300))
      let second = field.type("ri")
      _ = await (first.value, second.value)
      #expect(field.suggestions == ["ri!"])
    }
  }

  @Test func downloadManager() async {
    await check {
      let manager = DownloadManager(FakeDownloads())
      await withThrowingTaskGroup { group in
        for file in ["a", "b", "c"] { group.addTask { try await manager.start(file) } }
      }
      #expect(manager.running.count <= 2)
    }
  }

  @Test func retry() async {
    await check {
      let service = FakeMessages()
      let outbox = Outbox(service)
      async let first: Void = outbox.send("a")
      async let second: Void = outbox.send("b")
      _ = await (first, second)
      #expect(service.mostTries() == 3)
    }
  }

  @Test func eventBus() async {
    await check {
      let subscribers = [FakeSubscriber(), FakeSubscriber()]
      let bus = EventBus(subscribers)
      async let first: Void = bus.publish(1)
      async let second: Void = bus.publish(2)
      _ = await (first, second)
      #expect(subscribers[0].received == subscribers[1].received)
    }
  }

  @Test func formSaver() async {
    await check {
      let service = FakeDrafts()
      let form = Form(service)
      form.text = "a"
      let save = Task { await form.save() }
      await Task.yield()
      form.text = "ab"
      await save.value
      await form.save()
      #expect(service.saved == "ab")
    }
  }

  @Test func session() async {
    await check {
      let service = FakeSessions()
      let session = Session(service)
      async let login: Void = session.logIn()
      async let logout: Void = session.logOut()
      _ = await (login, logout)
      #expect((session.user != nil) == service.hasSession)
    }
  }
}
