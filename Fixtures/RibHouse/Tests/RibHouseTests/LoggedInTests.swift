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

  private func makeTable() async -> (LoggedInInteractor, LoggedInListenerMock, LoggedInPresentableMock) {
    let listener = LoggedInListenerMock()
    let presenter = LoggedInPresentableMock()
    let interactor = LoggedInInteractor(presenter: presenter, guest: Guest(name: "Ada"))
    await interactor.wire(router: nil, listener: listener)
    return (interactor, listener, presenter)
  }
}

@MainActor
@Suite(.leakChecked) struct LoggedInRouterTests {
  private let view = LoggedInViewControllerMock()
  private let pitBoardBuilder = PitBoardBuilderMock { _ in PitBoardRouterMock() }

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

  @Test func `closing the pit board hides and detaches it`() async {
    let router = makeRouter()
    await router.routeToPitBoard()
    await router.routeBackFromPitBoard()
    #expect(view.shown == nil)
    #expect(router.children.isEmpty)
  }

  private func makeRouter() -> LoggedInRouter {
    LoggedInRouter(
      interactor: LoggedInInteractor(presenter: LoggedInPresentableMock(), guest: Guest(name: "Ada")),
      viewController: view,
      pitBoardBuilder: pitBoardBuilder,
      announcementsBuilder: AnnouncementsBuilderMock { _ in AnnouncementsRouterMock() }
    )
  }
}
