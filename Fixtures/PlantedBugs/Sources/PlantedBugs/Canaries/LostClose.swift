// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

/// A home with a profile, whose router takes the place before the first await, as it should.
///
/// A close that comes while the profile is built finds nothing to detach and is lost: the profile opens after it. The twin
/// has a slot.
enum LostClose {
  class HomeRouter: Router<ScreenInteractor> {
    fileprivate let builder = ScreenBuilder()
    /// What was asked for last.
    fileprivate var isWanted = false

    func open() async { isWanted = true }
    func close() async { isWanted = false }
  }

  final class Buggy: HomeRouter {
    private var profile: ScreenRouter?
    private var isBuilding = false

    override func open() async {
      isWanted = true
      guard profile == nil, !isBuilding else { return }
      isBuilding = true
      let router = await builder.build()
      isBuilding = false
      profile = router
      await attachChild(router)
    }

    override func close() async {
      isWanted = false
      guard let router = profile else { return }
      profile = nil
      await detachChild(router)
    }
  }

  final class Repaired: HomeRouter {
    private var isBuilding = false
    private lazy var profile = ChildSlot<ScreenRouter>(of: self)

    override func open() async {
      isWanted = true
      await profile.show {
        isBuilding = true
        defer { isBuilding = false }
        return await builder.build()
      }
    }

    override func close() async {
      isWanted = false
      Execution.sometimes("a close comes while the profile is built", isBuilding)
      await profile.clear()
    }
  }

  private static func fuzzer(_ make: @escaping @MainActor @Sendable (ScreenInteractor) -> HomeRouter) -> TreeFuzzer<
    HomeRouter
  > {
    TreeFuzzer { make(ScreenInteractor()) }
      .action("tap profile") { await $0.open() }
      .action("tap back") { await $0.close() }
      .invariant("the last tap decides") { $0.children.count == ($0.isWanted ? 1 : 0) }
  }

  static let canary = Canary(
    "lost close", reaching: "a close comes while the profile is built",
    breaks: "T14: of all calls about a place the last decides",
    verdict: "Broken at rest: the last tap decides",
    buggy: fuzzer(Buggy.init), repaired: fuzzer(Repaired.init))
}
