// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

/// A screen that is woken by its interactor when the app comes back: it may have left by then, and nothing ends its activity.
///
/// The fuzzer needs no invariant.
enum WokenByHand {
  class LobbyRouter: Router<ScreenInteractor> {
    fileprivate var screen: ScreenRouter?
    fileprivate var last: ScreenRouter?

    func enter() async {
      guard screen == nil else { return }
      let next = ScreenRouter(interactor: ScreenInteractor())
      (screen, last) = (next, next)
      await attachChild(next)
    }

    func leave() async {
      guard let screen else { return }
      self.screen = nil
      await detachChild(screen)
    }

    func comeBack() async {}
  }

  final class Buggy: LobbyRouter {
    override func comeBack() async { await last?.interactor.activate() }
  }

  final class Repaired: LobbyRouter {
    override func comeBack() async {
      Execution.sometimes("the app comes back when the screen has left", last != nil && screen == nil)
      guard let screen else { return }
      await screen.interactor.activate()
      // It may have left while it was activated.
      if self.screen !== screen { await screen.interactor.deactivate() }
    }
  }

  private static func fuzzer(_ make: @escaping @MainActor @Sendable (ScreenInteractor) -> LobbyRouter) -> TreeFuzzer<
    LobbyRouter
  > {
    TreeFuzzer { make(ScreenInteractor()) }
      .action("enter") { await $0.enter() }
      .action("leave") { await $0.leave() }
      .action("come back") { await $0.comeBack() }
  }

  static let canary = Canary(
    "woken by hand", reaching: "the app comes back when the screen has left",
    breaks: "L3: the tree alone activates what is attached",
    verdict: "L3 strayActivity: ScreenInteractor", buggy: fuzzer(Buggy.init), repaired: fuzzer(Repaired.init))
}
