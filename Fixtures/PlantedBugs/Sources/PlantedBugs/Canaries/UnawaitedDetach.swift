// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

/// A mini player that moves from one page to another: the detach is sent off in a `Task`, and the attach may come
/// first.
///
/// The fuzzer needs no invariant, since a second parent is misuse.
enum UnawaitedDetach {
  class PagesRouter: Router<ScreenInteractor> {
    fileprivate let pages = [
      ScreenRouter(interactor: ScreenInteractor()), ScreenRouter(interactor: ScreenInteractor()),
    ]
    fileprivate let player = ScreenRouter(interactor: ScreenInteractor())
    fileprivate var page = 0

    override func didLoad() async {
      for page in pages { await attachChild(page) }
      await pages[page].attachChild(player)
    }

    func turnPage() async {}
  }

  final class Buggy: PagesRouter {
    override func turnPage() async {
      let previous = pages[page]
      page = 1 - page
      Task { await previous.detachChild(player) }
      await pages[page].attachChild(player)
    }
  }

  final class Repaired: PagesRouter {
    private var isTurning = false

    override func turnPage() async {
      Execution.sometimes("a page is turned while the last one is", isTurning)
      guard !isTurning else { return }
      isTurning = true
      let previous = pages[page]
      page = 1 - page
      await previous.detachChild(player)
      await pages[page].attachChild(player)
      isTurning = false
    }
  }

  private static func fuzzer(_ make: @escaping @MainActor @Sendable (ScreenInteractor) -> PagesRouter) -> TreeFuzzer<
    PagesRouter
  > {
    TreeFuzzer { make(ScreenInteractor()) }
      .action("turn page") { await $0.turnPage() }
  }

  static let canary = Canary(
    "unawaited detach", reaching: "a page is turned while the last one is",
    breaks: "T2: detach, then attach elsewhere",
    verdict:
      "M1 misuse: attachChild was called on ScreenRouter with ScreenRouter, which is attached to ScreenRouter already",
    buggy: fuzzer(Buggy.init), repaired: fuzzer(Repaired.init))
}
