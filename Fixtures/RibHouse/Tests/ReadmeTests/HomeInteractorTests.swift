// SPDX-License-Identifier: Apache-2.0
import NapkinTesting

@MainActor @Test func `a tap on log out is passed up`() async {
  let home = HomeMock()
  let interactor = HomeInteractor(presenter: home, userService: UserServiceMock())
  await interactor.wire(router: nil, listener: home)
  await interactor.activate()
  await interactor.didTapLogout()
  #expect(home.events == ["user Ada", "log out"])
}

final class HomeMock: MockPresentable<String>, HomePresentable, HomeListener {
  weak var listener: (any HomePresentableListener)?
  func presentUser(_ user: User) async { record("user \(user.name)") }
  func homeDidRequestLogout() async { record("log out") }
}
