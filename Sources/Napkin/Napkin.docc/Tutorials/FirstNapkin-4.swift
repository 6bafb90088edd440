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
