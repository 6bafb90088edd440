// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

/// A router that shows a child by a transition of a second, which no call waits for where the child leaves by another way.
private final class RoomRouter: Router<MockInteractor> {
  fileprivate lazy var place = ChildSlot<MockRouter>(of: self) { _, _ in await Self.animate() }
  private var last: MockRouter?

  private static func animate() async { try? await Task.sleep(for: .seconds(1)) }

  fileprivate func open() async {
    await place.show {
      let child = MockRouter()
      last = child
      return child
    }
  }

  fileprivate func detach() async {
    if let last { await detachChild(last) }
  }
}

private final class HallRouter: Router<MockInteractor> {
  fileprivate lazy var room = ChildSlot<RoomRouter>(of: self)
}

/// Objects that a transition holds are released when it is over, which the fuzzer waits for.
@Suite struct SlowTransitionTests {
  // Each seed of both tests met a false alarm of T10 when transitions were not waited for.
  @Test(arguments: [0, 1, 2, 3] as [UInt64])
  func `a child that a slow transition still shows is not leaked`(seed: UInt64) async {
    let result = await TreeFuzzer { RoomRouter(interactor: MockInteractor()) }
      .action("open") { await $0.open() }
      .action("detach") { await $0.detach() }
      .run(executions: 200, seed: seed)
    #expect(result.failure == nil, "\(result.failure?.messages ?? [])")
  }

  @Test(arguments: [0, 1, 2, 3] as [UInt64])
  func `a slow transition is waited for when its router is gone, too`(seed: UInt64) async {
    let result = await TreeFuzzer { HallRouter(interactor: MockInteractor()) }
      .action("enter") { await $0.room.show { RoomRouter(interactor: MockInteractor()) } }
      .action("open") { await $0.room.child?.open() }
      .action("detach") { await $0.room.child?.detach() }
      .action("leave") { await $0.room.clear() }
      .run(executions: 400, seed: seed)
    #expect(result.failure == nil, "\(result.failure?.messages ?? [])")
  }
}
