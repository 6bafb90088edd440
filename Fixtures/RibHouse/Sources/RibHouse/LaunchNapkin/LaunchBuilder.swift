// SPDX-License-Identifier: Apache-2.0
import Napkin

protocol LaunchDependency: Dependency {
  var authService: any AuthService { get }
  var pitService: any PitService { get }
  var specialsService: any SpecialsService { get }
}

final class LaunchComponent: Component<any LaunchDependency>, LoggedOutDependency, LoggedInDependency,
  @unchecked Sendable
{
  var pitService: any PitService { dependency.pitService }
  var specialsService: any SpecialsService { dependency.specialsService }
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
