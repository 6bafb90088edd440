// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

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

final actor DoorInteractor: Interactable, VisitListener {
  nonisolated let lifecycle = InteractorLifecycle()
  private weak var router: DoorRouter?
  private(set) var orders = 0

  func setRouter(_ router: DoorRouter) { self.router = router }

  func didTapEnter() async { await router?.routeToVisit() }

  func visitDidEnd(_ visit: VisitRouter, with orders: Int) async {
    self.orders += orders
    await router?.routeBackFromVisit(visit)
  }
}

@MainActor final class DoorRouter: Router<DoorInteractor> {
  private let visitBuilder = VisitBuilder()
  private lazy var visit = ChildSlot<VisitRouter>(of: self)
  var guest: VisitInteractor? { visit.child?.interactor }

  override func didLoad() async {
    await super.didLoad()
    await interactor.setRouter(self)
  }

  func routeToVisit() async {
    await visit.show { await visitBuilder.build(withListener: interactor) }
  }

  func routeBackFromVisit(_ ended: VisitRouter) async { await visit.clear(ended) }
}

@Suite struct FirstNapkinTutorial {
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
}
