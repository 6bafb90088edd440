// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

/// A view controller that holds its listener, the interactor, which holds it as its presenter.
///
/// The interactor is never released, and the fuzzer says so without being asked.
enum StrongViewListener {
  protocol LoginListener: AnyObject, Sendable { func didTapLogin() async }

  @MainActor protocol LoginPresentable: Presentable, Sendable {
    func present(isWaiting: Bool) async
  }

  @MainActor class LoginViewController: LoginPresentable, ViewControllable {
    fileprivate(set) var isWaiting = false
    var target: (any LoginListener)? { nil }
    func present(isWaiting: Bool) async { self.isWaiting = isWaiting }
    func tap() async { await target?.didTapLogin() }
  }

  final class Buggy: LoginViewController {
    var listener: (any LoginListener)?
    override var target: (any LoginListener)? { listener }
  }

  final class Repaired: LoginViewController {
    weak var listener: (any LoginListener)?
    override var target: (any LoginListener)? {
      Execution.sometimes("a tap finds its listener", listener != nil)
      return listener
    }
  }

  final actor LoginInteractor: PresentableInteractable, LoginListener {
    nonisolated let lifecycle = InteractorLifecycle()
    nonisolated let presenter: any LoginPresentable
    init(presenter: any LoginPresentable) { self.presenter = presenter }

    func didTapLogin() async {
      await presenter.present(isWaiting: true)
      await Server.answer()
      await presenter.present(isWaiting: false)
    }
  }

  final class LoginRouter<View: LoginViewController>: ViewableRouter<LoginInteractor, View> {}

  private static func fuzzer<View: LoginViewController>(
    _ make: @escaping @MainActor @Sendable () -> View,
    wire: @escaping @MainActor @Sendable (View, LoginInteractor) -> Void
  ) -> TreeFuzzer<LoginRouter<View>> {
    TreeFuzzer {
      let view = make()
      let interactor = LoginInteractor(presenter: view)
      wire(view, interactor)
      return LoginRouter(interactor: interactor, viewController: view)
    }
    .action("tap login") { await $0.viewController.tap() }
  }

  static let canary = Canary(
    "strong view listener", reaching: "a tap finds its listener",
    breaks: "a view holds its listener weakly",
    verdict: "T10 release: LoginInteractor was never released",
    buggy: fuzzer(Buggy.init) { $0.listener = $1 }, repaired: fuzzer(Repaired.init) { $0.listener = $1 })
}
