// SPDX-License-Identifier: Apache-2.0

// Ten components as a team writes them for an app, each with the bug that such a component has: it awaits a service, and
// acts on what it knew before.

protocol FeedService: Sendable { func page(_ number: Int) async throws -> [Int] }

@MainActor final class Feed {
  private(set) var items: [Int] = []
  private let service: any FeedService
  init(_ service: any FeedService) { self.service = service }

  func pullToRefresh() async {
    items = []
    guard let page = try? await service.page(1) else { return }
    items += page
  }
}

protocol AuthService: Sendable { func refresh() async throws -> String }

@MainActor final class TokenStore {
  private var token: String?
  private let service: any AuthService
  init(_ service: any AuthService) { self.service = service }

  func current() async throws -> String {
    if let token { return token }
    let fresh = try await service.refresh()
    token = fresh
    return fresh
  }
}

protocol ImageService: Sendable { func data(at path: String) async throws -> [UInt8] }

@MainActor final class ImageCache {
  private var images: [String: [UInt8]] = [:]
  private let service: any ImageService
  init(_ service: any ImageService) { self.service = service }

  func image(at path: String) async throws -> [UInt8] {
    if let image = images[path] { return image }
    let image = try await service.data(at: path)
    images[path] = image
    return image
  }
}

protocol SearchService: Sendable { func matches(of text: String) async throws -> [String] }

@MainActor final class Search {
  private(set) var results: [String] = []
  private let service: any SearchService
  init(_ service: any SearchService) { self.service = service }

  func type(_ text: String) async {
    results = (try? await service.matches(of: text)) ?? []
  }
}

protocol SuggestionService: Sendable { func suggestions(for text: String) async -> [String] }

@MainActor final class DebouncedField {
  private(set) var suggestions: [String] = []
  private let service: any SuggestionService
  private var waiting: Task<Void, Never>?
  init(_ service: any SuggestionService) { self.service = service }

  @discardableResult func type(_ text: String) -> Task<Void, Never> {
    waiting?.cancel()
    let task = Task {
      do { try await Task.sleep(for: .milliseconds(300)) } catch { return }
      suggestions = await service.suggestions(for: text)
    }
    waiting = task
    return task
  }
}

protocol DownloadService: Sendable { func size(of file: String) async throws -> Int }

@MainActor final class DownloadManager {
  private(set) var running: [String] = []
  private let service: any DownloadService
  init(_ service: any DownloadService) { self.service = service }

  func start(_ file: String) async throws {
    guard !running.contains(file), running.count < 2 else { return }
    guard try await service.size(of: file) > 0 else { return }
    running.append(file)
  }
}

protocol MessageService: Sendable { func send(_ text: String) async throws }

@MainActor final class Outbox {
  private(set) var failed: [String] = []
  private var tries = 0
  private let service: any MessageService
  init(_ service: any MessageService) { self.service = service }

  func send(_ text: String) async {
    tries = 0
    while tries < 3 {
      do { return try await service.send(text) } catch { tries += 1 }
    }
    failed.append(text)
  }
}

protocol EventSubscriber: Sendable { func receive(_ event: Int) async }

@MainActor final class EventBus {
  private let subscribers: [any EventSubscriber]
  init(_ subscribers: [any EventSubscriber]) { self.subscribers = subscribers }

  func publish(_ event: Int) async {
    for subscriber in subscribers { await subscriber.receive(event) }
  }
}

protocol DraftService: Sendable { func save(_ text: String) async throws }

@MainActor final class Form {
  var text = "" { didSet { isDirty = true } }
  private(set) var isDirty = false
  private let service: any DraftService
  init(_ service: any DraftService) { self.service = service }

  func save() async {
    guard isDirty, (try? await service.save(text)) != nil else { return }
    isDirty = false
  }
}

protocol SessionService: Sendable {
  func logIn() async throws -> String
  func logOut() async
}

@MainActor final class Session {
  private(set) var user: String?
  private let service: any SessionService
  init(_ service: any SessionService) { self.service = service }

  func logIn() async { user = try? await service.logIn() }

  func logOut() async {
    user = nil
    await service.logOut()
  }
}
