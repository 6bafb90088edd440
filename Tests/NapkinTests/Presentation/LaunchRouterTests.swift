// SPDX-License-Identifier: Apache-2.0
import Napkin
import Testing

#if !canImport(UIKit) && !canImport(AppKit)
@Suite @MainActor struct LaunchRouterTests {
  final class Window: LaunchWindow {
    var shown: [ObjectIdentifier] = []
    func show(root: any ViewControllable) { shown.append(ObjectIdentifier(root)) }
  }

  final class Screen: ViewControllable {}

  final actor RootInteractor: Interactable {
    nonisolated let lifecycle = InteractorLifecycle()
    private(set) var calls: [String] = []
    func didBecomeActive() async { calls.append("active") }
    func willResignActive() async { calls.append("resigned") }
    func note(_ call: String) { calls.append(call) }
  }

  final class RootRouter: LaunchRouter<RootInteractor, Screen> {
    override func didLoad() async {
      await super.didLoad()
      await interactor.note("loaded")
    }
  }

  private let window = Window()
  private let router = RootRouter(interactor: RootInteractor(), viewController: Screen())

  @Test func `a launch shows the root, activates it and then loads it`() async {
    await router.launch(from: window)
    #expect(window.shown == [ObjectIdentifier(router.viewController)])
    #expect(await router.interactor.calls == ["active", "loaded"])
    #expect(await router.interactor.isActive)
  }

  @Test func `a second launch changes nothing`() async {
    await router.launch(from: window)
    await router.launch(from: window)
    #expect(await router.interactor.calls == ["active", "loaded"])
  }

  @Test func `launches from many tasks activate and load once`() async {
    await withTaskGroup { group in
      for _ in 0..<20 {
        group.addTask { @Sendable [router, window] in await router.launch(from: window) }
      }
    }
    #expect(await router.interactor.calls == ["active", "loaded"])
  }

  @Test func `a window that comes later shows the root too`() async {
    let second = Window()
    await router.launch(from: window)
    await router.launch(from: second)
    #expect(second.shown == [ObjectIdentifier(router.viewController)])
  }

  @Test func `a router is launched through its protocol`() async {
    let routing: any LaunchRouting = router
    await routing.launch(from: window)
    #expect(await router.interactor.calls == ["active", "loaded"])
  }
}
#endif
