// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

/// A field that sends what is typed in a task each, off the main actor: the tasks may arrive in another order, and the
/// interactor is left with an old text. (Tasks of one priority on the main actor would keep their order.)
///
/// One stream, which the interactor reads in a bound task, keeps the order. An invariant compares the two.
enum KeysOutOfOrder {
  final actor FieldInteractor: Interactable {
    nonisolated let lifecycle = InteractorLifecycle()
    private let changes: AsyncStream<String>
    private(set) var text = ""
    init(changes: AsyncStream<String>) { self.changes = changes }

    func didBecomeActive() async {
      task { [weak self, changes] in
        for await text in changes { await self?.didChange(text) }
      }
    }

    func didChange(_ text: String) { self.text = text }
  }

  class FieldViewController: ViewControllable {
    weak var listener: FieldInteractor?
    fileprivate(set) var text = ""
    let (changes, continuation) = AsyncStream<String>.makeStream()
    func type(_ character: Character) {}
  }

  final class Buggy: FieldViewController {
    override func type(_ character: Character) {
      text.append(character)
      Task { @concurrent [listener, text] in await listener?.didChange(text) }
    }
  }

  final class Repaired: FieldViewController {
    override func type(_ character: Character) {
      text.append(character)
      Execution.sometimes("a key follows another", text.count > 1)
      continuation.yield(text)
    }
  }

  private static func fuzzer(
    _ make: @escaping @MainActor @Sendable () -> FieldViewController
  ) -> TreeFuzzer<ViewableRouter<FieldInteractor, FieldViewController>> {
    TreeFuzzer {
      let view = make()
      let router = ViewableRouter(interactor: FieldInteractor(changes: view.changes), viewController: view)
      router.viewController.listener = router.interactor
      return router
    }
    .action(FuzzAction("type", with: .drawn(.element(of: ["a", "b"]))) { $0.viewController.type($1) })
    .invariant("the interactor knows the text of the field") { root in
      await root.interactor.text == root.viewController.text
    }
  }

  static let canary = Canary(
    "keys out of order", reaching: "a key follows another",
    breaks: "V1: what was sent first arrives first",
    verdict: "Broken at rest: the interactor knows the text of the field",
    buggy: fuzzer(Buggy.init), repaired: fuzzer(Repaired.init))
}
