// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

/// A "try again" that deactivates and activates a child's interactor by hand: if the page above is deactivated in
/// between, the child wakes below it.
///
/// The contract leaves that to the caller; an invariant sees the
/// feed run below a page that is covered.
enum RestartedBelowDormant {
  class CoverRouter: Router<ScreenInteractor> {
    fileprivate(set) var feed = ScreenRouter(interactor: ScreenInteractor())
    override func didLoad() async { await attachChild(feed) }
    func tryAgain() async {}

    fileprivate var isCovered = false
    fileprivate func cover() async {
      isCovered = true
      await interactor.deactivate()
    }

    fileprivate func uncover() async {
      isCovered = false
      await interactor.activate()
    }
  }

  final class Buggy: CoverRouter {
    override func tryAgain() async {
      await feed.interactor.deactivate()
      await Server.answer()
      await feed.interactor.activate()
    }
  }

  final class Repaired: CoverRouter {
    override func tryAgain() async {
      let failed = feed
      feed = ScreenRouter(interactor: ScreenInteractor())
      await attachChild(feed)
      Execution.sometimes("the page is covered while the feed is changed", isCovered)
      await detachChild(failed)
    }
  }

  private static func fuzzer(_ make: @escaping @MainActor @Sendable (ScreenInteractor) -> CoverRouter) -> TreeFuzzer<
    CoverRouter
  > {
    TreeFuzzer { make(ScreenInteractor()) }
      .action("tap try again") { await $0.tryAgain() }
      .action("page is covered") { await $0.cover() }
      .action("page is uncovered") { await $0.uncover() }
      .invariant("nothing runs on a covered page") { page in
        let isFeedActive = await page.feed.interactor.isActive
        return await page.interactor.isActive || !isFeedActive
      }
  }

  static let canary = Canary(
    "restarted below a dormant router", reaching: "the page is covered while the feed is changed",
    breaks: "T7: the tree alone activates what is attached",
    verdict: "Broken at rest: nothing runs on a covered page", buggy: fuzzer(Buggy.init),
    repaired: fuzzer(Repaired.init))
}
