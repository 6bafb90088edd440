// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

@testable import RibHouse

/// The whole tree of the app on services that a fuzzer can speak through.
@MainActor
final class FuzzedHouse: LaunchNapkinRouter {
  let services: HouseMock

  private init(services: HouseMock, table: TableBuilder) {
    let component = LaunchComponent(dependency: services)
    self.services = services
    super.init(
      interactor: LaunchInteractor(auth: services.authService),
      viewController: LaunchViewController(),
      loggedOutBuilder: LoggedOutBuilder(dependency: component),
      loggedInBuilder: table(component)
    )
  }

  typealias TableBuilder = @MainActor @Sendable (LaunchComponent) -> any LoggedInBuildable

  /// A house of its own, with the app's table or another one.
  static func build(
    services: HouseMock = HouseMock(), table: TableBuilder = { LoggedInBuilder(dependency: $0) }
  ) async -> FuzzedHouse {
    let house = FuzzedHouse(services: services, table: table)
    await house.interactor.wire(router: house)
    return house
  }

  var guest: LoggedInInteractor? { table?.interactable as? LoggedInInteractor }
  var door: LoggedOutRouter? { child(of: self) }
  var table: (any LoggedInRouting)? { children.lazy.compactMap { $0 as? any LoggedInRouting }.first }
  var menu: MenuRouter? { table.flatMap { child(of: $0) } }
  var tableScreen: LoggedInViewController? { table?.viewControllable as? LoggedInViewController }
  var pitBoard: PitBoardRouter? { table.flatMap { child(of: $0) } }

  private func child<Child: Routing>(of router: any Routing) -> Child? {
    router.children.lazy.compactMap { $0 as? Child }.first
  }
}
