// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

@Suite @MainActor struct ExpectTreeTests {
  private final class Parent: Router<MockInteractor> {}
  private final class Child: Router<MockInteractor> {}
  private let parent = Parent(interactor: MockInteractor())

  @Test func `a tree that is as drawn passes`() async {
    await parent.attachChild(Child(interactor: MockInteractor()))
    let isAsDrawn = await expectTree(
      of: parent,
      is: """
        Parent (inactive)
        └─ Child (active)
        """)
    #expect(isAsDrawn)
  }

  @Test func `another tree is an issue that shows both and marks what differs`() async {
    await parent.attachChild(Child(interactor: MockInteractor()))
    await parent.attachChild(MockRouter())
    let line = #line + 2
    let records = await issueRecords {
      await expectTree(
        of: parent,
        is: """
          Parent (inactive)
          └─ MockRouter (active)
          """)
    }
    #expect(
      records.map(\.text) == [
        """
        The tree of Parent is not the expected one.
        expected:
          Parent (inactive)
          └─ MockRouter (active)
        is:
          Parent (inactive)
        ✘ ├─ Child (active)
          └─ MockRouter (active)
        Likely cause: a routing method was not called or not awaited, or it attached or detached another router.
        What to do: await what changes the tree, or paste the second tree where it is right.
        """
      ]
    )
    #expect(records.map(\.line) == [line])
  }

  @Test func `a transition that is under way is awaited`() async {
    let gate = Gate()
    let child = Child(interactor: MockInteractor(didBecomeActive: { _ in await gate.pass() }))
    await parent.interactor.activate()
    let attach = Task { _ = await parent.attachChild(child) }
    await gate.reached()
    let opening = Task { gate.open() }
    await expectTree(
      of: parent,
      is: """
        Parent (active)
        └─ Child (active)
        """)
    await opening.value
    await attach.value
    await parent.interactor.deactivate()
  }

  @Test func `a transition that goes on is the issue where the tree is another one`() async {
    let gate = Gate()
    // Where the main actor is busy, a second of rest takes much longer, and the gate stays closed for it.
    let child = Child(interactor: MockInteractor(didBecomeActive: { _ in await gate.pass(within: .seconds(600)) }))
    let attach = Task { _ = await parent.attachChild(child) }
    await gate.reached()
    let texts = await issues { await expectTree(of: parent, is: "Parent (inactive)") }
    #expect(texts.count == 1)
    #expect(
      texts.first?.hasPrefix(
        """
        The tree of Parent is not at rest: MockInteractor.didBecomeActive() is running.
        Parent (inactive)
        └─ Child (active)
        Likely cause: 
        """) == true, "\(texts)")
    #expect(await expectTree(of: parent, is: "Parent (inactive)\n└─ Child (active)"))
    gate.open()
    await attach.value
  }
}
