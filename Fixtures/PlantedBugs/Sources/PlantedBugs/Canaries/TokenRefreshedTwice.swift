// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

/// A session that refreshes its token when it has expired: two requests find it expired, and the second refresh makes
/// the first one's token invalid.
///
/// An invariant counts refreshes.
enum TokenRefreshedTwice {
  protocol Session: Interactable {
    init()
    func expire() async
    func token() async -> Int
    var expiries: Int { get async }
    var refreshes: Int { get async }
  }

  final actor Buggy: Session {
    nonisolated let lifecycle = InteractorLifecycle()
    private var current: Int?
    private(set) var expiries = 1
    private(set) var refreshes = 0

    func expire() {
      current = nil
      expiries += 1
    }

    func token() async -> Int {
      if let current { return current }
      await Server.answer()
      refreshes += 1
      current = refreshes
      return refreshes
    }
  }

  final actor Repaired: Session {
    nonisolated let lifecycle = InteractorLifecycle()
    private var current: Task<Int, Never>?
    private(set) var expiries = 1
    private(set) var refreshes = 0
    private var underWay = 0

    func expire() {
      current = nil
      expiries += 1
    }

    func token() async -> Int {
      Execution.sometimes("a request comes while a token is refreshed", current != nil && underWay > 0)
      if let current { return await current.value }
      underWay += 1
      let refresh = Task {
        await Server.answer()
        refreshes += 1
        underWay -= 1
        return refreshes
      }
      current = refresh
      return await refresh.value
    }
  }

  private static func fuzzer<Root: Session>(_: Root.Type) -> TreeFuzzer<Router<Root>> {
    TreeFuzzer { Router(interactor: Root()) }
      .action("request", weight: 3) { _ = await $0.interactor.token() }
      .action("token expires") { await $0.interactor.expire() }
      .invariant("a token is refreshed once") { root in
        let refreshes = await root.interactor.refreshes
        return await refreshes <= root.interactor.expiries
      }
  }

  static let canary = Canary(
    "token refreshed twice", reaching: "a request comes while a token is refreshed",
    breaks: "keep the task that is under way, not its result",
    verdict: "Broken at rest: a token is refreshed once",
    buggy: fuzzer(Buggy.self), repaired: fuzzer(Repaired.self))
}
