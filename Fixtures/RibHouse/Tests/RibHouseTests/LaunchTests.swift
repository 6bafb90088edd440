// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

@testable import RibHouse

@MainActor
@Suite(.leakChecked) struct LaunchTests {
  private let ada = Guest(name: "Ada")
  private let frame = LaunchViewControllerMock()
  private let gate = Gate(isOpen: true)

  @Test func `a session brings its napkin and shows it`() async {
    let (router, table) = await makeRouter()
    await router.route(to: .loggedIn(ada))
    #expect(table.arguments == [ada])
    #expect(router.children.count == 1)
    let shown = (router.children.first as? LoggedInRouterMock).map { ObjectIdentifier($0.viewControllable) }
    #expect(frame.events == [shown.map { .show($0) }])
  }

  @Test func `the session that is there already changes nothing`() async {
    let (router, table) = await makeRouter()
    await router.route(to: .loggedIn(ada))
    await router.route(to: .loggedIn(ada))
    #expect(table.buildCount == 1)
  }

  @Test func `logging out takes the table away`() async {
    let (router, _) = await makeRouter()
    await router.route(to: .loggedIn(ada))
    await router.route(to: .loggedOut)
    #expect(router.children.count == 1)
    #expect(router.children.first is LoggedOutRouterMock)
  }

  @Test func `of the sessions that come during a swap, the newest wins`() async {
    let (router, table) = await makeRouter()
    gate.close()
    let swap = Task { await router.route(to: .loggedOut) }
    await gate.reached()
    await router.route(to: .loggedIn(Guest(name: "Grace")))
    await router.route(to: .loggedIn(ada))
    gate.open()
    await swap.value
    #expect(table.arguments.last == ada)
    #expect(router.children.map { "\(type(of: $0))" } == ["LoggedInRouterMock"])
  }

  @Test func `the tree follows the session from the door to the table and back`() async {
    let (router, _) = await makeRouter()
    await router.launch(from: MockWindow())
    _ = await frame.recorder.events(atLeast: 1)
    try? await router.interactor.loggedOutDidRequestLogin()
    _ = await frame.recorder.events(atLeast: 2)
    #expect(router.children.first is LoggedInRouterMock)
    await router.interactor.loggedInDidRequestLogout()
    _ = await frame.recorder.events(atLeast: 3)
    #expect(router.children.first is LoggedOutRouterMock)
  }

  @Test func `a link waits at the door, and is opened once there is a table`() async {
    let (router, _) = await makeRouter()
    await router.route(to: .loggedOut)
    await router.open(.menu(dish: "Brisket"))
    #expect(router.pendingLink == .menu(dish: "Brisket"))
    await router.route(to: .loggedIn(ada))
    #expect((router.children.first as? LoggedInRouterMock)?.dishes == ["Brisket"])
    #expect(router.pendingLink == nil)
  }

  @Test(arguments: [
    ("ribhouse://menu", DeepLink.menu(dish: nil)), ("ribhouse://menu/Spare%20ribs", .menu(dish: "Spare ribs")),
    ("ribhouse://menu/Spare ribs", .menu(dish: "Spare ribs")), ("ribhouse://menu/%ZZ", nil),
    ("ribhouse://tree", nil), ("https://menu", nil),
  ])
  func `a link is read from its text`(text: String, link: DeepLink?) {
    #expect(DeepLink(text) == link)
  }

  private func makeRouter() async -> (router: LaunchNapkinRouter, table: LoggedInBuilderMock) {
    let table = LoggedInBuilderMock { _ in LoggedInRouterMock() }
    let door = LoggedOutBuilderMock { [gate] _ in
      await gate.pass()
      return LoggedOutRouterMock()
    }
    let interactor = LaunchInteractor(auth: HouseAuthService(delay: .zero))
    let router = LaunchNapkinRouter(
      interactor: interactor, viewController: frame, loggedOutBuilder: door, loggedInBuilder: table)
    await interactor.wire(router: router)
    return (router, table)
  }
}
