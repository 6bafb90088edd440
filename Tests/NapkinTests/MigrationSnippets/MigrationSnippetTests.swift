// SPDX-License-Identifier: Apache-2.0
import Napkin
import Testing

#if canImport(UIKit)
import UIKit
#elseif canImport(AppKit)
import AppKit
#endif

/// The snippets run as well as they compile.
@Suite @MainActor struct MigrationSnippetTests {
  final actor ListenerMock: BakeryListener {
    private(set) var hasClosed = false
    func bakeryDidClose() async { hasClosed = true }
  }

  final class PresentableMock: BakeryPresentable {
    weak var listener: (any BakeryPresentableListener)?
    private(set) var presented = AsyncStream<Baker>.makeStream()
    func presentBaker(_ baker: Baker) async { presented.continuation.yield(baker) }
  }

  final class WindowMock: LaunchWindow {
    private(set) var root: (any ViewControllable)?
    func show(root: any ViewControllable) { self.root = root }
  }

  private let component = ShopComponent()

  @Test func `an interactor calls its listener`() async {
    let listener = ListenerMock()
    let interactor = BakeryInteractor(presenter: PresentableMock(), service: component.service)
    await interactor.wire(router: nil, listener: listener)
    await interactor.activate()
    await interactor.didTapClose()
    #expect(await listener.hasClosed)
  }

  @Test func `an observation that is bound to the active scope reaches the presenter`() async {
    let presenter = PresentableMock()
    let interactor = BakeryInteractor(presenter: presenter, service: component.service)
    await interactor.activate()
    var bakers = presenter.presented.stream.makeAsyncIterator()
    #expect(await bakers.next() == Baker(firstName: "Rose", lastName: "Levy"))
    await interactor.deactivate()
  }

  @Test func `an initialiser of lifecycles is a function without arguments`() async {
    let make: () -> InteractorLifecycle = InteractorLifecycle.init
    let lifecycle = make()
    await lifecycle.activate(invoking: {})
    #expect(lifecycle.isActive)
    await lifecycle.deactivate(invoking: {})
  }

  @Test func `a component hands its services to its children`() {
    let bakery = BakeryComponent(dependency: component)
    #expect(bakery.service === component.service)
    #expect(bakery.scale.till === component.till)
    #expect(bakery.receipt.scale === bakery.scale)
  }

  @Test func `a launched tree routes there and back`() async throws {
    let root = await ShopBuilder(dependency: component).build()
    let window = WindowMock()
    await root.launch(from: window)
    #expect(window.root === root.viewControllable)

    let bakery = try #require(root.children.first as? any BakeryRouting)
    await bakery.routeToOven()
    let oven = try #require(bakery.children.first as? OvenRouter)
    #expect(await oven.interactor.isActive)
    await oven.interactor.bell()
    #expect(bakery.children.isEmpty)
    #expect(await !oven.interactor.isActive)
  }

  @Test func `a presenter turns a baker into a name`() async {
    let viewController = BakeryViewController()
    let presenter = BakeryPresenter(viewController: viewController)
    await presenter.presentBaker(Baker(firstName: "Rose", lastName: "Levy"))
    #expect(presenter.displayName == "Rose Levy")
    #expect(viewController.name == "Rose Levy")
  }
}
