// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

/// An interactor that holds its router, which holds it.
///
/// Nothing of it is ever released, and the fuzzer reports what is left without an invariant.
enum StrongRouter {
  @MainActor protocol HomeRouting: Routing { func routeToProfile() async }

  protocol HomeInteracting: Interactable {
    func wire(router: any HomeRouting)
    func didTapProfile() async
  }

  final actor Buggy: HomeInteracting {
    nonisolated let lifecycle = InteractorLifecycle()
    private var router: (any HomeRouting)?
    func wire(router: any HomeRouting) { self.router = router }
    func didTapProfile() async { await router?.routeToProfile() }
  }

  final actor Repaired: HomeInteracting {
    nonisolated let lifecycle = InteractorLifecycle()
    private weak var router: (any HomeRouting)?
    func wire(router: any HomeRouting) { self.router = router }
    func didTapProfile() async {
      Execution.sometimes("a tap finds its router", router != nil)
      await router?.routeToProfile()
    }
  }

  final class HomeRouter<Interactor: HomeInteracting>: Router<Interactor>, HomeRouting {
    private var profile: ScreenRouter?

    func routeToProfile() async {
      guard profile == nil else { return }
      let router = ScreenRouter(interactor: ScreenInteractor())
      profile = router
      await attachChild(router)
    }
  }

  private static func fuzzer<Interactor: HomeInteracting>(
    _ make: @escaping @Sendable () -> Interactor
  ) -> TreeFuzzer<HomeRouter<Interactor>> {
    TreeFuzzer {
      let router = HomeRouter(interactor: make())
      await router.interactor.wire(router: router)
      return router
    }
    .action("tap profile") { await $0.interactor.didTapProfile() }
  }

  static let canary = Canary(
    "strong router", reaching: "a tap finds its router",
    breaks: "an interactor holds its router weakly",
    verdict: "T10 release: ",
    buggy: fuzzer { Buggy() }, repaired: fuzzer { Repaired() })
}
