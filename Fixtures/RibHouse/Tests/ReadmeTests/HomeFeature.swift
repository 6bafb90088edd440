// SPDX-License-Identifier: Apache-2.0
import Napkin

// The feature that the pages of napkin 1.x and 2.x test, as far as their tests need it.

struct User: Sendable {
  let name: String
}

nonisolated protocol UserService: Sendable {
  func currentUser() async -> User
}

protocol HomeListener: AnyObject, Sendable {
  func homeDidRequestLogout() async
}

@MainActor protocol HomeRouting: Routing {}

protocol HomePresentableListener: AnyObject, Sendable {
  func didTapLogout() async
}

protocol HomePresentable: Presentable, Sendable {
  @MainActor var listener: (any HomePresentableListener)? { get set }
  func presentUser(_ user: User) async
}

final actor HomeInteractor: PresentableInteractable, HomePresentableListener {
  nonisolated let lifecycle = InteractorLifecycle()
  nonisolated let presenter: any HomePresentable
  private weak var router: (any HomeRouting)?
  private weak var listener: (any HomeListener)?
  private let userService: any UserService

  init(presenter: any HomePresentable, userService: any UserService) {
    self.presenter = presenter
    self.userService = userService
  }

  func wire(router: (any HomeRouting)?, listener: (any HomeListener)?) {
    self.router = router
    self.listener = listener
  }

  func didBecomeActive() async {
    await presenter.presentUser(await userService.currentUser())
  }

  func didTapLogout() async {
    await listener?.homeDidRequestLogout()
  }
}

struct UserServiceMock: UserService {
  func currentUser() async -> User { User(name: "Ada") }
}
