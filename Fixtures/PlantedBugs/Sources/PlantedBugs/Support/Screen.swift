// SPDX-License-Identifier: Apache-2.0
import Napkin

/// A screen that does nothing, for canaries that are about the code that shows it.
final actor ScreenInteractor: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
}

final class ScreenRouter: Router<ScreenInteractor> {}

final class ScreenBuilder: Builder<any EmptyDependency>, @unchecked Sendable {
  convenience init() { self.init(dependency: EmptyComponent()) }

  /// Building takes a moment, as it does wherever a view is made or an interactor is wired.
  @MainActor
  func build() async -> ScreenRouter {
    await Server.answer()
    return ScreenRouter(interactor: ScreenInteractor())
  }
}

/// A screen that has something to load when it comes, and something to save when it goes.
final actor PageInteractor: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
  func didBecomeActive() async { await Server.answer() }
  func willResignActive() async { await Server.answer() }
}

final class PageRouter: Router<PageInteractor> {}
