// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

@testable import RibHouse

/// The whole tree of the app on services that a fuzzer can speak through.
@MainActor
final class FuzzedHouse: LaunchNapkinRouter {
  let services: HouseMock

  private init(services: HouseMock, loggedInBuilder: any LoggedInBuildable) {
    self.services = services
    super.init(
      interactor: LaunchInteractor(auth: services.authService),
      viewController: LaunchViewController(),
      loggedOutBuilder: LoggedOutBuilder(dependency: LaunchComponent(dependency: services)),
      loggedInBuilder: loggedInBuilder
    )
  }

  /// Everything that guests, the pit and the kitchen can do, and what must be true whatever they do.
  static func fuzzer(
    loggedInBuilder: @escaping @MainActor @Sendable (LaunchComponent) -> any LoggedInBuildable = {
      LoggedInBuilder(dependency: $0)
    }
  ) -> TreeFuzzer<FuzzedHouse> {
    TreeFuzzer {
      let services = HouseMock()
      let house = FuzzedHouse(
        services: services, loggedInBuilder: loggedInBuilder(LaunchComponent(dependency: services)))
      await house.interactor.wire(router: house)
      return house
    }
    .action("tap login", weight: 4) { await $0.door?.interactor.didTapLogin() }
    .action("tap logout") { await $0.guest?.didTapLogout() }
    .action("tap pit board", weight: 4) { await $0.guest?.didTapPitBoard() }
    .action("close pit board") { await $0.pitBoard?.interactor.didTapClose() }
    .action("dismiss banner") { await $0.guest?.didTapDismissBanner() }
    .action("kitchen shouts") { $0.services.kitchen.send(Special(dish: "burnt ends", price: 1_250)) }
    .action("pit warms up") { $0.services.pit.send([Cut(name: "Brisket", temperature: 80, target: 95)]) }
    .invariant("the guest is at the door or at the table") { house in
      house.children.count == 1 && (house.door != nil) != (house.table != nil)
    }
    .invariant("the table has one pit board at most, and hears the kitchen") { house in
      guard let table = house.table else { return true }
      return table.children.count { $0 is PitBoardRouter } <= 1
        && table.children.count { $0 is AnnouncementsRouter } == 1
    }
    .invariant("what is attached is what is shown") { house in
      guard let frame = house.viewController as? LaunchViewController else { return false }
      let shown = frame.content as? LoggedInViewController
      return frame.content === (house.door?.viewControllable ?? house.table?.viewControllable)
        && shown?.pitBoard === house.pitBoard?.viewControllable
    }
  }

  var guest: LoggedInInteractor? { table?.interactable as? LoggedInInteractor }
  var door: LoggedOutRouter? { child(of: self) }
  var table: (any LoggedInRouting)? { children.lazy.compactMap { $0 as? any LoggedInRouting }.first }
  var pitBoard: PitBoardRouter? { table.flatMap { child(of: $0) } }

  private func child<Child: Routing>(of router: any Routing) -> Child? {
    router.children.lazy.compactMap { $0 as? Child }.first
  }
}
