// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Testing

@Suite struct StaleParentRuleTests {
  /// What is said where a guest enters and leaves a room, and something is done with the room that was entered last.
  private func verdict(
    without rules: LifecycleRule..., after post: @escaping @MainActor @Sendable (HallRouter, RoomRouter) async -> Void
  ) async -> String? {
    let failure = await TreeFuzzer { HallRouter(interactor: MockInteractor()) }.ignoring(rules)
      .action("enter") { await $0.enter() }
      .action("leave") { await $0.leave() }
      .action("post") { hall in
        guard let room = hall.last else { return }
        await post(hall, room)
      }
      .run(executions: 100, seed: 1).failure
    return failure?.messages.first?.replacing(#/ #\d+/#, with: "")
  }

  private let stale = """
    T7 staleParent: Router<MockInteractor> was attached under RoomRouter, which had left its place before "post" began, and \
    was never woken.
    """

  @Test func `T7 a child below a router that had left before is reported`() async {
    #expect(await verdict { _, room in await room.attachChild(Router(interactor: MockInteractor())) } == stale)
    #expect(await verdict { _, room in await room.show() } == stale)
    let ignored = await verdict(without: .staleParent) { _, room in await room.show() }
    #expect(ignored == nil)
  }

  @Test func `T7 a child below a router whose parent had left before is reported`() async {
    let verdict = await verdict { _, room in await room.corner.attachChild(Router(interactor: MockInteractor())) }
    #expect(verdict == stale.replacing("under RoomRouter", with: "under Router<MockInteractor>"))
  }

  @Test func `T7 a child that is asked for in an action from before its parent left is sound`() async {
    let verdict = await verdict { hall, room in
      guard hall.room === room else { return }
      await Task.yield()
      await room.show()
    }
    #expect(verdict == nil)
  }

  @Test func `T7 a child that is detached again, or whose parent comes back, is sound`() async {
    let isDetached = await verdict { _, room in
      let child = Router(interactor: MockInteractor())
      await room.attachChild(child)
      await room.detachChild(child)
    }
    #expect(isDetached == nil)
    let isBack = await verdict(without: .misuse) { hall, room in
      await room.attachChild(Router(interactor: MockInteractor()))
      await hall.attachChild(room)
    }
    #expect(isBack == nil)
  }
}

private final class RoomRouter: Router<MockInteractor> {
  private lazy var screen = ChildSlot<Router<MockInteractor>>(of: self)
  let corner = Router(interactor: MockInteractor())

  override func didLoad() async { await attachChild(corner) }

  func show() async { await screen.show { Router(interactor: MockInteractor()) } }
}

private final class HallRouter: Router<MockInteractor> {
  var room: RoomRouter?
  /// The room that was entered last.
  private(set) var last: RoomRouter?

  func enter() async {
    guard room == nil else { return }
    let next = RoomRouter(interactor: MockInteractor())
    (room, last) = (next, next)
    await attachChild(next)
  }

  func leave() async {
    guard let left = room else { return }
    room = nil
    await detachChild(left)
  }
}
