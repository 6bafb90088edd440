// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

/// A link that opens a message in the room in which the user was last: that room may be closed.
///
/// The message is attached below a router that has left, and is never shown. The fuzzer needs no invariant.
enum ShownInClosedRoom {
  class LobbyRouter: Router<ScreenInteractor> {
    fileprivate var room: ScreenRouter?
    fileprivate var last: ScreenRouter?

    func enter() async {
      guard room == nil else { return }
      let next = ScreenRouter(interactor: ScreenInteractor())
      (room, last) = (next, next)
      await attachChild(next)
    }

    func leave() async {
      guard let room else { return }
      self.room = nil
      await detachChild(room)
    }

    func openLink() async {}
  }

  final class Buggy: LobbyRouter {
    override func openLink() async {
      guard let last else { return }
      await last.attachChild(PageRouter(interactor: PageInteractor()))
    }
  }

  final class Repaired: LobbyRouter {
    override func openLink() async {
      Execution.sometimes("a link is opened when the room is closed", last != nil && room == nil)
      guard let room else { return }
      await room.attachChild(PageRouter(interactor: PageInteractor()))
    }
  }

  private static func fuzzer(_ make: @escaping @MainActor @Sendable (ScreenInteractor) -> LobbyRouter) -> TreeFuzzer<
    LobbyRouter
  > {
    TreeFuzzer { make(ScreenInteractor()) }
      .action("enter") { await $0.enter() }
      .action("leave") { await $0.leave() }
      .action("open link") { await $0.openLink() }
  }

  static let canary = Canary(
    "shown in a closed room", reaching: "a link is opened when the room is closed",
    breaks: "T7: what is attached below a router that has left is never woken",
    verdict: "T7 staleParent: PageRouter", buggy: fuzzer(Buggy.init), repaired: fuzzer(Repaired.init))
}
