// SPDX-License-Identifier: Apache-2.0
import Napkin
import Observation

protocol MenuListener: AnyObject, Sendable {
  func menuDidClose(_ menu: any MenuRouting) async
}

/// Each part of what is shown has one writer, so none is overtaken by an older one.
protocol MenuPresentable: Presentable, Sendable {
  func presentFoods(_ foods: [Food]) async
  func presentSpecial(_ special: Special) async
  func presentSelection(_ dish: String) async
}

/// The list of foods: it follows the pantry and the kitchen, and orders what the guest selects.
final actor MenuInteractor: PresentableInteractable, MenuPresentableListener {
  nonisolated let lifecycle = InteractorLifecycle()
  nonisolated let presenter: any MenuPresentable
  private let pantry: Pantry
  private let specials: any SpecialsService
  private weak var router: (any MenuRouting)?
  private weak var listener: (any MenuListener)?
  private var selected: String?

  init(presenter: any MenuPresentable, pantry: Pantry, specials: any SpecialsService, dish: String?) {
    self.presenter = presenter
    self.pantry = pantry
    self.specials = specials
    selected = dish
  }

  func wire(router: (any MenuRouting)?, listener: (any MenuListener)?) {
    self.router = router
    self.listener = listener
  }

  func didBecomeActive() async {
    task { @MainActor [presenter, pantry] in
      for await foods in Observations({ pantry.foods }) { await presenter.presentFoods(foods) }
    }
    task { [presenter, specials] in
      for await special in specials.specials() { await presenter.presentSpecial(special) }
    }
    if let selected { await presenter.presentSelection(selected) }
  }

  func select(_ dish: String) async {
    selected = dish
    await presenter.presentSelection(dish)
  }

  func didTapNext() async {
    let names = await pantry.foods.map(\.name)
    let index = names.firstIndex { $0 == selected }.map { ($0 + 1) % names.count } ?? 0
    await select(names[index])
  }

  func didTapOrder() async {
    if let selected { await pantry.take(selected) }
  }

  func didGoBack() async {
    guard let router else { return }
    await listener?.menuDidClose(router)
  }
}
