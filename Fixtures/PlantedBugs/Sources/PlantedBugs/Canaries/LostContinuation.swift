// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

/// A dialog that keeps the continuation of its caller: a second question overwrites the first, whose asker waits for
/// ever.
///
/// The fuzzer sees that it is never released, without being asked.
enum LostContinuation {
  @MainActor class Dialog {
    fileprivate var pending: UnsafeContinuation<Bool, Never>?

    func confirm() async -> Bool { false }

    func answer(_ isConfirmed: Bool) {
      let pending = pending.take()
      pending?.resume(returning: isConfirmed)
    }

    fileprivate func ask() async -> Bool { await withUnsafeContinuation { pending = $0 } }
  }

  final class Buggy: Dialog {
    override func confirm() async -> Bool { await ask() }
  }

  final class Repaired: Dialog {
    override func confirm() async -> Bool {
      Execution.sometimes("a question comes before the last one is answered", pending != nil)
      answer(false)
      return await ask()
    }
  }

  final actor AccountInteractor: Interactable {
    nonisolated let lifecycle = InteractorLifecycle()
    private let dialog: Dialog
    private var isDeleted = false

    init(dialog: Dialog) { self.dialog = dialog }

    func didTapDelete() async {
      guard !isDeleted, await dialog.confirm() else { return }
      isDeleted = true
    }

    func willResignActive() async { await dialog.answer(false) }
  }

  final class AccountRouter: Router<AccountInteractor> {
    let dialog: Dialog

    init(dialog: Dialog) {
      self.dialog = dialog
      super.init(interactor: AccountInteractor(dialog: dialog))
    }
  }

  private static func fuzzer(_ make: @escaping @MainActor @Sendable () -> Dialog) -> TreeFuzzer<AccountRouter> {
    TreeFuzzer { AccountRouter(dialog: make()) }
      .action("tap delete") { root in dispatch { [interactor = root.interactor] in await interactor.didTapDelete() } }
      .action("confirm") { $0.dialog.answer(true) }
  }

  static let canary = Canary(
    "lost continuation", reaching: "a question comes before the last one is answered",
    breaks: "each continuation is resumed",
    verdict: "T10 release: AccountInteractor was never released",
    buggy: fuzzer(Buggy.init), repaired: fuzzer(Repaired.init))
}
