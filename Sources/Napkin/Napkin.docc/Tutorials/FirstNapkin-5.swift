// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

@MainActor @Test func `what a guest orders is counted when the guest leaves`() async {
  let door = DoorRouter(interactor: DoorInteractor())
  await door.load()
  await door.interactor.activate()
  await door.interactor.didTapEnter()
  await door.guest?.didTapOrder()
  await door.guest?.didTapLeave()
  #expect(await door.interactor.orders == 1)
  #expect(door.children.isEmpty)
  await door.interactor.deactivate()
}

@Test func `there is one guest at most, whatever is tapped at once`() async {
  await TreeFuzzer { DoorRouter(interactor: DoorInteractor()) }
    .action("tap enter") { await $0.interactor.didTapEnter() }
    .action("tap order") { await $0.guest?.didTapOrder() }
    .action("tap leave") { await $0.guest?.didTapLeave() }
    .invariant("the slot has what is attached") { $0.children.count == ($0.guest == nil ? 0 : 1) }
    .check(executions: 500)
}
