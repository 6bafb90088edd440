// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

/// A link that waits until its table is active, and goes on however that wait ends: when the guest has left meanwhile,
/// the menu is opened at a table that is gone.
///
/// An invariant counts such menus.
enum StrayLink {
  class HouseRouter: Router<ScreenInteractor> {
    private(set) var table: PageRouter?
    private(set) var strayMenus = 0
    required init() { super.init(interactor: ScreenInteractor()) }

    func sitDown() async {
      guard table == nil else { return }
      let router = PageRouter(interactor: PageInteractor())
      table = router
      await attachChild(router)
    }

    func leave() async {
      guard let table else { return }
      self.table = nil
      await detachChild(table)
    }

    func openLink() async {}

    func openMenu(at table: PageRouter) async {
      if !children.contains(where: { $0 === table }) { strayMenus += 1 }
      await table.attachChild(ScreenRouter(interactor: ScreenInteractor()))
    }
  }

  final class Buggy: HouseRouter {
    override func openLink() async {
      guard let table else { return }
      try? await table.interactor.lifecycle.whenActive()
      await openMenu(at: table)
    }
  }

  final class Repaired: HouseRouter {
    override func openLink() async {
      guard let table else { return }
      do {
        try await table.interactor.lifecycle.whenActive()
      } catch {
        return Execution.sometimes("the table leaves while the link waits", true)
      }
      guard self.table === table else { return }
      await openMenu(at: table)
    }
  }

  private static func fuzzer<House: HouseRouter>(_: House.Type) -> TreeFuzzer<House> {
    TreeFuzzer { House() }
      .action("sit down", weight: 2) { await $0.sitDown() }
      .action("leave") { await $0.leave() }
      .action("open a link") { await $0.openLink() }
      .invariant("a menu is opened at a table that is there") { $0.strayMenus == 0 }
  }

  static let canary = Canary(
    "stray link", reaching: "the table leaves while the link waits",
    breaks: "L11: whenActive() throws where the router has left",
    verdict: "Broken at rest: a menu is opened at a table that is there",
    buggy: fuzzer(Buggy.self), repaired: fuzzer(Repaired.self))
}
