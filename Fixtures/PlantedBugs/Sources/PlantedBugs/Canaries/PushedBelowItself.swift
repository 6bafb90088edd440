// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

/// A shop that keeps the page of each product: "similar products" leads back to one that is above and is attached
/// already.
///
/// The fuzzer needs no invariant, since that is misuse.
enum PushedBelowItself {
  class ShopRouter: Router<ScreenInteractor> {
    fileprivate var stack: [Int] = []
    fileprivate var pages: [Int: ScreenRouter] = [:]

    fileprivate func page(of product: Int) -> ScreenRouter {
      if let page = pages[product] { return page }
      let page = ScreenRouter(interactor: ScreenInteractor())
      pages[product] = page
      return page
    }

    func open(_ product: Int) async {}

    fileprivate func push(_ page: ScreenRouter, of product: Int) async {
      let top: any Routing = stack.last.map { self.page(of: $0) } ?? self
      stack.append(product)
      pages[product] = page
      await top.attachChild(page)
    }
  }

  final class Buggy: ShopRouter {
    override func open(_ product: Int) async {
      guard stack.last != product else { return }
      await push(page(of: product), of: product)
    }
  }

  final class Repaired: ShopRouter {
    override func open(_ product: Int) async {
      Execution.sometimes("a page below is asked for", stack.dropLast().contains(product))
      guard !stack.contains(product) else { return }
      await push(page(of: product), of: product)
    }
  }

  private static func fuzzer(_ make: @escaping @MainActor @Sendable (ScreenInteractor) -> ShopRouter) -> TreeFuzzer<
    ShopRouter
  > {
    TreeFuzzer { make(ScreenInteractor()) }
      .action(FuzzAction("tap similar", with: .drawn(.int(in: 1...3))) { await $0.open($1) })
  }

  static let canary = Canary(
    "pushed below itself", reaching: "a page below is asked for",
    breaks: "T2: no router is below itself",
    verdict: "M1 misuse: attachChild was called on ScreenRouter with ScreenRouter, which is attached",
    buggy: fuzzer(Buggy.init), repaired: fuzzer(Repaired.init))
}
