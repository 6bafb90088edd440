// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

@Suite struct ExpectCancelsTests {
  private let probe = CancellationProbe()

  private func start(_ work: @escaping @Sendable () async -> Void) async -> Task<Void, Never> {
    let task = Task { [probe] in await probe.run(work) }
    await probe.recorder.first { $0 == .began }
    return task
  }

  @Test func `work that is bound to an interactor is cancelled by its deactivation`() async {
    let interactor = MockInteractor(didBecomeActive: { [probe] in $0.task { await probe.untilCancelled() } })
    await interactor.activate()
    await probe.recorder.first { $0 == .began }
    #expect(await expectCancels(probe) { await interactor.deactivate() })
  }

  @Test func `work that has not begun is an issue`() async {
    let texts = await issues { #expect(await !expectCancels(probe) {}) }
    #expect(
      texts == [
        """
        The work of a CancellationProbe has not begun, so nothing can cancel it.
        Likely cause: the task has not reached the work yet, or the work has ended by itself.
        What to do: await `probe.recorder.first { $0 == .began }` before the action.
        """
      ]
    )
  }

  @Test func `work that has ended is an issue`() async {
    await probe.run {}
    let texts = await issues { #expect(await !expectCancels(probe) {}) }
    #expect(texts.first?.hasPrefix("The work of a CancellationProbe has ended") == true)
  }

  @Test func `work that the action leaves alone is an issue`() async {
    let gate = Gate()
    let task = await start { await gate.pass() }
    let texts = await issues { #expect(await !expectCancels(probe) {}) }
    #expect(
      texts == [
        """
        The action returned, and the work of a CancellationProbe has not been cancelled.
        Likely cause: the work runs in a task that is not bound to the scope, such as `Task { }` in place of `task { }`.
        What to do: bind the work with the interactor's `task { }`, or keep its task and cancel it.
        """
      ]
    )
    gate.open()
    await task.value
  }

  @Test func `work that ignores its cancellation is an issue`() async {
    let release = Recorder<Int>("Release")
    let task = await start {
      // A task of its own does not hear of the cancellation.
      await Task { _ = await release.next(within: .seconds(600)) }.value
    }
    let texts = await issues { #expect(await !expectCancels(probe, within: .milliseconds(5)) { task.cancel() }) }
    #expect(
      texts == [
        """
        The work of a CancellationProbe was cancelled, and is still running 5 ms later.
        Likely cause: it waits for something that does not end on cancellation, or ignores CancellationError in a loop.
        What to do: check `Task.isCancelled` in its loops, and make what it awaits end on cancellation.
        """
      ]
    )
    let strict = await issues {
      #expect(await !expectCancels(probe, beforeReturn: true) { task.cancel() })
    }
    #expect(strict.first?.hasPrefix("The action returned, and the work") == true)
    release.record(1)
    await task.value
  }

  @Test func `work that ends before the action returns passes the strict check`() async {
    let task = await start { await Gate().pass() }
    #expect(
      await expectCancels(probe, beforeReturn: true) {
        task.cancel()
        await task.value
      }
    )
  }

  @Test func `work that ends after the action has returned fails the strict check`() async {
    let release = Recorder<Int>("Release")
    let task = await start { await Task { _ = await release.next(within: .seconds(600)) }.value }
    let texts = await issues {
      #expect(await !expectCancels(probe, beforeReturn: true) { task.cancel() })
    }
    #expect(
      texts.first?.hasPrefix("The work of a CancellationProbe was cancelled, and is still running after the action")
        == true)
    release.record(1)
    await task.value
  }
}
