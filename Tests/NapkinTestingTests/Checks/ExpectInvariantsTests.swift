// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

/// A `Routing` that adds every router to its children, as a careless hand-written mock does.
@MainActor private class Careless: Routing {
  let interactable: any Interactable
  var children: [any Routing] = []
  init(_ interactor: any Interactable = MockInteractor()) { interactable = interactor }
  func load() async {}
  func loaded() async {}
  func attachChild(_ child: any Routing) async { children.append(child) }
  func detachChild(_ child: any Routing) async { children.removeAll { $0 === child } }
}

/// Says that it is a node of the tree, and shows children that the tree knows nothing of.
@MainActor private final class Forged: Careless, NodeOwner {
  let node: RouterNode
  override init(_ interactor: any Interactable) {
    node = RouterNode(interactable: interactor, type: Forged.self)
    super.init(interactor)
  }
  func didLoad() async {}
}

@Suite @MainActor struct ExpectInvariantsTests {
  private final class Parent: Router<MockInteractor> {}

  @Test func `a tree keeps its invariants through attach, detach and sleep`() async {
    let root = Parent(interactor: MockInteractor())
    let child = Parent(interactor: MockInteractor())
    #expect(await expectInvariants(of: root))
    await root.attachChild(child)
    await child.attachChild(MockRouter())
    #expect(await expectInvariants(of: root))
    await root.interactor.activate()
    await root.interactor.deactivate()
    #expect(await expectInvariants(of: root))
    await root.detachChild(child)
    #expect(await expectInvariants(of: root))
  }

  @Test func `a child with two positions in the tree is an issue, with the tree`() async {
    let root = Careless()
    let child = Parent(interactor: MockInteractor())
    for _ in 0..<2 { await root.attachChild(child) }
    let line = #line + 1
    let records = await issueRecords { #expect(await !expectInvariants(of: root)) }
    #expect(
      records.map(\.text) == [
        """
        Parent is in the tree at more than one position, one of them under Careless (T2 placement).
        Careless (inactive)
        ├─ Parent (inactive)
        └─ Parent (shown above)
        Likely cause: a router was attached twice or without `attachChild`, or an interactor was activated without its router.
        What to do: move routers with `attachChild` and `detachChild` only, and await them; the contract has the rule.
        """
      ]
    )
    #expect(records.map(\.line) == [line])
  }

  @Test func `a cycle is an issue and not an endless walk`() async {
    let root = Careless()
    let child = Careless()
    await root.attachChild(child)
    await child.attachChild(root)
    let texts = await issues { await expectInvariants(of: root) }
    #expect(texts.first?.hasPrefix("Careless is in the tree at more than one position") == true)
    root.children = []
  }

  @Test func `two routers with one interactor are an issue`() async {
    let interactor = MockInteractor()
    let root = Careless()
    for _ in 0..<2 { await root.attachChild(Careless(interactor)) }
    let texts = await issues { await expectInvariants(of: root) }
    #expect(texts.first?.hasPrefix("Careless and Careless share one interactor (T2 placement).") == true)
  }

  @Test func `a child that belongs to another parent is an issue`() async {
    let root = Forged(MockInteractor())
    let other = Parent(interactor: MockInteractor())
    let child = Parent(interactor: MockInteractor())
    await other.attachChild(child)
    root.children = [child]
    let texts = await issues { await expectInvariants(of: root) }
    #expect(texts.first?.hasPrefix("Parent is under Forged, and belongs to another parent (T2 placement).") == true)
  }

