// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

@testable import RibHouse

/// Every napkin of the house by itself, under everything that its screen, its services and its parent can do.
///
/// The house as a whole is fuzzed in `HouseFuzzTests`; what breaks here is reported in terms of one napkin.
@Suite struct NapkinFuzzTests {
  @Test func `the door asks once, however often it is knocked at`() async {
    await door { LoggedOutInteractor(presenter: $0) }.check(executions: 500, seed: 1)
  }

  @Test func `the table shows its pit board while it is attached, and hears the kitchen`() async {
    await TreeFuzzer {
      FuzzedNapkin { ears, services in
        let component = LaunchComponent(dependency: services)
        return await concrete(
          LoggedInBuilder(dependency: component).build(withListener: ears, guest: Guest(name: "Ann")),
          LoggedInRouter.self)
      }
    }
    .comingAndGoing()
    .action("tap pit board", weight: 3) { await $0.child?.interactor.didTapPitBoard() }
    .action("close pit board", weight: 2) { await $0.pitBoard?.interactor.didTapClose() }
    .action("tap logout") { await $0.child?.interactor.didTapLogout() }
    .action("dismiss banner") { await $0.child?.interactor.didTapDismissBanner() }
    .action("kitchen shouts") { $0.services.kitchen.send(Special(dish: "burnt ends", price: 1_250)) }
    .invariant("one pit board at most, and the announcements") { root in
      guard let table = root.child else { return true }
      return table.children.count { $0 is PitBoardRouter } <= 1
        && table.children.count { $0 is AnnouncementsRouter } == 1
    }
    .invariant("the kitchen is heard as long as there is a table") { root in
      root.services.kitchen.listenerCount == root.children.count
    }
    .invariant("the kitchen is open as long as there is a table") { $0.services.openKitchens == $0.children.count }
    .invariant("what is attached is what is shown") { root in
      guard let table = root.child else { return true }
      return (table.viewController as? LoggedInViewController)?.pitBoard === root.pitBoard?.viewControllable
    }
    .check(executions: 500, seed: 1)
  }

  @Test func `the pit board shows the last reading, and listens only while it is attached`() async {
    await TreeFuzzer {
      FuzzedNapkin { ears, services in
        await concrete(
          PitBoardBuilder(dependency: LoggedInComponent(dependency: LaunchComponent(dependency: services)))
            .build(withListener: ears), PitBoardRouter.self)
      }
    }
    .comingAndGoing()
    .action("tap close") { await $0.child?.interactor.didTapClose() }
    .action(
      FuzzAction("pit warms up", with: .drawn(.int(in: 60...95))) { root, temperature in
        root.reading = [Cut(name: "Brisket", temperature: temperature, target: 95)]
        root.services.pit.send(root.reading)
      }.weight(2)
    )
    .invariant("the board shows the last reading") { root in
      guard let board = root.child, !root.reading.isEmpty else { return true }
      return (board.viewController as? PitBoardViewController)?.cuts == root.reading
    }
    .invariant("each listener to the pit is attached") { $0.services.pit.listenerCount == $0.children.count }
    .check(executions: 500, seed: 1)
  }

  @Test func `the menu shows what the pantry has, and the refill brings what is missing`() async {
    await TreeFuzzer {
      FuzzedNapkin { ears, services in
        await concrete(
          MenuBuilder(dependency: LoggedInComponent(dependency: LaunchComponent(dependency: services)))
            .build(withListener: ears, dish: "Brisket"), MenuRouter.self)
      }
    }
    .comingAndGoing()
    .action("order", weight: 3) { await $0.child?.interactor.didTapOrder() }
    .action("next") { await $0.child?.interactor.didTapNext() }
    .action("bring a plate") { $0.services.pantry.refill() }
    .action("kitchen shouts") { $0.services.kitchen.send(Special(dish: "cornbread", price: 350)) }
    .invariant("the menu shows the pantry") { root in
      guard let menu = root.child else { return true }
      let rows = (menu.viewController as? MenuViewController)?.lines ?? []
      return root.services.pantry.foods.allSatisfy { food in
        rows.contains { $0.hasSuffix(food.left == 0 ? "\(food.name), sold out" : "\(food.name): \(food.left)") }
      }
    }
    .invariant("no more plates than there can be") { root in
      root.services.pantry.foods.allSatisfy { (0...Pantry.full).contains($0.left) }
    }
    .invariant("what listens to the kitchen is attached") { $0.services.kitchen.listenerCount == $0.children.count }
    .check(executions: 500, seed: 1)
  }

