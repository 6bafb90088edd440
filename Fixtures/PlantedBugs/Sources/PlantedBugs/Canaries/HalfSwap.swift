// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

/// A swap in halves: the old tab is detached, then the new one built, then that is attached, with an await at each seam
/// where another swap comes in.
///
/// An invariant sees two tabs.
enum HalfSwap {
  class TabsRouter: Router<ScreenInteractor> {
    fileprivate let builder = ScreenBuilder()
    fileprivate var tab: ScreenRouter?

    override func didLoad() async { await select() }

    func select() async {}
  }

  final class Buggy: TabsRouter {
    override func select() async {
      if let tab { await detachChild(tab) }
      let next = await builder.build()
      tab = next
      await attachChild(next)
    }
  }

  final class Repaired: TabsRouter {
    override func select() async {
      let shown = tab
      let next = await builder.build()
      // No other call runs in between here: the next swap finds this one, and both calls are registered in that order.
      let previous = tab
      Execution.sometimes("another swap is done while a tab is built", previous !== shown)
      tab = next
      await attachChild(next)
      if let previous { await detachChild(previous) }
    }
  }

  private static func fuzzer(_ make: @escaping @MainActor @Sendable (ScreenInteractor) -> TabsRouter) -> TreeFuzzer<
    TabsRouter
  > {
    TreeFuzzer { make(ScreenInteractor()) }
      .action("tap feed") { await $0.select() }
      .action("tap profile") { await $0.select() }
      .invariant("there is one tab") { $0.children.count == 1 }
  }

  static let canary = Canary(
    "half swap", reaching: "another swap is done while a tab is built",
    breaks: "change the slot in one go, then await", verdict: "Broken at rest: there is one tab",
    buggy: fuzzer(Buggy.init), repaired: fuzzer(Repaired.init))
}
