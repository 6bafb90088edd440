// SPDX-License-Identifier: Apache-2.0
import Napkin

@testable import RibHouse

/// The table with a bug that is easily written: the guard is passed by a second tap while `build` is suspended.
final class HastyLoggedInRouter: ViewableRouter<LoggedInInteractor, any LoggedInViewControllable>, LoggedInRouting {
  private let pitBoardBuilder: any PitBoardBuildable
  private let announcementsBuilder: any AnnouncementsBuildable
  private var pitBoard: (any PitBoardRouting)?

  init(
    interactor: LoggedInInteractor,
    viewController: any LoggedInViewControllable,
    pitBoardBuilder: any PitBoardBuildable,
    announcementsBuilder: any AnnouncementsBuildable
  ) {
    self.announcementsBuilder = announcementsBuilder
    self.pitBoardBuilder = pitBoardBuilder
    super.init(interactor: interactor, viewController: viewController)
  }

  override func didLoad() async {
    await super.didLoad()
    await attachChild(await announcementsBuilder.build(withListener: interactor))
  }

  func routeToPitBoard() async {
    guard pitBoard == nil else { return }
    let router = await pitBoardBuilder.build(withListener: interactor)
    pitBoard = router
    await attachChild(router)
    viewController.showPitBoard(router.viewControllable)
  }

  func routeBackFromPitBoard(_: any PitBoardRouting) async {
    guard let router = pitBoard else { return }
    pitBoard = nil
    viewController.showPitBoard(nil)
    await detachChild(router)
  }

  func routeToMenu(dish: String?) async {}
  func routeBackFromMenu(_: any MenuRouting) async {}
}

final class HastyLoggedInBuilder: Builder<any LoggedInDependency>, LoggedInBuildable, @unchecked Sendable {
  @MainActor
  func build(withListener listener: any LoggedInListener, guest: Guest) async -> any LoggedInRouting {
    let viewController = LoggedInViewController()
    let component = LoggedInComponent(dependency: dependency)
    let interactor = LoggedInInteractor(
      presenter: viewController, guest: guest, kitchen: component.specialsService,
      refill: RefillWorker(pantry: component.pantry))
    let router = HastyLoggedInRouter(
      interactor: interactor,
      viewController: viewController,
      pitBoardBuilder: PitBoardBuilder(dependency: component),
      announcementsBuilder: AnnouncementsBuilder(dependency: component)
    )
    await interactor.wire(router: router, listener: listener)
    viewController.listener = interactor
    return router
  }
}
