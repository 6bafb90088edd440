// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

/// The driver's own code, with every queue and task that it uses in the engine's hands.
@MainActor
@Suite struct DriverProgramTests {
  @Test(.disabled(if: Instrumentation.splitsSteps, "its calls look at the tree in the same step as they are made"))
  func `the driver keeps the machine's invariants and leaves nothing of what is released`() async {
    let calls = Gen<[DriverCall]>.array(of: DriverCall.generator, count: 0...8)
    await explore(executions: 1_000) { @MainActor in
      let monitors = Execution.draw(.bool, "is observed") ? monitors() : nil
      let field = await DriverField()
      let program = Execution.draw(.array(of: calls, count: 3...3), "calls")
      let callers = program.map { calls in
        Task { @MainActor in for call in calls { await field.carryOut(call) } }
      }
      for caller in callers { await caller.value }
      await CurrentExecution.scope?.quiescence()
      field.checkRest()
      monitors?.checkAtRest()
      await field.end()
    }
  }

  @Test func `L11 a wait that is cancelled after its answer ends no call with its number`() async {
    await explore(executions: 300) {
      let awaited = PlainInteractor()
      let wait = Task { try? await awaited.lifecycle.whenActive() }
      // It has a number of its own, which is used again first.
      let activation = Task { await awaited.activate() }
      let calls = (0..<2).map { number in
        Task {
          let journal = Journal()
          await ProbeInteractor("it", journal, active: { _ in await Task.yield() }).activate()
          #expect(journal.lines == ["it active", "it active ended"], "L3: call \(number) returned too early")
        }
      }
      let cancel = Task { wait.cancel() }
      for task in [activation] + calls + [cancel] { await task.value }
      await wait.value
    }
  }

  /// The rules of the contract, each of them.
  private func monitors() -> MonitorSet {
    let monitors = MonitorSet { rule, message, _ in Issue.record("\(rule): \(message)") }
    monitors.begin()
    return monitors
  }
}
