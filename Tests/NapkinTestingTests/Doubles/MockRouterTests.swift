// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

@Suite @MainActor struct MockRouterTests {
  private final class ProfileRouterMock: MockRouter {}

  private final class LoadingRouterMock: MockRouter {
    let child = MockRouter()
    override func didLoad() async { await attachChild(child) }
  }

  private final class RealRouter: Router<MockInteractor> {}

  @Test func `a mock router records its calls`() async {
    let router = MockRouter()
    let child = MockRouter()
    await router.load()
    await router.loaded()
    await router.attachChild(child)
    await router.detachChild(child)
    #expect(router.events == [.load, .loaded, .attachChild(child), .detachChild(child)])
  }

  @Test func `a mock router is named after its subclass`() {
    #expect(ProfileRouterMock().recorder.name == "ProfileRouterMock")
  }

  @Test func `a mock child lives under a real router`() async {
    let interactor = MockInteractor()
    let child = ProfileRouterMock(interactor: interactor)
    let parent = RealRouter(interactor: MockInteractor())
    await parent.attachChild(child)
    #expect(parent.children.count == 1)
    #expect(child.events == [.load])
    #expect(await interactor.isActive)
    await parent.detachChild(child)
    #expect(parent.children.isEmpty)
    #expect(interactor.events == [.didBecomeActive, .willResignActive])
  }

  @Test func `a real child lives under a mock router`() async {
    let interactor = MockInteractor()
    let child = RealRouter(interactor: interactor)
    let parent = MockRouter()
    await parent.attachChild(child)
    #expect(parent.children.first === child)
    #expect(await interactor.isActive)
    await parent.detachChild(child)
    #expect(interactor.events == [.didBecomeActive, .willResignActive])
  }

  @Test func `what didLoad attaches to a mock router goes down with it`() async {
    let parent = RealRouter(interactor: MockInteractor())
    let child = LoadingRouterMock()
    await parent.attachChild(child)
    #expect(child.children.first === child.child)
    #expect(child.child.interactable.lifecycle.isActive)
    await parent.detachChild(child)
    #expect(!child.child.interactable.lifecycle.isActive)
  }

  @Test func `didLoad of a mock router runs once, and loaded waits for it`() async {
    let parent = RealRouter(interactor: MockInteractor())
    let child = LoadingRouterMock()
    for _ in 0..<2 {
      await parent.attachChild(child)
      await parent.detachChild(child)
    }
    await child.loaded()
    #expect(child.events.filter { $0 == .attachChild(child.child) }.count == 1)
  }

  @Test func `the calls of a mock router do not keep its children alive`() async {
    let router = MockRouter()
    await expectDeallocated {
      let child = MockRouter()
      await router.attachChild(child)
      await router.detachChild(child)
      return child
    }
    #expect(router.events.map(String.init(describing:)) == ["attachChild(MockRouter)", "detachChild(MockRouter)"])
  }

  @Test func `two routers are distinguished in the calls about them`() {
    let (one, other) = (MockRouter(), MockRouter())
    #expect(RoutingCall.attachChild(one) == .attachChild(one))
    #expect(RoutingCall.attachChild(one) != .attachChild(other))
    #expect(RoutingCall.attachChild(one) != .detachChild(one))
  }

  @Test func `a mock root comes up in a mock window`() async {
    let root = MockLaunchRouter()
    let window = MockWindow()
    await root.launch(from: window)
    #expect(root.events == [.launch, .load])
    #expect(window.root === root.viewControllable)
    #expect(window.showCount == 1)
    #expect(root.interactable.lifecycle.isActive)
    await root.interactable.deactivate()
  }

  @Test func `a mock router hands out the view it was made with`() {
    let view = MockViewController()
    #expect(MockViewableRouter(viewController: view).viewControllable === view)
  }
}
