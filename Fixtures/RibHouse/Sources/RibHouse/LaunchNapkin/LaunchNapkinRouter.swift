// SPDX-License-Identifier: Apache-2.0
import Napkin

@MainActor
protocol LaunchViewControllable: ViewControllable {
  func show(_ viewController: (any ViewControllable)?)
}

/// Swaps the logged-out napkin for the logged-in one, and back.
class LaunchNapkinRouter: LaunchRouter<LaunchInteractor, any LaunchViewControllable>,
  LaunchNapkinRouting
{
  private let loggedOutBuilder: any LoggedOutBuildable
  private let loggedInBuilder: any LoggedInBuildable

  private var session: Session?
  private lazy var screen = ChildSlot<any ViewableRouting>(of: self) { [viewController] _, child in
    viewController.show(child?.viewControllable)
  }
  /// A link that no table has taken yet.
  private(set) var pendingLink: DeepLink?

  init(
    interactor: LaunchInteractor,
    viewController: any LaunchViewControllable,
    loggedOutBuilder: any LoggedOutBuildable,
    loggedInBuilder: any LoggedInBuildable
  ) {
    self.loggedOutBuilder = loggedOutBuilder
    self.loggedInBuilder = loggedInBuilder
    super.init(interactor: interactor, viewController: viewController)
  }

  /// The napkin of the newest session stays; the one that is there is not built again.
  func route(to session: Session) async {
    guard session != self.session else { return }
    self.session = session
    await screen.show { await build(for: session) }
    await openPendingLink()
  }

  /// Has the table that is there open a link.
  ///
  /// If there is none it waits for the next one: at the door, or while a
  /// session changes. A logout that overtakes it takes the menu away together with the table.
  func open(_ link: DeepLink) async {
    pendingLink = link
    await openPendingLink()
  }

  private func openPendingLink() async {
    guard pendingLink != nil, let table = screen.child as? any LoggedInRouting else { return }
    // It throws where the table leaves first: the link waits for the next one.
    guard (try? await table.interactable.lifecycle.whenActive()) != nil else { return }
    // Nothing suspends between the look at the table and the taking of the link, so it is neither lost nor opened twice.
    guard let link = pendingLink, screen.child === table else { return }
    pendingLink = nil
    await table.open(link)
  }

  private func build(for session: Session) async -> any ViewableRouting {
    switch session {
    case .loggedOut: await loggedOutBuilder.build(withListener: interactor)
    case .loggedIn(let guest): await loggedInBuilder.build(withListener: interactor, guest: guest)
    }
  }
}
