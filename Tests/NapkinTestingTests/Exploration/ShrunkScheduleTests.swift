// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

/// The programs of the yardstick, shrunk: a bug of depth `d` is reported with about `d` deviations, not with one a step.
@Suite(.enabled(if: YardstickProgram.haveAllHops, "an optimised build merges hops, and some bugs go with them"))
struct ShrunkScheduleTests {
  @Test(arguments: YardstickProgram.broken)
  func `a shrunk schedule has at most one deviation more than the bug is deep`(_ program: YardstickProgram) async throws
  {
    // The bounds are those of whole steps; where steps are split, most executions are preempted somewhere else.
    let executions = program.bound * (Instrumentation.splitsSteps ? 4 : 1)
    let result = await Explorer(executions: executions, seed: 3).run(program.body)
    let failure = try #require(result.failure)
    #expect(failure.deviations <= (program.depth ?? 0) + 1)
  }

  @Test func `a shrunk schedule replays from its token`() async throws {
    let program = YardstickProgram.reorder(5)
    let failure = try #require(await Explorer(executions: program.bound, seed: 3).run(program.body).failure)
    let again = await Explorer(strategy: .replay(failure.schedule)).run(program.body)
    #expect(again.failure?.messages == failure.messages)
    #expect(again.failure?.schedule == failure.schedule)
  }
}
