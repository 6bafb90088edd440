// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

/// What the article shows; `Fixtures/IsolationModes` has it under the settings of a new Xcode project.
@Suite struct InANewXcodeProjectArticle {
  protocol FeedService: Sendable { func page(_ number: Int) async throws -> [Int] }

  struct FakeFeed: FeedService {
    func page(_ number: Int) async throws -> [Int] { [number, number + 1] }
  }

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

  enum Suspending {
    struct FakeFeed: FeedService {
      func page(_ number: Int) async throws -> [Int] {
        await Task.yield()
        return [number, number + 1]
      }
    }
  }

  @Test(arguments: [true, false]) func `a pull in the middle of another one is found without the settings`(
    _ suspends: Bool
  ) async {
    let result = await Explorer(executions: 100).run {
      let feed = await Feed(suspends ? Suspending.FakeFeed() : FakeFeed())
      async let first: Void = feed.pullToRefresh()
      async let second: Void = feed.pullToRefresh()
      _ = await (first, second)
      #expect(await feed.items == [1, 2])
    }
    #expect(result.failure != nil)
  }
}
