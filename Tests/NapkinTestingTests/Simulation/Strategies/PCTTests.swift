// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct PCTTests {
  /// A window of one step in the middle of a long task, as in the paper's example of a bug of depth two: the other task
  /// has to be held until the window opens, and must get in before it closes.
  @Sendable private static func window() async throws {
    let door = Variable(false)
    try await finish([
      Task {
        await hop(15)
        await door.set(true)
        await hop()
        await door.set(false)
        await hop(15)
      },
      Task {
        let isOpen = await door.get()
        try demand(!isOpen, "came in")
      },
    ])
  }

  /// The paper promises 1 / (n · k^(d−1)), and half of that where the number of change points is drawn, too.
  ///
  /// With n = 3 tasks and k = 40 choices that is one in 240 executions; the mean over 40 seeds would be above 390 once in
  /// a thousand.
  @Test func `a bug of depth two is found with the odds of the paper`() async {
    #expect(await meanExecutions(.pct(depth: 2), seeds: 40, limit: 3_000, Self.window) < 390)
  }

  /// The counterpart of the claim above: without change points nothing interrupts the long task.
  @Test(.disabled(if: Instrumentation.splitsSteps, "it counts schedules of whole steps"))
  func `a depth of one does not find a bug of depth two`() async {
    #expect(await Explorer(executions: 2_000, strategy: .pct(depth: 1), seed: 1).run(Self.window).failure == nil)
  }

  /// The last of 20 tasks has the highest priority once in 20 executions, whatever the others do.
  @Test func `a task that has to overtake all others is found with odds of one in their number`() async {
    let mean = await meanExecutions(.pct(depth: 1), seeds: 40, limit: 1_000) {
      let visits = Variable(0)
      let others = (0..<19).map { _ in
        Task<Void, any Error> {
          await visits.add(1)
          await hop(3)
        }
      }
      let last = Task<Void, any Error> {
        await hop(3)
        let found = await visits.get()
        try demand(found != 0, "came first")
      }
      try await finish(others + [last])
    }
    // 20 in theory, with a standard error of 3.2.
    #expect(10...33 ~= mean)
  }
}
