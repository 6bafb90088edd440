// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

/// A feed that notes the page that it loads only when the page is there: a scroll meanwhile loads it again.
///
/// An invariant sees a post twice.
enum PageLoadedTwice {
  protocol Feed: Interactable {
    init()
    func didScrollToEnd() async
    var posts: [Int] { get async }
  }

  static func page(after count: Int) async -> [Int] {
    await Server.answer()
    return [count + 1, count + 2]
  }

  final actor Buggy: Feed {
    nonisolated let lifecycle = InteractorLifecycle()
    private(set) var posts: [Int] = []

    func didScrollToEnd() async {
      let page = await PageLoadedTwice.page(after: posts.count)
      posts += page
    }
  }

  final actor Repaired: Feed {
    nonisolated let lifecycle = InteractorLifecycle()
    private(set) var posts: [Int] = []
    private var isLoading = false

    func didScrollToEnd() async {
      Execution.sometimes("a scroll comes while a page is loaded", isLoading)
      guard !isLoading else { return }
      isLoading = true
      defer { isLoading = false }
      posts += await PageLoadedTwice.page(after: posts.count)
    }
  }

  private static func fuzzer<Root: Feed>(_: Root.Type) -> TreeFuzzer<Router<Root>> {
    TreeFuzzer { Router(interactor: Root()) }
      .action("scroll to end") { await $0.interactor.didScrollToEnd() }
      .invariant("each post is shown once") { root in
        let posts = await root.interactor.posts
        return Set(posts).count == posts.count
      }
  }

  static let canary = Canary(
    "page loaded twice", reaching: "a scroll comes while a page is loaded",
    breaks: "an actor lets others in at each await",
    verdict: "Broken at rest: each post is shown once",
    buggy: fuzzer(Buggy.self), repaired: fuzzer(Repaired.self))
}
