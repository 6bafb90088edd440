// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Observation
import Testing

#if canImport(UIKit)
import UIKit
#endif

// The code of the page, as it stands there.

@MainActor protocol TabsViewControllable: ViewControllable {
  func show(tabs: [any ViewControllable])
}

@MainActor final class TabsRouter: ViewableRouter<TabsInteractor, any TabsViewControllable> {
  private let builders: [any TabBuildable]
  private var tabs: [any ViewableRouting] = []
  private var wanted = 0
  private lazy var selected = ChildSlot<any ViewableRouting>(of: self)

  init(interactor: TabsInteractor, viewController: any TabsViewControllable, builders: [any TabBuildable]) {
    self.builders = builders
    super.init(interactor: interactor, viewController: viewController)
  }

  override func didLoad() async {
    await super.didLoad()
    var tabs: [any ViewableRouting] = []
    for builder in builders { tabs.append(await builder.build()) }
    self.tabs = tabs
    viewController.show(tabs: tabs.map(\.viewControllable))
    await select(wanted)
  }

  func select(_ index: Int) async {
    guard builders.indices.contains(index) else { return }
    wanted = index
    // Not loaded yet: `didLoad()` selects it.
    guard !tabs.isEmpty else { return }
    await selected.show { tabs[index] }
  }
}

extension TabsRouter {
  func open(_ child: any Routing, inTab index: Int) async {
    await select(index)
    guard tabs.indices.contains(index), children.contains(where: { $0 === tabs[index] }) else { return }
    await tabs[index].attachChild(child)
  }
}

protocol TabBuildable: Buildable {
  @MainActor func build() async -> any ViewableRouting
}

final actor TabsInteractor: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
  private weak var router: TabsRouter?

  func wire(router: TabsRouter) { self.router = router }
  func didSelectTab(_ index: Int) async { await router?.select(index) }
}

#if canImport(UIKit)
final class TabsViewController: UITabBarController, UITabBarControllerDelegate, TabsViewControllable {
  weak var interactor: TabsInteractor?

  func show(tabs: [any ViewControllable]) {
    delegate = self
    setViewControllers(tabs.map(\.uiviewController), animated: false)
  }

  func tabBarController(_ tabBarController: UITabBarController, didSelect viewController: UIViewController) {
    let index = selectedIndex
    dispatch { [interactor] in await interactor?.didSelectTab(index) }
  }
}
#endif

@MainActor
@Observable
final class Basket {
  private(set) var items: [String] = []
  func add(_ item: String) { items.append(item) }
}

protocol MenuDependency: Dependency { var basket: Basket { get } }
protocol CheckoutDependency: Dependency { var basket: Basket { get } }

final class TabsComponent: Component<any EmptyDependency>, MenuDependency, CheckoutDependency, @unchecked Sendable {
  private let created: Basket
  var basket: Basket { created }

  init(basket: Basket) {
    created = basket
    super.init(dependency: EmptyComponent())
  }
}

// The part of it that runs: the router, under taps that overlap.

@MainActor private final class TabsViewMock: MockViewController, TabsViewControllable {
  private(set) var tabs: [any ViewControllable] = []
  func show(tabs: [any ViewControllable]) { self.tabs = tabs }
}

@MainActor private final class TabBuilderMock: TabBuildable {
  private(set) weak var tab: ViewableRouter<MockInteractor, MockViewController>?

  func build() async -> any ViewableRouting {
    await Task.yield()
    let made = ViewableRouter<MockInteractor, MockViewController>(
      interactor: MockInteractor(), viewController: MockViewController())
    tab = made
    return made
  }
}

@Suite struct TabBarsArticle {
  @Test func `one tab is attached, and it is the one that was tapped last`() async {
    let lastTap = FuzzContext { LastTap() }
    await TreeFuzzer {
      TabsRouter(
        interactor: TabsInteractor(), viewController: TabsViewMock(),
        builders: [TabBuilderMock(), TabBuilderMock(), TabBuilderMock()])
    }
    .action(
      FuzzAction("tap a tab", with: .drawn(.int(in: 0...2))) { router, index in
        lastTap().index = index
        await router.select(index)
      }
    )
    .invariant("one tab is attached") { $0.children.count == 1 }
    .invariant("it is the one that was tapped last") { router in
      guard let view = router.viewController as? TabsViewMock, view.tabs.count == 3 else { return false }
      return (router.children.first as? any ViewableRouting)?.viewControllable === view.tabs[lastTap().index]
    }
    .check(executions: 500, seed: 1)
  }
}

extension TabBarsArticle {
  @MainActor private func tabs() async -> (router: TabsRouter, hidden: TabBuilderMock) {
    let hidden = TabBuilderMock()
    let router = TabsRouter(
      interactor: TabsInteractor(), viewController: TabsViewMock(), builders: [TabBuilderMock(), hidden])
    await router.interactor.activate()
    await router.load()
    return (router, hidden)
  }

  @Test @MainActor func `a child of a tab that was never selected is active until that is left`() async throws {
    let (router, hidden) = await tabs()
    let (tab, child) = (try #require(hidden.tab), Router(interactor: MockInteractor()))
    await tab.attachChild(child)
    #expect(await child.interactor.isActive)
    #expect(await !tab.interactor.isActive)
    await router.interactor.deactivate()
    #expect(await child.interactor.isActive)
    await router.interactor.activate()
    await router.select(1)
    await router.select(0)
    #expect(await !child.interactor.isActive)
    await router.interactor.deactivate()
  }

  @Test @MainActor func `what a link opens in a tab is active while that is selected`() async throws {
    let (router, hidden) = await tabs()
    let (tab, child) = (try #require(hidden.tab), Router(interactor: MockInteractor()))
    await router.open(child, inTab: 1)
    #expect(tab.children.first === child)
    #expect(await child.interactor.isActive)
    await router.select(0)
    #expect(await !child.interactor.isActive)
    await router.interactor.deactivate()
  }
}

@MainActor private final class LastTap {
  var index = 0
}
