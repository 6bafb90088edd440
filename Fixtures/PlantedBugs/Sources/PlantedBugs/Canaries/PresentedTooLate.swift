// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

/// An article that is presented when it has been loaded, whether the user is still there or not.
///
/// The fuzzer needs no invariant: it sees whose presenter is called, and when.
enum PresentedTooLate {
  protocol ArticlePresentable: Presentable, Sendable {
    func present(_ text: String) async
  }

  protocol Reader: PresentableInteractable where PresenterType == any ArticlePresentable {
    init(_ presenter: any ArticlePresentable)
    func didTapRead() async
  }

  static func load() async -> String {
    try? await Task.sleep(for: .seconds(2))
    return "an article"
  }

  final actor Buggy: Reader {
    nonisolated let lifecycle = InteractorLifecycle()
    nonisolated let presenter: any ArticlePresentable
    init(_ presenter: any ArticlePresentable) { self.presenter = presenter }

    func didTapRead() async {
      let article = await PresentedTooLate.load()
      await presenter.present(article)
    }
  }

  final actor Repaired: Reader {
    nonisolated let lifecycle = InteractorLifecycle()
    nonisolated let presenter: any ArticlePresentable
    init(_ presenter: any ArticlePresentable) { self.presenter = presenter }

    func didTapRead() async {
      let article = await PresentedTooLate.load()
      Execution.sometimes("an article comes when the user has left", !lifecycle.isActive)
      guard lifecycle.isActive else { return }
      await presenter.present(article)
    }
  }

  private final class ArticlePresenter: MockPresentable<String>, ArticlePresentable {
    func present(_ text: String) async { record(text) }
  }

  final class ShelfRouter<Child: Reader>: Router<ScreenInteractor> {
    private lazy var article = ChildSlot<Router<Child>>(of: self)

    var reader: Child? { article.child?.interactor }

    func open() async {
      guard !article.isTaken else { return }
      await article.show { Router(interactor: Child(ArticlePresenter())) }
    }

    func close() async { await article.clear() }
  }

  private static func fuzzer<Child: Reader>(_: Child.Type) -> TreeFuzzer<ShelfRouter<Child>> {
    TreeFuzzer { ShelfRouter(interactor: ScreenInteractor()) }
      .action("open") { await $0.open() }
      .action("close") { await $0.close() }
      .action("read") { await $0.reader?.didTapRead() }
  }

  static let canary = Canary(
    "presented too late", reaching: "an article comes when the user has left",
    breaks: "L1: an interactor that has resigned presents nothing",
    verdict: "L1 lateOutput: \"ArticlePresenter: an article\" was called", buggy: fuzzer(Buggy.self),
    repaired: fuzzer(Repaired.self))
}
