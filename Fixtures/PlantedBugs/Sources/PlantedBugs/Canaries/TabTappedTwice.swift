// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

/// A tab bar that keeps the router of its settings.
///
/// It notes that they are shown only when they are attached: a second tap attaches the same router again. The fuzzer
/// needs no invariant, since that is misuse.
enum TabTappedTwice {
  class TabBarRouter: Router<ScreenInteractor> {
    fileprivate let settings = PageRouter(interactor: PageInteractor())
    fileprivate var isShowingSettings = false

    func showSettings() async {}

    func hideSettings() async {
      guard isShowingSettings else { return }
      isShowingSettings = false
      await detachChild(settings)
    }
  }

  final class Buggy: TabBarRouter {
    override func showSettings() async {
      guard !isShowingSettings else { return }
      await attachChild(settings)
      isShowingSettings = true
    }
  }

  final class Repaired: TabBarRouter {
    private var isAttaching = false

    override func showSettings() async {
      Execution.sometimes("a tap comes while the settings are attached", isAttaching)
      guard !isShowingSettings else { return }
      isShowingSettings = true
      isAttaching = true
      await attachChild(settings)
      isAttaching = false
    }
  }

  private static func fuzzer(_ make: @escaping @MainActor @Sendable (ScreenInteractor) -> TabBarRouter) -> TreeFuzzer<
    TabBarRouter
  > {
    TreeFuzzer { make(ScreenInteractor()) }
      .action("tap settings") { await $0.showSettings() }
      .action("tap home") { await $0.hideSettings() }
  }

  static let canary = Canary(
    "tab tapped twice", reaching: "a tap comes while the settings are attached",
    breaks: "T2: a router is attached once",
    verdict: "M1 misuse: attachChild was called on Buggy with PageRouter, which is attached to Buggy already",
    buggy: fuzzer(Buggy.init), repaired: fuzzer(Repaired.init))
}
