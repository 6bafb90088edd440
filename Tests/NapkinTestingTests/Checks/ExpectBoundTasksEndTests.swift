// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

@Suite struct ExpectBoundTasksEndTests {
  @Test func `work that ends with its scope passes`() async {
    let interactor = MockInteractor()
    await interactor.activate()
    let gate = Gate()
    for _ in 0..<2 { interactor.task { await gate.pass() } }
    await gate.reached(by: 2)
    #expect(await expectBoundTasksEnd(of: interactor) { await interactor.deactivate() })
  }

  @Test func `work that goes on after its scope is an issue`() async {
    let interactor = MockInteractor()
    await interactor.activate()
    let (gate, release) = (Gate(), Recorder<Int>("Release"))
    interactor.task { await gate.pass() }
    // A task of its own does not hear of the cancellation.
    interactor.task { await Task { _ = await release.next(within: .seconds(600)) }.value }
    await gate.reached()
    let texts = await issues {
      await expectBoundTasksEnd(of: interactor, within: .milliseconds(20)) { await interactor.deactivate() }
    }
    #expect(
      texts == [
        """
        1 of 2 tasks bound to MockInteractor were still running 20 ms after its deactivation.
        Likely cause: a task waits for something that does not end when it is cancelled, or ignores CancellationError.
        What to do: check `Task.isCancelled` in its loops, and make what it awaits end on cancellation.
        """
      ]
    )
    release.record(1)
  }

  @Test func `an action that cancels nothing is an issue`() async {
    let interactor = MockInteractor()
    await interactor.activate()
    let texts = await issues {
      #expect(await !expectBoundTasksEnd(of: interactor) { await interactor.deactivate() })
    }
    #expect(
      texts == [
        """
        The action has cancelled no task that is bound to MockInteractor.
        Likely cause: the interactor was not deactivated, or all its tasks had ended before.
        What to do: make sure that a task of `task { }` is running, and that the action deactivates this interactor.
        """
      ]
    )
  }
}
