// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

/// Random calls from three callers, from callbacks and from bound tasks, against their result in the order of their
/// arrival.
@MainActor
@Suite struct TreeProgramTests {
  @Test func `T1 to T9 M1 a tree comes to what its calls say in the order of their arrival`() async {
    let programs = Gen<[[TreeCall]]>.array(of: .array(of: TreeCall.generator, count: 0...4), count: 3...3)
    let scripts = Gen<[[TreeField.Inside]]>.array(of: .array(of: .allCases, count: 0...3), count: 6...6)
    await explore(executions: 1_000) { @MainActor in
      let field = await TreeField(Execution.draw(scripts, "from inside"))
      let program = Execution.draw(programs, "calls")
      let callers = program.map { calls in
        Task { @MainActor in for call in calls { await field.carryOut(call) } }
      }
      for caller in callers { await caller.value }
      await field.compare()
      await field.end()
    }
  }
}
