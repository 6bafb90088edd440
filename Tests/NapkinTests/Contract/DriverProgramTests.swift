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

  /// The rules of the contract, each of them.
  private func monitors() -> MonitorSet {
    let monitors = MonitorSet { rule, message, _ in Issue.record("\(rule): \(message)") }
    monitors.begin()
    return monitors
  }
}
