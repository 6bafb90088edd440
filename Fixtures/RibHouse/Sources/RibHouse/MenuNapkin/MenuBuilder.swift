// SPDX-License-Identifier: Apache-2.0
import Napkin

protocol MenuDependency: Dependency {
  var pantry: Pantry { get }
  var specialsService: any SpecialsService { get }
}

protocol MenuBuildable: Buildable {
  @MainActor func build(withListener listener: any MenuListener, dish: String?) async -> any MenuRouting
}

final class MenuBuilder: Builder<any MenuDependency>, MenuBuildable, @unchecked Sendable {
  @MainActor
  func build(withListener listener: any MenuListener, dish: String?) async -> any MenuRouting {
    let viewController = MenuViewController()
    let presenter = MenuPresenter(viewController: viewController)
    let interactor = MenuInteractor(
      presenter: presenter, pantry: dependency.pantry, specials: dependency.specialsService, dish: dish)
    viewController.listener = interactor
    let router = MenuRouter(interactor: interactor, viewController: viewController)
    await interactor.wire(router: router, listener: listener)
    return router
  }
}
