// SPDX-License-Identifier: Apache-2.0
import Napkin

@MainActor
protocol MenuRouting: ViewableRouting {
  /// Moves to a dish, for a link that finds the menu open.
  func select(_ dish: String) async
}

final class MenuRouter: ViewableRouter<MenuInteractor, any MenuViewControllable>, MenuRouting {
  func select(_ dish: String) async { await interactor.select(dish) }
}
