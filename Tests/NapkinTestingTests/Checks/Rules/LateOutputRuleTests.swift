// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Testing

@Suite struct LateOutputRuleTests {
  /// What is said where pages are opened and closed, and asked to load what they present.
  private func verdict(
    of kind: Sheet.Kind, isShared: Bool = false,
    _ view: @escaping @MainActor @Sendable () -> SheetView = { SheetView() }
  ) async -> String? {
    let failure = await TreeFuzzer { Hall(kind, isShared, view) }
      .action("open") { await $0.open() }
      .action("close") { await $0.close() }
      .action("load") { await $0.sheet?.load() }
      .run(executions: 300, actions: 1...6, seed: 1).failure
    return failure?.diagnostics.first?.summary
  }

  @Test func `L1 what is presented after its napkin has left is reported`() async {
    #expect(
      await verdict(of: .presentsLate) == """
        L1 lateOutput: "SheetView: present("page")" was called on the presenter of Sheet when its router had been \
        released.
        """)
  }

  @Test func `L1 an interactor that looks whether it is active presents nothing late`() async {
    #expect(await verdict(of: .looks) == nil)
  }

  @Test func `L1 a listener that a bound task calls after its napkin has resigned is reported`() async {
    #expect(
      await verdict(of: .reportsLate) == """
        L1 lateOutput: "Owner: didEnd" was called on the listener of Sheet by its task 1 when willResignActive() had \
        returned.
        """)
    #expect(await verdict(of: .reportsInTime) == nil)
  }

  @Test func `L1 what a bound task presents when its interactor is gone is reported`() async {
    #expect(
      await verdict(of: .bindsLate) == """
        L1 lateOutput: "SheetView: present("page")" was called on the presenter of Sheet by its task 1 when its router had \
        been released.
        """)
  }

  @Test func `L1 what another object calls late is left alone`() async {
    #expect(await verdict(of: .othersReport) == nil)
  }

  @Test func `L1 a presenter of several napkins, or that is the view, is left alone`() async {
    let shared = await SheetView()
    #expect(await verdict(of: .presentsLate, isShared: true) { shared } == nil)
    #expect(await verdict(of: .presentsLateToItsView) == nil)
  }
}

private protocol SheetPresentable: Presentable, Sendable { func present(_ text: String) async }
private protocol SheetListener: AnyObject, Sendable { func sheetDidEnd() async }

private enum SheetCall: Equatable { case present(String) }

private final class SheetView: MockPresentable<SheetCall>, SheetPresentable {
  func present(_ text: String) async { record(.present(text)) }
}

private final class SheetController: MockViewController, SheetPresentable, RecordingPresentable {
  nonisolated let recorder = Recorder<SheetCall>("SheetController")
  func present(_ text: String) async { record(.present(text)) }
}

private final class Owner: SheetListener, RecordingListener {
  enum Event: Equatable { case didEnd }
  let recorder = Recorder<Event>()
  func sheetDidEnd() async { record(.didEnd) }
}

private final actor Sheet: PresentableInteractable {
  enum Kind { case presentsLate, presentsLateToItsView, looks, reportsLate, reportsInTime, othersReport, bindsLate }

  nonisolated let lifecycle = InteractorLifecycle()
  nonisolated let presenter: any SheetPresentable
  private let kind: Kind
  private let listener: any SheetListener

  init(_ kind: Kind, _ presenter: any SheetPresentable, _ listener: any SheetListener) {
    (self.kind, self.presenter, self.listener) = (kind, presenter, listener)
  }

  func didBecomeActive() async {
    let isLate = kind == .reportsLate
    if kind == .othersReport {
      // A service of its own, whose task is no work of the page's.
      Task.detached { [listener] in
        try? await Task.sleep(for: .seconds(2))
        await listener.sheetDidEnd()
      }
    }
    if kind == .bindsLate {
      task { [presenter] in
        await Self.answer()
        await presenter.present("page")
      }
    }
    guard isLate || kind == .reportsInTime else { return }
    task { [listener] in
      if isLate {
        await Self.answer()
      } else {
        try? await Task.sleep(for: .seconds(2))
      }
      if isLate || !Task.isCancelled { await listener.sheetDidEnd() }
    }
  }

  func load() async {
    guard kind == .presentsLate || kind == .presentsLateToItsView || kind == .looks else { return }
    await Self.answer()
    if kind == .looks, !lifecycle.isActive { return }
    await presenter.present("page")
  }

  /// A server hears of no cancellation.
  private static func answer() async { await Task.detached { try? await Task.sleep(for: .seconds(2)) }.value }
}

private final class Hall: Router<MockInteractor> {
  private lazy var page = ChildSlot<any Routing>(of: self)
  private let kind: Sheet.Kind
  private let view: @MainActor () -> SheetView
  private let owner = Owner()

  /// A presenter that is shared belongs to another napkin, too.
  private let other: Router<Sheet>?

  init(_ kind: Sheet.Kind, _ isShared: Bool, _ view: @escaping @MainActor () -> SheetView) {
    (self.kind, self.view) = (kind, view)
    other = isShared ? Router(interactor: Sheet(kind, view(), owner)) : nil
    super.init(interactor: MockInteractor())
  }

  var sheet: Sheet? { page.child?.interactable as? Sheet }

  func open() async {
    guard !page.isTaken else { return }
    await page.show {
      if kind == .presentsLateToItsView {
        let view = SheetController()
        return ViewableRouter(interactor: Sheet(kind, view, owner), viewController: view)
      }
      return Router(interactor: Sheet(kind, self.view(), owner))
    }
  }

  func close() async { await page.clear() }
}
