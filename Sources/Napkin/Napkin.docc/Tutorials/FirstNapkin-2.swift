// SPDX-License-Identifier: Apache-2.0
import Napkin

protocol VisitListener: AnyObject, Sendable {
  func visitDidEnd(with orders: Int) async
}

final actor VisitInteractor: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
  private weak var listener: (any VisitListener)?
  private var orders = 0

  init(listener: any VisitListener) { self.listener = listener }

  func didTapOrder() { orders += 1 }

  func didTapLeave() async { await listener?.visitDidEnd(with: orders) }
}

@MainActor final class VisitRouter: Router<VisitInteractor> {}

@MainActor struct VisitBuilder {
  func build(withListener listener: any VisitListener) async -> VisitRouter {
    VisitRouter(interactor: VisitInteractor(listener: listener))
  }
}
