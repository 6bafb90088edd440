// SPDX-License-Identifier: Apache-2.0
import Napkin

protocol LoggedInDependency: Dependency {
  var pitService: any PitService { get }
  var specialsService: any SpecialsService { get }
  var pantry: Pantry { get }
}

final class LoggedInComponent: Component<any LoggedInDependency>, @unchecked Sendable {
  var specialsService: any SpecialsService { dependency.specialsService }
}

extension LoggedInComponent: AnnouncementsDependency {}

extension LoggedInComponent: PitBoardDependency {
  var pitService: any PitService { dependency.pitService }
}

extension LoggedInComponent: MenuDependency {
  var pantry: Pantry { dependency.pantry }
}

protocol LoggedInBuildable: Buildable {
  @MainActor func build(withListener listener: any LoggedInListener, guest: Guest) async -> any LoggedInRouting
}

final class LoggedInBuilder: Builder<any LoggedInDependency>, LoggedInBuildable, @unchecked Sendable {
  @MainActor
  func build(withListener listener: any LoggedInListener, guest: Guest) async -> any LoggedInRouting {
    let component = LoggedInComponent(dependency: dependency)
    let viewController = LoggedInViewController()
    let interactor = LoggedInInteractor(
      presenter: viewController, guest: guest, kitchen: component.specialsService,
      refill: RefillWorker(pantry: component.pantry))
    let router = LoggedInRouter(
      interactor: interactor,
      viewController: viewController,
      pitBoardBuilder: PitBoardBuilder(dependency: component),
      announcementsBuilder: AnnouncementsBuilder(dependency: component),
      menuBuilder: MenuBuilder(dependency: component)
    )
    await interactor.wire(router: router, listener: listener)
    viewController.listener = interactor
    return router
  }
}
