// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

/// A home with a profile.
///
/// The router looks whether there is one, awaits the builder, and only then takes the slot: a second tap gets past the
/// guard. An invariant sees two profiles.
enum DoubleTap {
  class HomeRouter: Router<ScreenInteractor> {
    fileprivate let builder = ScreenBuilder()
    fileprivate var profile: ScreenRouter?

    func routeToProfile() async {}

    func routeBackFromProfile() async {
      guard let profile else { return }
      self.profile = nil
      await detachChild(profile)
    }
  }

  final class Buggy: HomeRouter {
    override func routeToProfile() async {
      guard profile == nil else { return }
      let router = await builder.build()
      profile = router
      await attachChild(router)
    }
  }

  final class Repaired: HomeRouter {
    private var isRouting = false

    override func routeToProfile() async {
      Execution.sometimes("a tap comes while the profile is built", isRouting)
      guard profile == nil, !isRouting else { return }
      isRouting = true
      let router = await builder.build()
      isRouting = false
      profile = router
      await attachChild(router)
    }
  }

  static func fuzzer(_ make: @escaping @MainActor @Sendable (ScreenInteractor) -> HomeRouter) -> TreeFuzzer<HomeRouter>
  {
    TreeFuzzer { make(ScreenInteractor()) }
      .action("tap profile") { await $0.routeToProfile() }
      .action("tap back") { await $0.routeBackFromProfile() }
      .invariant("there is one profile at most") { $0.children.count <= 1 }
  }

  static let canary = Canary(
    "double tap", reaching: "a tap comes while the profile is built",
    breaks: "take the slot before the first await", verdict: "Broken at rest: there is one profile",
    buggy: fuzzer(Buggy.init), repaired: fuzzer(Repaired.init))
}