  @Test func `a child that is inactive under an active parent, by a direct call, is an issue`() async {
    let root = Parent(interactor: MockInteractor())
    let child = Parent(interactor: MockInteractor())
    await root.interactor.activate()
    await root.attachChild(child)
    await child.attachChild(MockRouter())
    await child.interactor.deactivate()
    let texts = await issues { await expectInvariants(of: root) }
    #expect(
      texts.first?.hasPrefix(
        "Parent is inactive under Parent, which is active: it was deactivated directly (T1 loading).\n") == true)
    await child.interactor.activate()
    #expect(await expectInvariants(of: root))
    await root.interactor.deactivate()
  }

  @Test func `a child that is active and was never loaded is an issue`() async {
    let root = Careless()
    let child = Parent(interactor: MockInteractor())
    await root.attachChild(child)
    await child.interactor.activate()
    let texts = await issues { await expectInvariants(of: root) }
    #expect(texts.first?.hasPrefix("Parent is attached and active, and not loaded (T1 loading).") == true)
    await child.interactor.deactivate()
  }

  @Test func `a child that is active under a parent that was deactivated is an issue`() async {
    let root = Careless()
    let child = Careless()
    await root.attachChild(child)
    await root.interactable.activate()
    await child.interactable.activate()
    #expect(await expectInvariants(of: root))
    await root.interactable.deactivate()
    let texts = await issues { await expectInvariants(of: root) }
    #expect(texts.first?.hasPrefix("Careless is active under Careless, which was deactivated (T7 dormancy).") == true)
    await child.interactable.deactivate()
  }

  // Where the main actor is busy, a second of rest takes much longer, and the gates stay closed for it.
  private final class Slow: Router<MockInteractor> {
    let gate = Gate()
    override func didLoad() async { await gate.pass(within: .seconds(600)) }
  }

  @Test func `a load that goes on is reported, and not what it leaves undone`() async {
    let root = Parent(interactor: MockInteractor())
    let child = Slow(interactor: MockInteractor())
    let attach = Task { _ = await root.attachChild(child) }
    await child.gate.reached()
    let line = #line + 1
    let records = await issueRecords { #expect(await !expectInvariants(of: root)) }
    #expect(
      records.map(\.text) == [
        """
        The tree of Parent is not at rest: Slow.didLoad() is running.
        Parent (inactive)
        └─ Slow (active)
        Likely cause: the callback takes longer than this waits, or it waits for what the test does only afterwards.
        What to do: let it end before the tree is looked at: await what has started it, or open the gate that it waits at.
        """
      ]
    )
    #expect(records.map(\.line) == [line])
    child.gate.open()
    await attach.value
    #expect(await expectInvariants(of: root))
  }

  @Test func `callbacks that go on are reported, those of a mock router, too`() async {
    let gate = Gate()
    let root = Parent(interactor: MockInteractor())
    let child = MockRouter(
      interactor: MockInteractor(
        didBecomeActive: { _ in await gate.pass(within: .seconds(600)) },
        willResignActive: { _ in await gate.pass(within: .seconds(600)) })
    )
    let attach = Task { _ = await root.attachChild(child) }
    await gate.reached()
    var texts = await issues { await expectInvariants(of: root) }
    #expect(
      texts.first?.hasPrefix("The tree of Parent is not at rest: MockInteractor.didBecomeActive() is running.") == true)
    gate.open()
    await attach.value
    gate.close()
    let detach = Task { await root.detachChild(child) }
    await gate.reached()
    texts = await issues { await expectInvariants(of: root) }
    #expect(
      texts.first?.hasPrefix("The tree of Parent is not at rest: MockInteractor.willResignActive() is running.") == true
    )
    gate.open()
    await detach.value
  }

  private final class Sleepy: Router<MockInteractor> {
    var nap = Duration.zero
    override func didLoad() async { try? await Task.sleep(for: nap) }
  }

  @Test(arguments: [(500, 0), (5_000, 1)])
  func `an exploration lets a second of its time pass for a transition`(milliseconds: Int, issues: Int) async {
    let exploration = await Explorer(executions: 20, strategy: .random).run { @MainActor in
      let root = Parent(interactor: MockInteractor())
      let child = Sleepy(interactor: MockInteractor())
      child.nap = .milliseconds(milliseconds)
      let attach = Task { _ = await root.attachChild(child) }
      await Execution.settle()
      await expectInvariants(of: root)
      await attach.value
    }
    #expect(exploration.failures.count == issues)
    #expect(
      issues == 0
        || exploration.failure?.messages.first?.hasPrefix("The tree of Parent is not at rest: Sleepy.didLoad() is")
          == true
    )
  }

  @Test func `a transition in flight is waited for`() async {
    let gate = Gate()
    let root = Parent(interactor: MockInteractor())
    let child = MockRouter(interactor: MockInteractor(didBecomeActive: { _ in await gate.pass() }))
    let attach = Task { _ = await root.attachChild(child) }
    await gate.reached()
    let check = Task { await expectInvariants(of: root) }
    gate.open()
    await attach.value
    #expect(await check.value)
  }
}
