// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

/// A checkout that is done when the bank says so, and asks the bank again if the button is tapped before that.
///
/// An invariant counts the charges.
enum PaidTwice {
  final actor Bank {
    private(set) var charges = 0
    func charge() async {
      await Server.answer()
      charges += 1
    }
  }

  protocol CheckoutListener: AnyObject, Sendable { func checkoutDidFinish() async }

  protocol Checkout: Interactable {
    init(bank: Bank)
    func wire(listener: any CheckoutListener) async
    func didTapPay() async
  }

  final actor Buggy: Checkout {
    nonisolated let lifecycle = InteractorLifecycle()
    private weak var listener: (any CheckoutListener)?
    private let bank: Bank
    private var isPaid = false
    init(bank: Bank) { self.bank = bank }
    func wire(listener: any CheckoutListener) { self.listener = listener }

    func didTapPay() async {
      guard !isPaid else { return }
      await bank.charge()
      isPaid = true
      await listener?.checkoutDidFinish()
    }
  }

  final actor Repaired: Checkout {
    nonisolated let lifecycle = InteractorLifecycle()
    private weak var listener: (any CheckoutListener)?
    private let bank: Bank
    private var isPaying = false
    init(bank: Bank) { self.bank = bank }
    func wire(listener: any CheckoutListener) { self.listener = listener }

    func didTapPay() async {
      Execution.sometimes("a tap comes while an order is paid", isPaying)
      guard !isPaying else { return }
      isPaying = true
      await bank.charge()
      await listener?.checkoutDidFinish()
    }
  }

  final actor CartInteractor: Interactable, CheckoutListener {
    nonisolated let lifecycle = InteractorLifecycle()
    private(set) weak var router: (any CartRouting)?
    func wire(router: any CartRouting) { self.router = router }
    func checkoutDidFinish() async { await router?.routeBackFromCheckout() }
  }

  @MainActor protocol CartRouting: Routing { func routeBackFromCheckout() async }

  final class CartRouter<Child: Checkout>: Router<CartInteractor>, CartRouting {
    let bank = Bank()
    private(set) var orders = 0
    private(set) var checkout: Router<Child>?

    func routeToCheckout() async {
      guard checkout == nil else { return }
      orders += 1
      let router = Router(interactor: Child(bank: bank))
      checkout = router
      await router.interactor.wire(listener: interactor)
      await attachChild(router)
    }

    func routeBackFromCheckout() async {
      guard let checkout else { return }
      self.checkout = nil
      await detachChild(checkout)
    }
  }

  private static func fuzzer<Child: Checkout>(_: Child.Type) -> TreeFuzzer<CartRouter<Child>> {
    TreeFuzzer {
      let router = CartRouter<Child>(interactor: CartInteractor())
      await router.interactor.wire(router: router)
      return router
    }
    .action("tap checkout") { await $0.routeToCheckout() }
    .action("tap pay", weight: 2) { await $0.checkout?.interactor.didTapPay() }
    .invariant("an order is charged once") { await $0.bank.charges <= $0.orders }
  }

  static let canary = Canary(
    "paid twice", reaching: "a tap comes while an order is paid",
    breaks: "note what was begun before the first await",
    verdict: "Broken at rest: an order is charged once",
    buggy: fuzzer(Buggy.self), repaired: fuzzer(Repaired.self))
}
