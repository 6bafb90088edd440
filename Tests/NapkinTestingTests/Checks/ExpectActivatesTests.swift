// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

@Suite struct ExpectActivatesTests {
  private let interactor = MockInteractor()

  @Test func `an action that activates or deactivates passes`() async {
    #expect(await expectActivates(interactor) { await interactor.activate() })
    #expect(await expectDeactivates(interactor) { await interactor.deactivate() })
  }

  @Test func `an action that leaves an interactor inactive is an issue`() async {
    let texts = await issues { #expect(await !expectActivates(interactor) {}) }
    #expect(
      texts == [
        """
        MockInteractor is not active after the action.
        Likely cause: its router was not attached, or is below a router with a deactivated interactor.
        What to do: look at the tree with `TreeSnapshot(of: root)` before and after.
        """
      ]
    )
  }

  @Test func `an action that leaves an interactor active is an issue`() async {
    await interactor.activate()
    let texts = await issues { #expect(await !expectDeactivates(interactor) {}) }
    #expect(
      texts == [
        """
        MockInteractor is not inactive after the action.
        Likely cause: its router was not detached, or another one was.
        What to do: look at the tree with `TreeSnapshot(of: root)` before and after.
        """
      ]
    )
    await interactor.deactivate()
  }

  @Test func `an interactor that is in the state already is an issue, and the action is not run`() async {
    let texts = await issues {
      #expect(await !expectDeactivates(interactor) { Issue.record("The action was run.") })
    }
    #expect(
      texts == [
        """
        MockInteractor is inactive already before the action.
        Likely cause: the setup of the test, or an earlier action, has done it.
        What to do: bring it into the other state first, or check another interactor.
        """
      ]
    )
  }
}
