// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

/// A ticker that listens in a `Task` of its own, and holds itself weakly in it: nothing leaks, and each activation leaves
/// one more listener behind.
///
/// The fuzzer sees what is left without being asked.
enum ListensForEver {
  protocol Ticking: Interactable { init(prices: Broadcast<Int>) }

  final actor Buggy: Ticking {
    nonisolated let lifecycle = InteractorLifecycle()
    private let prices: Broadcast<Int>
    private var shown = 0
    init(prices: Broadcast<Int>) { self.prices = prices }

    func didBecomeActive() async {
      Task { [weak self, prices] in
        for await price in prices.stream() { await self?.show(price) }
      }
    }

    private func show(_ price: Int) { shown = price }
  }

  final class MarketRouter<Ticker: Ticking>: Router<ScreenInteractor> {
    let prices = Broadcast<Int>()
    private var ticker: Router<Ticker>?

    func toggleTicker() async {
      if let ticker {
        self.ticker = nil
        return await detachChild(ticker)
      }
      let router = Router(interactor: Ticker(prices: prices))
      ticker = router
      await attachChild(router)
    }
  }

  final actor Repaired: Ticking {
    nonisolated let lifecycle = InteractorLifecycle()
    private let prices: Broadcast<Int>
    private var shown = 0
    init(prices: Broadcast<Int>) { self.prices = prices }

    func didBecomeActive() async {
      task { [weak self, prices] in
        for await price in prices.stream() { await self?.show(price) }
      }
    }

    private func show(_ price: Int) {
      Execution.sometimes("a price is shown", true)
      shown = price
    }
  }

  private static func fuzzer<Ticker: Ticking>(_: Ticker.Type) -> TreeFuzzer<MarketRouter<Ticker>> {
    TreeFuzzer { MarketRouter(interactor: ScreenInteractor()) }
      .action("tap ticker") { await $0.toggleTicker() }
      .action("price changes") { $0.prices.send(42) }
  }

  static let canary = Canary(
    "listens for ever", reaching: "a price is shown",
    breaks: "L6: what an interactor listens to is bound to its scope",
    verdict: "L6 unboundTasks: The task started at ListensForEver.swift:",
    buggy: fuzzer(Buggy.self), repaired: fuzzer(Repaired.self))
}