  @Test func `the announcements pass on what the kitchen shouts while they are attached`() async {
    await TreeFuzzer {
      FuzzedNapkin { ears, services in
        await concrete(
          AnnouncementsBuilder(dependency: LoggedInComponent(dependency: LaunchComponent(dependency: services)))
            .build(withListener: ears), AnnouncementsRouter.self)
      }
    }
    .comingAndGoing()
    .action(
      FuzzAction("kitchen shouts", with: .drawn(.int(in: 1...9))) { root, price in
        root.services.kitchen.send(Special(dish: "cornbread", price: price))
      }
    )
    .invariant("each listener to the kitchen is attached") { $0.services.kitchen.listenerCount == $0.children.count }
    .monitor("nothing works for a napkin that is away") { _ in NobodyWorksAway() }
    .check(executions: 500, seed: 1)
  }

  @Test func `the frame shows the napkin of the present session`() async {
    await TreeFuzzer { await FuzzedHouse.build() }
      .action("a user logs in", weight: 2) { try? await $0.services.authService.login() }
      .action("a user logs out", weight: 2) { await $0.services.authService.logout() }
      .action(FuzzAction("tap login") { await $0.door?.interactor.didTapLogin() }.when { $0.door != nil })
      .invariant("there is one child, and it is shown") { house in
        let frame = house.viewController as? LaunchViewController
        return house.children.count == 1
          && frame?.content === (house.children.first as? any ViewableRouting)?.viewControllable
      }
      .check(executions: 500, seed: 1)
  }

  // The canary: were this not found, the first test would say nothing.
  @Test func `a door that asks twice is found`() async throws {
    let failure = try #require(await door { HastyDoor(presenter: $0) }.run(executions: 500, seed: 1).failure)
    #expect(failure.messages.contains { $0.contains("one login at a time") }, "\(failure.messages)")
    #expect(failure.messages.contains { $0.contains(#""tap login" ∥ "tap login""#) }, "\(failure.messages)")
  }
}

/// A door to knock at.
protocol Door: PresentableInteractable, LoggedOutPresentableListener {
  func wire(listener: (any LoggedOutListener)?) async
}

extension LoggedOutInteractor: Door {}

/// The door with a bug that is easily written: it checks whether a login is under way, presents, and only then notes it.
final actor HastyDoor: Door {
  nonisolated let lifecycle = InteractorLifecycle()
  nonisolated let presenter: any LoggedOutPresentable
  private weak var listener: (any LoggedOutListener)?
  private var isLoggingIn = false

  init(presenter: any LoggedOutPresentable) { self.presenter = presenter }

  func wire(listener: (any LoggedOutListener)?) { self.listener = listener }

  func didTapLogin() async {
    guard !isLoggingIn else { return }
    await presenter.present(.waiting)
    isLoggingIn = true
    try? await listener?.loggedOutDidRequestLogin()
  }
}

private func door<Knocked: Door>(
  _ make: @escaping @MainActor @Sendable (LoggedOutViewController) -> Knocked
) -> TreeFuzzer<FuzzedNapkin<ViewableRouter<Knocked, LoggedOutViewController>>> {
  TreeFuzzer {
    FuzzedNapkin { ears, _ in
      let viewController = LoggedOutViewController()
      let interactor = make(viewController)
      await interactor.wire(listener: ears)
      viewController.listener = interactor
      return ViewableRouter(interactor: interactor, viewController: viewController)
    }
  }
  .comingAndGoing()
  .action(FuzzAction("tap login") { await $0.child?.interactor.didTapLogin() }.when { $0.child != nil }.weight(3))
  .invariant("one login at a time") { $0.ears.mostLogins <= $0.builds }
}

/// Bound work of a napkin runs while the napkin is active, and not before or after.
private struct NobodyWorksAway: TreeMonitor {
  private var active: Set<String> = []

  mutating func observe(_ event: TreeEvent) -> String? {
    switch event.kind {
    case .activated: active.insert(event.subject)
    case .deactivated: active.remove(event.subject)
    case .taskStarted where !active.contains(event.subject): return "\(event)"
    default: break
    }
    return nil
  }
}

extension FuzzedNapkin where Child == LoggedInRouter {
  fileprivate var pitBoard: PitBoardRouter? { child?.children.lazy.compactMap { $0 as? PitBoardRouter }.first }
}

/// A builder says what its product can do; the fuzzer wants to know what it is.
private func concrete<Product>(_ product: any Routing, _ type: Product.Type) -> Product {
  guard let product = product as? Product else { fatalError("\(product) is no \(type)") }
  return product
}
