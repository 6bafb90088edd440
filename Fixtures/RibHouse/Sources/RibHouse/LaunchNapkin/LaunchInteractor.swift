// SPDX-License-Identifier: Apache-2.0
import Napkin

/// Routing, as the interactor knows it; `LaunchRouting` is what Napkin calls the root of any tree.
@MainActor
protocol LaunchNapkinRouting: HouseRouting {
  /// Puts the napkin of a session under this one, in place of the one that is there.
  func route(to session: Session) async
}

/// Has no screen of its own: it owns the session, and sees to it that the right napkin is there for it.
final actor LaunchInteractor: Interactable, LoggedOutListener, LoggedInListener {
  nonisolated let lifecycle = InteractorLifecycle()
  private let auth: any AuthService
  private weak var router: (any LaunchNapkinRouting)?

  init(auth: any AuthService) {
    self.auth = auth
  }

  func wire(router: (any LaunchNapkinRouting)?) {
    self.router = router
  }

  func didBecomeActive() async {
    // The service is the only source of the session. If taps routed as well, the two could disagree.
    task { [auth, weak router] in
      for await session in auth.sessions() {
        await router?.route(to: session)
      }
    }
  }

  func loggedOutDidRequestLogin() async throws {
    try await auth.login()
  }

  func loggedInDidRequestLogout() async {
    await auth.logout()
  }
}
