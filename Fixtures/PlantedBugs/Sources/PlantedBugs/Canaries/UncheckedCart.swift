// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Synchronization

/// A cart that is `@unchecked Sendable` and written from wherever one is: it is read, a price is awaited, and what was
/// read is written back.
///
/// An invariant misses an item.
enum UncheckedCart {
  class Cart: @unchecked Sendable {
    required init() {}
    var prices: [Int] { [] }
    func add() async {}
  }

  static func price() async -> Int {
    await Server.answer()
    return 10
  }

  final class Buggy: Cart, @unchecked Sendable {
    private var content: [Int] = []
    override var prices: [Int] { content }

    override func add() async { content = content + [await UncheckedCart.price()] }
  }

  final class Repaired: Cart, @unchecked Sendable {
    private let content = Mutex<[Int]>([])
    override var prices: [Int] { content.withLock { $0 } }

    override func add() async {
      let count = prices.count
      let price = await UncheckedCart.price()
      Execution.sometimes("an item comes in while a price is asked for", prices.count > count)
      content.withLock { $0.append(price) }
    }
  }

  final actor ShelfInteractor: Interactable {
    nonisolated let lifecycle = InteractorLifecycle()
    private let cart: Cart
    private(set) var taps = 0

    init(cart: Cart) { self.cart = cart }

    func didTapAdd() async {
      taps += 1
      await cart.add()
    }
  }

  final class ShopRouter<Content: Cart>: Router<ShelfInteractor> {
    let cart: Content

    init(cart: Content = Content()) {
      self.cart = cart
      super.init(interactor: ShelfInteractor(cart: cart))
    }
  }

  private static func fuzzer<Content: Cart>(_: Content.Type) -> TreeFuzzer<ShopRouter<Content>> {
    TreeFuzzer { ShopRouter() }
      .action("tap add") { await $0.interactor.didTapAdd() }
      .invariant("what was added is in the cart") { root in await root.interactor.taps == root.cart.prices.count }
  }

  static let canary = Canary(
    "unchecked cart", reaching: "an item comes in while a price is asked for",
    breaks: "shared state has a lock or an actor, and no await in its middle",
    verdict: "Broken at rest: what was added is in the cart",
    buggy: fuzzer(Buggy.self), repaired: fuzzer(Repaired.self))
}
