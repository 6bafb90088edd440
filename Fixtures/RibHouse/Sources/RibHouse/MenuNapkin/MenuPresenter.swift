// SPDX-License-Identifier: Apache-2.0
import Napkin
import Observation

/// Makes the rows of the menu from what the interactor knows.
///
/// A SwiftUI view could follow `rows`; the screen is sent them.
@MainActor
@Observable
final class MenuPresenter: Presenter<any MenuViewControllable>, MenuPresentable {
  private(set) var rows: [String] = []
  @ObservationIgnored private var foods: [Food] = []
  @ObservationIgnored private var special: Special?
  @ObservationIgnored private var selected: String?

  func presentFoods(_ foods: [Food]) async {
    self.foods = foods
    show()
  }

  func presentSpecial(_ special: Special) async {
    self.special = special
    show()
  }

  func presentSelection(_ dish: String) async {
    selected = dish
    show()
  }

  private func show() {
    let dishes = foods.map { food in
      "\(food.name == selected ? ">" : " ") \(food.name)\(food.left == 0 ? ", sold out" : ": \(food.left)")"
    }
    rows = dishes + (special.map { ["  today: \($0.dish)"] } ?? [])
    viewController.show(rows: rows)
  }
}
