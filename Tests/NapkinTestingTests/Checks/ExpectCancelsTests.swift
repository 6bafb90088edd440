// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

@Suite struct ExpectCancelsTests {
  private let gate = Gate()

  private func arrive(_ count: Int = 1) async -> [Task<Void, Never>] {
    let tasks = (0..<count).map { _ in Task { [gate] in await gate.pass() } }
    await gate.reached(by: count)
    return tasks
  }

  @Test func `work that is bound to an interactor is cancelled by its deactivation`() async {
    let interactor = MockInteractor(didBecomeActive: { [gate] in $0.task { await gate.pass() } })
    await interactor.activate()
    await gate.reached()
    #expect(await expectCancels(at: gate) { await interactor.deactivate() })
  }

  @Test func `a stub that waits at a gate is work that can be cancelled`() async throws {
    let stub = Stub<Void, Int>(returning: 1).waits(at: gate)
    let task = Task { try await stub() }
    await gate.reached()
    #expect(await expectCancels(at: gate) { task.cancel() })
    _ = await task.result
  }

  @Test func `a gate that no task has reached is an issue`() async {
    let texts = await issues { #expect(await !expectCancels(at: gate) {}) }
    #expect(
      texts == [
        """
        No task waits at the Gate, so nothing can be cancelled.
        Likely cause: the task has not reached the gate yet, or the gate is open.
        What to do: await `reached()` of the gate before the action.
        """
      ]
    )
  }

  @Test func `work that was cancelled before is an issue`() async {
    for task in await arrive() {
      task.cancel()
      await task.value
    }
    #expect(await issues { await expectCancels(at: gate) {} }.count == 1)
  }

  @Test func `work that the action leaves alone is an issue`() async {
    let tasks = await arrive()
    let texts = await issues { #expect(await !expectCancels(at: gate) {}) }
    #expect(
      texts == [
        """
        The action returned, and 1 of 1 task that waited at the Gate has not been cancelled.
        Likely cause: the work runs in a task that is not bound to the scope, such as `Task { }` in place of `task { }`.
        What to do: bind the work with the interactor's `task { }`, or keep its task and cancel it.
        """
      ]
    )
    gate.open()
    for task in tasks { await task.value }
  }

  @Test func `one task of several that the action leaves alone is an issue`() async {
    let tasks = await arrive(3)
    let texts = await issues { #expect(await !expectCancels(at: gate) { tasks[1].cancel() }) }
    #expect(
      texts.first?.hasPrefix("The action returned, and 2 of 3 tasks that waited at the Gate have not been cancelled.")
        == true)
    gate.open()
    for task in tasks { await task.value }
  }

  @Test func `a gate that the action opens cancels nothing`() async {
    let tasks = await arrive()
    let texts = await issues { #expect(await !expectCancels(at: gate) { gate.open() }) }
    #expect(texts.count == 1)
    for task in tasks { await task.value }
  }
}
