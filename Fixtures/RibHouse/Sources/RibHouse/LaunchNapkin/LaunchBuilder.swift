// SPDX-License-Identifier: Apache-2.0
import Napkin

protocol LaunchDependency: Dependency {
  var authService: any AuthService { get }
  var pitService: any PitService { get }
  var specialsService: any SpecialsService { get }
  var pantry: Pantry { get }
}

/// What each napkin below needs is said in an extension, so that one can be added without changing the rest.
final class LaunchComponent: Component<any LaunchDependency>, @unchecked Sendable {}

extension LaunchComponent: LoggedOutDependency {}

extension LaunchComponent: LoggedInDependency {
  var pitService: any PitService { dependency.pitService }
  var specialsService: any SpecialsService { dependency.specialsService }
  var pantry: Pantry { dependency.pantry }
}

/// Builds the whole house: launch what it builds, and keep it.
final class LaunchBuilder: Builder<any LaunchDependency>, @unchecked Sendable {
  @MainActor
  func build() async -> LaunchNapkinRouter {
    let component = LaunchComponent(dependency: dependency)
    let interactor = LaunchInteractor(auth: dependency.authService)
    let router = LaunchNapkinRouter(
      interactor: interactor,
      viewController: LaunchViewController(),
      loggedOutBuilder: LoggedOutBuilder(dependency: component),
      loggedInBuilder: LoggedInBuilder(dependency: component)
    )
    await interactor.wire(router: router)
    return router
  }
}
