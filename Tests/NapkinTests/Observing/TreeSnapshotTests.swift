// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

@Suite @MainActor struct TreeSnapshotTests {
  private final class Root: Router<MockInteractor> {}
  private final class Home: Router<MockInteractor> {}
  private final class Feed: Router<MockInteractor> {}

  @Test func `a snapshot draws the tree with the state of each interactor`() async {
    let root = Root(interactor: MockInteractor())
    let homes = [Home(interactor: MockInteractor()), Home(interactor: MockInteractor())]
    for home in homes {
      await root.attachChild(home)
      await home.attachChild(Feed(interactor: MockInteractor()))
    }
    await homes[0].attachChild(MockRouter())
    #expect(
      TreeObserver.Snapshot(of: root).description == """
        Root (inactive)
        ├─ Home (active)
        │  ├─ Feed (active)
        │  └─ MockRouter (active)
        └─ Home (active)
           └─ Feed (active)
        """
    )
  }

  @Test func `a snapshot counts the work that is bound`() async {
    let interactor = MockInteractor()
    let root = Root(interactor: interactor)
    await interactor.activate()
    let gate = Gate()
    interactor.task { await gate.pass() }
    #expect(TreeObserver.Snapshot(of: root).description == "Root (active, 1 bound task)")
    interactor.task { await gate.pass() }
    #expect(TreeObserver.Snapshot(of: root).description == "Root (active, 2 bound tasks)")
    await interactor.deactivate()
    #expect(TreeObserver.Snapshot(of: root).description == "Root (inactive)")
  }

  @Test func `snapshots of different trees differ`() async {
    let root = Root(interactor: MockInteractor())
    let before = TreeObserver.Snapshot(of: root).description
    await root.attachChild(MockRouter())
    #expect(TreeObserver.Snapshot(of: root).description != before)
  }

  /// A `Routing` of a user's own need not keep the rules of a `Router`.
  private final class Looped: Routing {
    let interactable: any Interactable = MockInteractor()
    var children: [any Routing] = []
    func load() async {}
    func loaded() async {}
    func attachChild(_ child: any Routing) async { children.append(child) }
    func detachChild(_ child: any Routing) async { children.removeAll { $0 === child } }
  }

  @Test func `a tree with a cycle in it is drawn, and the cycle is named`() async {
    let root = Looped()
    await root.attachChild(root)
    #expect(
      TreeObserver.Snapshot(of: root).description == """
        Looped (inactive)
        └─ Looped (shown above)
        """
    )
    await root.detachChild(root)
  }
}
