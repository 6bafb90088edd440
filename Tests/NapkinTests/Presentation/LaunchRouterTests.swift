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

  final actor HeldInteractor: Interactable {
    nonisolated let lifecycle = InteractorLifecycle()
    private let latch: Latch
    init(latch: Latch) { self.latch = latch }
    func didBecomeActive() async { await latch.pass() }
  }

  final class HeldRouter: LaunchRouter<HeldInteractor, Screen> {
    var latch = Latch()
    private(set) var isLoaded = false

    override func didLoad() async {
      await latch.pass()
      isLoaded = true
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

  // The second launch comes while the first one is held in the activation, and then in the loading.
  @Test func `a launch during a launch returns when the root is loaded, and repeats nothing`() async {
    let (activation, loading) = (Latch(), Latch())
    let interactor = HeldInteractor(latch: activation)
    let router = HeldRouter(interactor: interactor, viewController: Screen())
    router.latch = loading
    let first = Task.immediate { await router.launch(from: window) }
    await activation.reached()
    let second = Task.immediate {
      await router.launch(from: window)
      #expect(router.isLoaded)
    }
    activation.open()
    await loading.reached()
    let third = Task.immediate {
      await router.launch(from: window)
      #expect(router.isLoaded)
    }
    loading.open()
    for launch in [first, second, third] { await launch.value }
    #expect(activation.arrivals == 1)
    #expect(loading.arrivals == 1)
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
