// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

@testable import RibHouse

@Suite(.leakChecked) struct MenuTests {
  @Test func `the menu follows the pantry, and orders what is selected`() async {
    let house = HouseMock()
    let presenter = MenuPresentableMock()
    let interactor = MenuInteractor(presenter: presenter, pantry: house.pantry, specials: house, dish: "Chicken")
    await interactor.activate()
    let full = await house.pantry.foods
    #expect(await presenter.recorder.events(atLeast: 2).contains(.foods(full)))
    await interactor.didTapOrder()
    let events = await presenter.recorder.events(atLeast: 3)
    #expect(events.last == .foods(await house.pantry.foods))
    #expect(await house.pantry.foods.map(\.left) == [3, 3, 2, 3])
    await interactor.deactivate()
  }

  @Test func `next goes around`() async {
    let presenter = MenuPresentableMock()
    let house = HouseMock()
    let interactor = MenuInteractor(presenter: presenter, pantry: house.pantry, specials: house, dish: nil)
    for _ in 0..<5 { await interactor.didTapNext() }
    let selections = ["Brisket", "Spare ribs", "Chicken", "Cornbread", "Brisket"]
    #expect(presenter.events == selections.map { .selection($0) })
  }

  @Test func `going back is passed up`() async {
    let listener = MenuListenerMock()
    let house = HouseMock()
    let interactor = MenuInteractor(
      presenter: MenuPresentableMock(), pantry: house.pantry, specials: house, dish: nil)
    let router = await MenuRouterMock()
    await interactor.wire(router: router, listener: listener)
    await interactor.didGoBack()
    #expect(listener.events == [.didClose])
  }

  @MainActor
  @Test func `the presenter makes rows that an observer can follow`() async {
    let view = MenuViewControllerMock()
    let presenter = MenuPresenter(viewController: view)
    await presenter.presentSelection("Ribs")
    await presenter.presentSpecial(Special(dish: "cornbread", price: 350))
    await presenter.presentFoods([Food(name: "Brisket", left: 0), Food(name: "Ribs", left: 2)])
    #expect(view.rows == ["  Brisket, sold out", "> Ribs: 2", "  today: cornbread"])
    #expect(presenter.rows == view.rows)
  }
}

@Suite struct KitchenTests {
  @Test(.interleavings(300, seed: 1)) func `the refill works while a plate is missing, and ends with its task`() async {
    let pantry = Pantry()
    let worker = Task { await RefillWorker(pantry: pantry).run() }
    await pantry.take("Brisket")
    await pantry.take("Brisket")
    while await !pantry.isFull { try? await Task.sleep(for: .seconds(1)) }
    await pantry.take("Chicken")
    worker.cancel()
    await worker.value
  }

  @Test(.interleavings(300, seed: 1)) func `both listeners of the kitchen hear each special while it is open`() async {
    let kitchen = HouseSpecialsService()
    let (table, menu) = (kitchen.specials(), kitchen.specials())
    await kitchen.open()
    async let atTable = first(2, of: table)
    async let atMenu = first(2, of: menu)
    let heard = await (atTable, atMenu)
    #expect(heard.0.map(\.dish) == ["burnt ends", "pulled pork, a pound"] && heard.0 == heard.1)
    await kitchen.close()
  }

  private func first(_ count: Int, of stream: AsyncStream<Special>) async -> [Special] {
    var heard: [Special] = []
    for await special in stream {
      heard.append(special)
      if heard.count == count { break }
    }
    return heard
  }
}
