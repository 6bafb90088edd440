// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

/// A launch screen that routes when the answer to the login arrives, even if the user has cancelled meanwhile.
///
/// An invariant compares the tree with the session.
enum LateLogin {
  @MainActor protocol LaunchRouting: Routing {
    func routeToHome() async
    func routeToLogin() async
  }

  protocol Launch: Interactable {
    init()
    func wire(router: any LaunchRouting) async
    func didTapLogin() async
    func didTapCancel() async
    var isLoggedIn: Bool { get async }
  }

  final actor Buggy: Launch {
    nonisolated let lifecycle = InteractorLifecycle()
    private weak var router: (any LaunchRouting)?
    private(set) var isLoggedIn = false
    func wire(router: any LaunchRouting) { self.router = router }

    func didTapLogin() async {
      isLoggedIn = true
      await Server.answer()
      await router?.routeToHome()
    }

    func didTapCancel() async {
      isLoggedIn = false
      await router?.routeToLogin()
    }
  }

  final actor Repaired: Launch {
    nonisolated let lifecycle = InteractorLifecycle()
    private weak var router: (any LaunchRouting)?
    private(set) var isLoggedIn = false
    private var isRouting = false
    func wire(router: any LaunchRouting) { self.router = router }

    func didTapLogin() async {
      isLoggedIn = true
      await Server.answer()
      await route()
    }

    func didTapCancel() async {
      isLoggedIn = false
      await route()
    }

    /// Goes on until the tree is where the session is.
    private func route() async {
      Execution.sometimes("a tap comes while the tree changes", isRouting)
      guard !isRouting else { return }
      isRouting = true
      defer { isRouting = false }
      var routed: Bool?
      while routed != isLoggedIn {
        routed = isLoggedIn
        if isLoggedIn { await router?.routeToHome() } else { await router?.routeToLogin() }
      }
    }
  }

  final class LaunchRouter<Root: Launch>: Router<Root>, LaunchRouting {
    private(set) var home: ScreenRouter?

    func routeToHome() async {
      guard home == nil else { return }
      let router = ScreenRouter(interactor: ScreenInteractor())
      home = router
      await attachChild(router)
    }

    func routeToLogin() async {
      guard let home else { return }
      self.home = nil
      await detachChild(home)
    }
  }

  private static func fuzzer<Root: Launch>(_: Root.Type) -> TreeFuzzer<LaunchRouter<Root>> {
    TreeFuzzer {
      let router = LaunchRouter(interactor: Root())
      await router.interactor.wire(router: router)
      return router
    }
    .action("tap login") { await $0.interactor.didTapLogin() }
    .action("tap cancel") { await $0.interactor.didTapCancel() }
    .invariant("home is open while a user is logged in") { await $0.interactor.isLoggedIn == !$0.children.isEmpty }
  }

  static let canary = Canary(
    "late login", reaching: "a tap comes while the tree changes",
    breaks: "look again after an await",
    verdict: "Broken at rest: home is open while a user is logged in",
    buggy: fuzzer(Buggy.self), repaired: fuzzer(Repaired.self))
}
