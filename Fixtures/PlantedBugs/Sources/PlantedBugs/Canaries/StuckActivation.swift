// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

/// A quote board that listens in `didBecomeActive()` itself: the stream never finishes, so the attach never returns,
/// and nothing below is loaded.
///
/// The fuzzer sees that the tap is never done.
enum StuckActivation {
  protocol QuoteBoard: Interactable { init(quotes: Broadcast<Int>) }

  final actor Buggy: QuoteBoard {
    nonisolated let lifecycle = InteractorLifecycle()
    private let quotes: Broadcast<Int>
    private var shown = 0
    init(quotes: Broadcast<Int>) { self.quotes = quotes }

    func didBecomeActive() async {
      for await quote in quotes.stream() { shown = quote }
    }
  }

  final actor Repaired: QuoteBoard {
    nonisolated let lifecycle = InteractorLifecycle()
    private let quotes: Broadcast<Int>
    private var shown = 0
    init(quotes: Broadcast<Int>) { self.quotes = quotes }

    func didBecomeActive() async {
      task { [weak self, quotes] in
        for await quote in quotes.stream() { await self?.show(quote) }
      }
    }

    private func show(_ quote: Int) {
      Execution.sometimes("a quote is shown", true)
      shown = quote
    }
  }

  final class MarketRouter<Board: QuoteBoard>: Router<ScreenInteractor> {
    let quotes = Broadcast<Int>()
    private var board: Router<Board>?

    func openBoard() async {
      guard board == nil else { return }
      let router = Router(interactor: Board(quotes: quotes))
      board = router
      await attachChild(router)
    }
  }

  private static func fuzzer<Board: QuoteBoard>(_: Board.Type) -> TreeFuzzer<MarketRouter<Board>> {
    TreeFuzzer { MarketRouter(interactor: ScreenInteractor()) }
      .action("tap board") { await $0.openBoard() }
      .action("quote changes") { $0.quotes.send(42) }
  }

  static let canary = Canary(
    "stuck activation", reaching: "a quote is shown",
    breaks: "L5: didBecomeActive() returns", verdict: "Deadlock: ",
    buggy: fuzzer(Buggy.self), repaired: fuzzer(Repaired.self))
}
