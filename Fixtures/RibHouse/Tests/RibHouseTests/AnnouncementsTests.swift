// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

@testable import RibHouse

@Suite(.leakChecked) struct AnnouncementsTests {
  @Test func `what the kitchen shouts is passed up in its order`() async {
    let specials = ["burnt ends", "cornbread", "ribs"].map { Special(dish: $0, price: 900) }
    let listener = AnnouncementsListenerMock()
    let interactor = AnnouncementsInteractor(specials: SpecialsServiceMock(shouts: specials))
    await interactor.wire(listener: listener)
    await interactor.activate()
    #expect(await listener.recorder.events(atLeast: 3) == specials)
    await interactor.deactivate()
  }
}
