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
  AnnouncementsListener, MenuListener
{
  /// How long a banner is shown, unless it is dismissed.
  static let bannerTime = Duration.seconds(3)

  nonisolated let lifecycle = InteractorLifecycle()
  nonisolated let presenter: any LoggedInPresentable
  private let guest: Guest
  private let kitchen: any SpecialsService
  private let refill: RefillWorker
  private weak var router: (any LoggedInRouting)?
  private weak var listener: (any LoggedInListener)?
  /// Counts what was done to the banner, so that the time of an earlier banner does not clear a later one.
  private var bannerChanges = 0

  init(presenter: any LoggedInPresentable, guest: Guest, kitchen: any SpecialsService, refill: RefillWorker) {
    self.presenter = presenter
    self.guest = guest
    self.kitchen = kitchen
    self.refill = refill
  }

  func wire(router: (any LoggedInRouting)?, listener: (any LoggedInListener)?) {
    self.router = router
    self.listener = listener
  }

  func didBecomeActive() async {
    await presenter.presentGuest(guest)
    start(refill)
    // The two callbacks alternate, so the kitchen is open while there is a table, and closed once for each time.
    await kitchen.open()
  }

  func willResignActive() async {
    await kitchen.close()
  }

  func didTapPitBoard() async {
    await router?.routeToPitBoard()
  }

  func didTapMenu() async {
    await router?.routeToMenu(dish: nil)
  }

  func didTapDismissBanner() async {
    await showBanner(nil)
  }

  func didTapLogout() async {
    await listener?.loggedInDidRequestLogout()
  }

  func pitBoardDidClose(_ pitBoard: any PitBoardRouting) async {
    await router?.routeBackFromPitBoard(pitBoard)
  }

  func announcementsDidHear(_ special: Special) async {
    await showBanner(special)
  }

  func menuDidClose(_ menu: any MenuRouting) async {
    await router?.routeBackFromMenu(menu)
  }

  private func showBanner(_ special: Special?) async {
    bannerChanges += 1
    let change = bannerChanges
    await presenter.presentBanner(special)
    guard special != nil else { return }
    task { [weak self] in
      guard (try? await Task.sleep(for: Self.bannerTime)) != nil else { return }
      await self?.bannerTimeIsOver(after: change)
    }
  }

  private func bannerTimeIsOver(after change: Int) async {
    guard change == bannerChanges else { return }
    await showBanner(nil)
  }
}
