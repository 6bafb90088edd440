// SPDX-License-Identifier: Apache-2.0
import Napkin

protocol LoggedInListener: AnyObject, Sendable {
  func loggedInDidRequestLogout() async
}

protocol LoggedInPresentable: Presentable, Sendable {
  var listener: (any LoggedInPresentableListener)? { get set }
  func presentGuest(_ guest: Guest) async
  /// Shows a special above everything else, or takes it away.
  func presentBanner(_ special: Special?) async
}

/// The table of a guest.
final actor LoggedInInteractor: PresentableInteractable, LoggedInPresentableListener, PitBoardListener,
  AnnouncementsListener
{
  nonisolated let lifecycle = InteractorLifecycle()
  nonisolated let presenter: any LoggedInPresentable
  private let guest: Guest
  private weak var router: (any LoggedInRouting)?
  private weak var listener: (any LoggedInListener)?

  init(presenter: any LoggedInPresentable, guest: Guest) {
    self.presenter = presenter
    self.guest = guest
  }

  func wire(router: (any LoggedInRouting)?, listener: (any LoggedInListener)?) {
    self.router = router
    self.listener = listener
  }

  func didBecomeActive() async {
    await presenter.presentGuest(guest)
  }

  func didTapPitBoard() async {
    await router?.routeToPitBoard()
  }

  func didTapDismissBanner() async {
    await presenter.presentBanner(nil)
  }

  func didTapLogout() async {
    await listener?.loggedInDidRequestLogout()
  }

  func pitBoardDidClose() async {
    await router?.routeBackFromPitBoard()
  }

  func announcementsDidHear(_ special: Special) async {
    await presenter.presentBanner(special)
  }
}
