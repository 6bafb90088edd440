// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

/// A chat that hands incoming text on to its composer, and so holds it; and a composer that holds its listener, the
/// chat.
///
/// What was open in the end is never released, and the fuzzer says so without being asked.
enum StrongListener {
  protocol ComposerListener: AnyObject, Sendable { func composerDidSend(_ text: String) async }

  protocol Composing: Interactable { func quote(_ text: String) async }

  final actor Buggy: Composing {
    nonisolated let lifecycle = InteractorLifecycle()
    private let listener: any ComposerListener
    init(listener: any ComposerListener) { self.listener = listener }
    func quote(_ text: String) async { await listener.composerDidSend("> \(text)") }
  }

  final actor Repaired: Composing {
    nonisolated let lifecycle = InteractorLifecycle()
    private weak var listener: (any ComposerListener)?
    init(listener: any ComposerListener) { self.listener = listener }
    func quote(_ text: String) async {
      Execution.sometimes("a text is quoted", listener != nil)
      await listener?.composerDidSend("> \(text)")
    }
  }

  final actor ChatInteractor: Interactable, ComposerListener {
    nonisolated let lifecycle = InteractorLifecycle()
    private var composer: (any Composing)?
    private var sent: [String] = []

    func didOpen(_ composer: (any Composing)?) { self.composer = composer }
    func didReceive(_ text: String) async { await composer?.quote(text) }
    func composerDidSend(_ text: String) { sent.append(text) }
  }

  final class ChatRouter<Composer: Composing>: Router<ChatInteractor> {
    private let make: (any ComposerListener) -> Composer
    private var composer: Router<Composer>?

    init(make: @escaping (any ComposerListener) -> Composer) {
      self.make = make
      super.init(interactor: ChatInteractor())
    }

    func openComposer() async {
      guard composer == nil else { return }
      let router = Router(interactor: make(interactor))
      composer = router
      await interactor.didOpen(router.interactor)
      await attachChild(router)
    }
  }

  private static func fuzzer<Composer: Composing>(
    _ make: @escaping @MainActor @Sendable (any ComposerListener) -> Composer
  ) -> TreeFuzzer<ChatRouter<Composer>> {
    TreeFuzzer { ChatRouter(make: make) }
      .action("open composer") { await $0.openComposer() }
      .action("text arrives") { await $0.interactor.didReceive("hello") }
  }

  static let canary = Canary(
    "strong listener", reaching: "a text is quoted",
    breaks: "a child holds its listener weakly", verdict: "T10 release: ",
    buggy: fuzzer { Buggy(listener: $0) }, repaired: fuzzer { Repaired(listener: $0) })
}
