// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

@Suite @MainActor struct ExpectAttachesTests {
  private final class Parent: Router<MockInteractor> {}
  private final class Child: Router<MockInteractor> {}
  private let parent = Parent(interactor: MockInteractor())
  private let child = Child(interactor: MockInteractor())

  @Test func `an action that attaches a child passes, and the child is returned`() async {
    let children = await expectAttaches(to: parent) { await parent.attachChild(child) }
    #expect(children.first === child)
  }

  @Test func `an action that attaches another number of children is an issue`() async {
    let texts = await issues { await expectAttaches(2, to: parent) { await parent.attachChild(child) } }
    #expect(
      texts == [
        """
        2 children of Parent were expected to be attached; attached: Child; detached: nothing.
        Likely cause: a guard let the action through twice or not at all, or the attach is not awaited.
        What to do: await `attachChild` in the routing method, and take the child's slot before the first suspension.
        """
      ]
    )
  }

  @Test func `an action that attaches one child and detaches another is an issue`() async {
    await parent.attachChild(child)
    let texts = await issues {
      await expectAttaches(to: parent) {
        await parent.detachChild(child)
        await parent.attachChild(MockRouter())
      }
    }
    #expect(
      texts.first?.hasPrefix("1 child of Parent was expected to be attached; attached: MockRouter; detached: Child.")
        == true)
  }

  @Test func `an action that detaches a child passes`() async {
    await parent.attachChild(child)
    #expect(await expectDetaches(child, from: parent) { await parent.detachChild(child) })
  }

  @Test func `a child that stays is an issue`() async {
    await parent.attachChild(child)
    let texts = await issues { #expect(await !expectDetaches(child, from: parent) {}) }
    #expect(
      texts == [
        """
        After the action that was expected to detach Child: Child is still a child of Parent; Child stayed active.
        Likely cause: the routing method keeps another router than the one it attached, or the detach is not awaited.
        What to do: await `detachChild` with the router that was attached, and look at `TreeSnapshot(of: root)`.
        """
      ]
    )
  }

  @Test func `a second child that is detached is an issue`() async {
    let other = MockRouter()
    await parent.attachChild(child)
    await parent.attachChild(other)
    let texts = await issues {
      await expectDetaches(child, from: parent) {
        await parent.detachChild(child)
        await parent.detachChild(other)
      }
    }
    #expect(
      texts.first?.hasPrefix("After the action that was expected to detach Child: also detached: MockRouter.") == true)
  }

  @Test func `detaching a router that is not a child is an issue, and the action is not run`() async {
    let texts = await issues {
      #expect(await !expectDetaches(child, from: parent) { Issue.record("The action was run.") })
    }
    #expect(
      texts == [
        """
        Child is not a child of Parent before the action that is expected to detach it.
        Likely cause: it was never attached, or an earlier action detached it.
        What to do: attach it first, or check another child.
        """
      ]
    )
  }
}
