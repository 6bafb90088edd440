// SPDX-License-Identifier: Apache-2.0

import Napkin

/// A feature small enough to be read at a glance: a home with a profile that is built, which takes time, and attached.
@MainActor
class HomeRouter: Router<HomeInteractor> {
  fileprivate(set) var profile: Router<ProfileInteractor>?
  var isUntidy = false
  var count = 0

  /// Building takes a moment, as it does wherever a view is made or an interactor is wired.
  fileprivate func buildProfile() async -> Router<ProfileInteractor> {
    await Task.yield()
    return Router(interactor: ProfileInteractor())
  }

  func routeToProfile() async {}

  func routeBackFromProfile() async {
    guard let profile else { return }
    self.profile = nil
    await detachChild(profile)
  }
}

/// Takes the slot before it suspends: sound.
final class CarefulHomeRouter: HomeRouter {
  private var isRouting = false

  override func routeToProfile() async {
    guard profile == nil, !isRouting else { return }
    isRouting = true
    let router = await buildProfile()
    isRouting = false
    profile = router
    await attachChild(router)
  }
}

/// Looks, suspends and then acts: two taps get past the guard, and one profile is never detached.
final class HastyHomeRouter: HomeRouter {
  override func routeToProfile() async {
    guard profile == nil else { return }
    let router = await buildProfile()
    profile = router
    await attachChild(router)
  }
}

final actor HomeInteractor: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
  private var router: HomeRouter?

  /// Closes a cycle, as a strong `router` does.
  func hold(_ router: HomeRouter?) { self.router = router }
}

final actor ProfileInteractor: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
}
