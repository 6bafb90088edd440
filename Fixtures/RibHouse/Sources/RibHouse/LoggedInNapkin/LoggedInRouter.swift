// SPDX-License-Identifier: Apache-2.0
import Napkin

@MainActor
protocol LoggedInRouting: ViewableRouting {
  func routeToPitBoard() async
  func routeBackFromPitBoard() async
}

@MainActor
protocol LoggedInViewControllable: ViewControllable {
  func showPitBoard(_ viewController: any ViewControllable)
  func hidePitBoard()
}

/// Always has the announcements below it, and the pit board while the guest looks at it.
final class LoggedInRouter: ViewableRouter<LoggedInInteractor, any LoggedInViewControllable>, LoggedInRouting {
  private let pitBoardBuilder: any PitBoardBuildable
  private let announcementsBuilder: any AnnouncementsBuildable
  private var pitBoard: (any PitBoardRouting)?
  private var isBuildingPitBoard = false

  init(
    interactor: LoggedInInteractor,
    viewController: any LoggedInViewControllable,
    pitBoardBuilder: any PitBoardBuildable,
    announcementsBuilder: any AnnouncementsBuildable
  ) {
    self.pitBoardBuilder = pitBoardBuilder
    self.announcementsBuilder = announcementsBuilder
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
}
