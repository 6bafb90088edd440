// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

/// A search that cancels the previous request, through a service that ignores it, and then shows whatever arrives: an
/// old answer that is late replaces the new one.
///
/// An invariant compares the results with the field.
enum StaleResults {
  protocol Search: Interactable {
    init()
    func didType(_ text: String) async
    var text: String { get async }
    var results: String { get async }
  }

  /// Answers in its own time, whether a caller still waits or not.
  static func search(_ text: String) async -> String {
    for _ in text { await Server.answer() }
    return "results for \(text)"
  }

  final actor Buggy: Search {
    nonisolated let lifecycle = InteractorLifecycle()
    private(set) var text = ""
    private(set) var results = ""
    private var request: Task<Void, Never>?

    func didType(_ text: String) {
      self.text = text
      request?.cancel()
      request = task { [weak self] in await self?.show(await StaleResults.search(text)) }
    }

    private func show(_ results: String) { self.results = results }
  }

  final actor Repaired: Search {
    nonisolated let lifecycle = InteractorLifecycle()
    private(set) var text = ""
    private(set) var results = ""
    private var request: Task<Void, Never>?

    func didType(_ text: String) {
      self.text = text
      request?.cancel()
      request = task { [weak self] in await self?.show(await StaleResults.search(text), for: text) }
    }

    private func show(_ results: String, for text: String) {
      Execution.sometimes("an old answer is late", text != self.text)
      if text == self.text { self.results = results }
    }
  }

  private static func fuzzer<Root: Search>(_: Root.Type) -> TreeFuzzer<Router<Root>> {
    TreeFuzzer { Router(interactor: Root()) }
      .action(FuzzAction("type", with: .drawn(.element(of: ["swift", "sw", "s"]))) { await $0.interactor.didType($1) })
      .invariant("the results are those of the text") { root in
        let (text, results) = await (root.interactor.text, root.interactor.results)
        return text.isEmpty || results == "results for \(text)"
      }
  }

  static let canary = Canary(
    "stale results", reaching: "an old answer is late",
    breaks: "a service may ignore cancellation: look again before showing",
    verdict: "Broken at rest: the results are those of the text",
    buggy: fuzzer(Buggy.self), repaired: fuzzer(Repaired.self))
}
