// SPDX-License-Identifier: Apache-2.0
import Napkin

protocol VisitListener: AnyObject, Sendable {
  func visitDidEnd(_ visit: VisitRouter, with orders: Int) async
}

final actor VisitInteractor: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
  private weak var router: VisitRouter?
  private weak var listener: (any VisitListener)?
  private var orders = 0

  init(listener: any VisitListener) { self.listener = listener }

  func setRouter(_ router: VisitRouter) { self.router = router }

  func didTapOrder() { orders += 1 }

  func didTapLeave() async {
    guard let router else { return }
    await listener?.visitDidEnd(router, with: orders)
  }
}

@MainActor final class VisitRouter: Router<VisitInteractor> {}

@MainActor struct VisitBuilder {
  func build(withListener listener: any VisitListener) async -> VisitRouter {
    let router = VisitRouter(interactor: VisitInteractor(listener: listener))
    await router.interactor.setRouter(router)
    return router
  }
}
