// SPDX-License-Identifier: Apache-2.0
import Napkin

@MainActor
protocol LoggedInRouting: ViewableRouting {
  func routeToPitBoard() async
  func routeBackFromPitBoard() async
  /// Opens the menu at a dish; if it is open already, only the dish is selected.
  func routeToMenu(dish: String?) async
  func routeBackFromMenu() async
}

extension LoggedInRouting {
  /// Opens what a link names.
  func open(_ link: DeepLink) async {
    switch link {
    case .menu(let dish): await routeToMenu(dish: dish)
    }
  }
}

@MainActor
protocol LoggedInViewControllable: ViewControllable {
  func showPitBoard(_ viewController: any ViewControllable)
  func hidePitBoard()
  func pushMenu(_ viewController: any ViewControllable)
  /// Does nothing if the user has popped it already.
  func popMenu()
}

/// Always has the announcements below it, and the pit board while the guest looks at it.
final class LoggedInRouter: ViewableRouter<LoggedInInteractor, any LoggedInViewControllable>, LoggedInRouting {
  private let pitBoardBuilder: any PitBoardBuildable
  private let announcementsBuilder: any AnnouncementsBuildable
  private var pitBoard: (any PitBoardRouting)?
  private var isBuildingPitBoard = false
  private let menuBuilder: any MenuBuildable
  private var menu: (any MenuRouting)?
  private var isBuildingMenu = false

  init(
    interactor: LoggedInInteractor,
    viewController: any LoggedInViewControllable,
    pitBoardBuilder: any PitBoardBuildable,
    announcementsBuilder: any AnnouncementsBuildable,
    menuBuilder: any MenuBuildable
  ) {
    self.pitBoardBuilder = pitBoardBuilder
    self.announcementsBuilder = announcementsBuilder
    self.menuBuilder = menuBuilder
    super.init(interactor: interactor, viewController: viewController)
  }

  override func didLoad() async {
    await super.didLoad()
    await attachChild(await announcementsBuilder.build(withListener: interactor))
  }

  func routeToPitBoard() async {
    // The slot is taken before the first suspension: `build` suspends, and a second tap may arrive meanwhile.
    guard pitBoard == nil, !isBuildingPitBoard else { return }
    isBuildingPitBoard = true
    let router = await pitBoardBuilder.build(withListener: interactor)
    isBuildingPitBoard = false
    pitBoard = router
    await attachChild(router)
    // It may have been closed while it was being attached.
    guard pitBoard === router else { return }
    viewController.showPitBoard(router.viewControllable)
  }

  func routeBackFromPitBoard() async {
    guard let router = pitBoard else { return }
    pitBoard = nil
    viewController.hidePitBoard()
    await detachChild(router)
  }

  func routeToMenu(dish: String?) async {
    if let menu, let dish { await menu.select(dish) }
    guard menu == nil, !isBuildingMenu else { return }
    isBuildingMenu = true
    let router = await menuBuilder.build(withListener: interactor, dish: dish)
    isBuildingMenu = false
    menu = router
    await attachChild(router)
    guard menu === router else { return }
    viewController.pushMenu(router.viewControllable)
  }

  /// The view comes first here: the user has popped it, and the tree follows.
  func routeBackFromMenu() async {
    guard let router = menu else { return }
    menu = nil
    viewController.popMenu()
    await detachChild(router)
  }
}
