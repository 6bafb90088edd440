// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

@testable import RibHouse

@Suite(.leakChecked) struct LoggedInInteractorTests {
  @Test func `a guest is greeted when the table is theirs`() async {
    let (interactor, _, presenter) = await makeTable()
    await interactor.activate()
    #expect(presenter.events == [.presentGuest(Guest(name: "Ada"))])
    await interactor.deactivate()
  }

  @Test func `a tap on log out is passed up`() async {
    let (interactor, listener, _) = await makeTable()
    await interactor.didTapLogout()
    #expect(listener.events == [.didRequestLogout])
  }

  @Test func `a special is shown until it is dismissed`() async {
    let (interactor, _, presenter) = await makeTable()
    let special = Special(dish: "burnt ends", price: 1_250)
    await interactor.announcementsDidHear(special)
    await interactor.didTapDismissBanner()
    #expect(presenter.events == [.presentBanner(special), .presentBanner(nil)])
  }

  @Test(.interleavings(300, seed: 1)) func `a banner clears itself after its time, and an old one clears no new one`()
    async
  {
    let (interactor, _, presenter) = await makeTable()
    await interactor.activate()
    let first = Special(dish: "burnt ends", price: 1_250)
    let second = Special(dish: "cornbread", price: 350)
    await interactor.announcementsDidHear(first)
    try? await Task.sleep(for: .seconds(2))
    let announced = Execution.clock.now
    await interactor.announcementsDidHear(second)
    while presenter.events.last != .presentBanner(nil) { try? await Task.sleep(for: .milliseconds(100)) }
    #expect(announced.duration(to: Execution.clock.now) >= LoggedInInteractor.bannerTime)
    await interactor.deactivate()
  }

  private func makeTable() async -> (LoggedInInteractor, LoggedInListenerMock, LoggedInPresentableMock) {
    let listener = LoggedInListenerMock()
    let presenter = LoggedInPresentableMock()
    let house = HouseMock()
    let interactor = LoggedInInteractor(
      presenter: presenter, guest: Guest(name: "Ada"), kitchen: house, refill: RefillWorker(pantry: house.pantry))
    await interactor.wire(router: nil, listener: listener)
    return (interactor, listener, presenter)
  }
}

@MainActor
@Suite(.leakChecked) struct LoggedInRouterTests {
  private let view = LoggedInViewControllerMock()
  private let house = HouseMock()
  private let pitBoardBuilder = PitBoardBuilderMock { _ in PitBoardRouterMock() }
  private let menuBuilder = MenuBuilderMock { _ in MenuRouterMock() }

  @Test func `loading attaches the announcements`() async {
    let router = makeRouter()
    await router.load()
    #expect(router.children.count == 1)
    #expect(router.children.first is AnnouncementsRouterMock)
  }

  @Test func `the pit board is built for the interactor, attached and shown`() async {
    let router = makeRouter()
    await router.routeToPitBoard()
    #expect(pitBoardBuilder.arguments.first === router.interactor)
    #expect(router.children.first is PitBoardRouterMock)
    #expect(view.shown === (router.children.first as? PitBoardRouterMock)?.viewControllable)
  }

  @Test func `a second tap builds nothing`() async {
    let router = makeRouter()
    await router.routeToPitBoard()
    await router.routeToPitBoard()
    #expect(pitBoardBuilder.buildCount == 1)
  }

  @Test func `a link to the menu opens it at the dish, or selects the dish in the open one`() async {
    let router = makeRouter()
    await router.open(.menu(dish: "Chicken"))
    await router.open(.menu(dish: "Brisket"))
    #expect(menuBuilder.arguments == ["Chicken"])
    #expect((router.children.first as? MenuRouterMock)?.selected == ["Brisket"])
    #expect(view.menu === (router.children.first as? MenuRouterMock)?.viewControllable)
  }

  @Test func `going back detaches the menu that was popped, and no later one`() async {
    let router = makeRouter()
    await router.routeToMenu(dish: nil)
    guard let menu = router.children.first as? MenuRouterMock else { return #expect(Bool(false), "no menu is open") }
    await router.routeBackFromMenu(menu)
    await router.routeBackFromMenu(menu)
    #expect(view.menu == nil)
    #expect(router.children.isEmpty)
    await router.routeToMenu(dish: nil)
    await router.routeBackFromMenu(menu)
    #expect(view.menu != nil)
  }

  @Test func `closing the pit board hides and detaches it`() async {
    let router = makeRouter()
    await router.routeToPitBoard()
    guard let board = router.children.first as? any PitBoardRouting else {
      return #expect(Bool(false), "no board is open")
    }
    await router.routeBackFromPitBoard(board)
    #expect(view.shown == nil)
    #expect(router.children.isEmpty)
  }

  private func makeRouter() -> LoggedInRouter {
    LoggedInRouter(
      interactor: LoggedInInteractor(
        presenter: LoggedInPresentableMock(), guest: Guest(name: "Ada"), kitchen: house,
        refill: RefillWorker(pantry: house.pantry)),
      viewController: view,
      pitBoardBuilder: pitBoardBuilder,
      announcementsBuilder: AnnouncementsBuilderMock { _ in AnnouncementsRouterMock() },
      menuBuilder: menuBuilder
    )
  }
}
