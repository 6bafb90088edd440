// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Testing

@Suite struct StrayActivityRuleTests {
  private func verdict(
    _ act: @escaping @MainActor @Sendable (HallRouter, Router<MockInteractor>) async -> Void
  ) async -> String? {
    let failure = await TreeFuzzer { HallRouter(interactor: MockInteractor()) }
      .ignoring(.misuse)
      .action("enter") { await $0.enter() }
      .action("leave") { await $0.leave() }
      .action("act") { hall in
        guard let room = hall.last else { return }
        await act(hall, room)
      }
      .run(executions: 100, seed: 1).failure
    return failure?.messages.first?.replacing(#/ #\d+/#, with: "")
  }

  @Test func `L3 an interactor that is active outside of the tree at the end is reported`() async {
    #expect(
      await verdict { _, room in await room.interactor.activate() } == """
        L3 strayActivity: MockInteractor is active in the end, and Router<MockInteractor> has left HallRouter: a direct \
        activate() has woken it, and nothing deactivates it.
        """)
  }

  @Test func `L3 one that is deactivated again, or attached again, is sound`() async {
    let isDeactivated = await verdict { _, room in
      await room.interactor.activate()
      await room.interactor.deactivate()
    }
    #expect(isDeactivated == nil)
    let comesBack = await verdict { hall, room in
      guard hall.room == nil else { return }
      hall.room = room
      await room.interactor.activate()
      await hall.attachChild(room)
    }
    #expect(comesBack == nil)
  }

  @Test func `L3 a root of its own may be active`() async {
    let verdict = await verdict { hall, _ in
      hall.window = Router(interactor: MockInteractor())
      await hall.window?.interactor.activate()
    }
    #expect(verdict == nil)
  }
}

private final class HallRouter: Router<MockInteractor> {
  var room: Router<MockInteractor>?
  private(set) var last: Router<MockInteractor>?
  var window: Router<MockInteractor>?

  func enter() async {
    guard room == nil else { return }
    let next = Router(interactor: MockInteractor())
    (room, last) = (next, next)
    await attachChild(next)
  }

  func leave() async {
    guard let left = room else { return }
    room = nil
    await detachChild(left)
  }
}
