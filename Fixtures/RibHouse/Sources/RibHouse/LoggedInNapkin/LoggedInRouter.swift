// SPDX-License-Identifier: Apache-2.0
import Napkin

@MainActor
protocol LoggedInRouting: ViewableRouting {
  func routeToPitBoard() async
  func routeBackFromPitBoard(_ pitBoard: any PitBoardRouting) async
  /// Opens the menu at a dish; if it is open already, only the dish is selected.
  func routeToMenu(dish: String?) async
  func routeBackFromMenu(_ menu: any MenuRouting) async
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
  /// Shows the pit board; nil hides it.
  func showPitBoard(_ viewController: (any ViewControllable)?)
  /// Shows the menu; nil hides it, unless the user has popped it already.
  func showMenu(_ viewController: (any ViewControllable)?)
}

/// Always has the announcements below it, and the pit board while the guest looks at it.
final class LoggedInRouter: ViewableRouter<LoggedInInteractor, any LoggedInViewControllable>, LoggedInRouting {
  private let pitBoardBuilder: any PitBoardBuildable
  private let announcementsBuilder: any AnnouncementsBuildable
  private let menuBuilder: any MenuBuildable
  private lazy var pitBoard = ChildSlot<any PitBoardRouting>(of: self) { [viewController] _, pitBoard in
    viewController.showPitBoard(pitBoard?.viewControllable)
  }
  private lazy var menu = ChildSlot<any MenuRouting>(of: self) { [viewController] _, menu in
    viewController.showMenu(menu?.viewControllable)
  }

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
    guard !pitBoard.isTaken else { return }
    await pitBoard.show { await pitBoardBuilder.build(withListener: interactor) }
  }

  func routeBackFromPitBoard(_ closed: any PitBoardRouting) async { await pitBoard.clear(closed) }

  func routeToMenu(dish: String?) async {
    guard let open = menu.child else {
      await menu.show { await menuBuilder.build(withListener: interactor, dish: dish) }
      return
    }
    if let dish { await open.select(dish) }
  }

  func routeBackFromMenu(_ closed: any MenuRouting) async { await menu.clear(closed) }
}
