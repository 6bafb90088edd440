// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

@testable import RibHouse

@Suite struct HouseFuzzTests {
  @Test func `the house stands, whatever its guests do`() async {
    await houseFuzzer { await .build(services: $0) }.check(executions: 1_000, seed: 1)
  }

  @Test func `the house stands, as the README fuzzes it`() async {
    await TreeFuzzer { await FuzzedHouse.build() }
      .action("tap login") { await $0.door?.interactor.didTapLogin() }
      .action("tap pit board") { await $0.guest?.didTapPitBoard() }
      .action("kitchen shouts") { $0.services.kitchen.send(Special(dish: "burnt ends", price: 1_250)) }
      .invariant("the guest is at the door or at the table") { $0.children.count == 1 }
      .check(executions: 1_000)
  }

  @Test func `a link that races a logout is opened at a table, or kept for later`() async {
    await TreeFuzzer { await FuzzedHouse.build() }
      .action("log in", weight: 2) { try? await $0.services.authService.login() }
      .action("log out", weight: 2) { await $0.services.authService.logout() }
      .action("open a link", weight: 2) { await $0.open(.menu(dish: "Chicken")) }
      .action("press back") { $0.tableScreen?.goBack() }
      .invariant("a link waits at the door only") { $0.pendingLink == nil || $0.table == nil }
      .invariant("a menu that is attached is shown") { house in
        house.tableScreen?.menu === house.menu?.viewControllable
      }
      .check(executions: 300, seed: 1)
  }

  // The canary: were this not found, the test above would say nothing. With each of the seeds 0 to 19 it was found within
  // 100 executions.
  @Test func `a pit board built by two taps at once is found`() async {
    await withKnownIssue {
      await hastyFuzzer.check(executions: 1_000, seed: 1)
    } matching: { issue in
      issue.comments.contains { "\($0)".contains("one pit board at most") }
    }
  }

  @Test func `what is left of it after shrinking is a login and two taps`() async throws {
    let failure = try #require(await hastyFuzzer.run(executions: 1_000, seed: 1).failure)
    let story = #""tap login" → "tap pit board" ∥ "tap pit board""#
    #expect(failure.messages.contains { $0.contains(story) }, "\(failure.messages)")
  }
}

private let hastyFuzzer = houseFuzzer { services in
  await .build(services: services) { HastyLoggedInBuilder(dependency: $0) }
}

/// Everything that guests, the pit and the kitchen can do, and what must be true whatever they do.
private func houseFuzzer(
  _ build: @escaping @MainActor @Sendable (HouseMock) async -> FuzzedHouse
) -> TreeFuzzer<FuzzedHouse> {
  let services = FuzzContext { HouseMock() }
  return TreeFuzzer { await build(services()) }
    .action("tap login", weight: 4) { await $0.door?.interactor.didTapLogin() }
    .action("tap logout") { await $0.guest?.didTapLogout() }
    .action("tap pit board", weight: 4) { await $0.guest?.didTapPitBoard() }
    .action("close pit board") { await $0.pitBoard?.interactor.didTapClose() }
    .action("dismiss banner") { await $0.guest?.didTapDismissBanner() }
    .action("tap menu") { await $0.guest?.didTapMenu() }
    .action("press back") { $0.tableScreen?.goBack() }
    .action("order") { await $0.menu?.interactor.didTapOrder() }
    .action("open a link", weight: 2) { await $0.open(.menu(dish: "Brisket")) }
    .action("kitchen shouts") { _ in services().kitchen.send(Special(dish: "burnt ends", price: 1_250)) }
    .action("pit warms up") { _ in services().pit.send([Cut(name: "Brisket", temperature: 80, target: 95)]) }
    .invariant("the guest is at the door or at the table") { house in
      house.children.count == 1 && (house.door != nil) != (house.table != nil)
    }
    .invariant("the table has one pit board at most, and hears the kitchen") { house in
      guard let table = house.table else { return true }
      return table.children.count { $0 is PitBoardRouter } <= 1
        && table.children.count { $0 is AnnouncementsRouter } == 1
    }
    .invariant("the table has one menu at most") { house in
      (house.table?.children.count { $0 is MenuRouter } ?? 0) <= 1
    }
    .invariant("a link waits at the door only") { $0.pendingLink == nil || $0.table == nil }
    .invariant("the kitchen is open while there is a table") { house in
      services().openKitchens == (house.table == nil ? 0 : 1)
    }
    .invariant("the kitchen has a listener for each napkin that follows it") { house in
      services().kitchen.listenerCount == (house.table == nil ? 0 : 1) + (house.menu == nil ? 0 : 1)
    }
    .invariant("what is attached is what is shown") { house in
      guard let frame = house.viewController as? LaunchViewController else { return false }
      let shown = frame.content as? LoggedInViewController
      return frame.content === (house.door?.viewControllable ?? house.table?.viewControllable)
        && shown?.pitBoard === house.pitBoard?.viewControllable
        && shown?.menu === house.menu?.viewControllable
    }
}
