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
        1 of 2 tasks bound to MockInteractor went on 20 ms after it resigned.
        Likely cause: the work waits for something that does not end with its task, or swallows CancellationError.
        What to do: check `Task.isCancelled` in its loops, and let what it awaits end by cancellation.
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
        The action has cancelled no work that is bound to MockInteractor.
        Likely cause: the interactor did not resign, or all its work had ended by itself.
        What to do: make sure that `task { }` has been called and goes on, and that the action deactivates this \
        interactor.
        """
      ]
    )
  }
}
