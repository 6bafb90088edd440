// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

/// A task takes the priority of a task that awaits it.
@Suite(.disabled(if: Instrumentation.splitsSteps, "a task may begin in the middle of the step that creates it"))
struct EscalationTests {
  private func priorities(
    _ between: @escaping @Sendable () async -> Void
  ) async -> Set<UInt8> {
    let seen = Recorder<UInt8>()
    let result = await Explorer(executions: 1_000, strategy: .exhaustive()).run {
      let task = Task.detached(priority: .background) { Task.currentPriority.rawValue }
      await between()
      seen.record(await task.value)
    }
    #expect(result.isExhaustive, "\(result)")
    return Set(seen.events)
  }

  @Test func `a task that is awaited in the step that starts it is escalated before it begins`() async {
    let seen = await priorities {}
    #expect(seen.count == 1)
    #expect(!seen.contains(TaskPriority.background.rawValue))
  }

  @Test func `a suspension before it is awaited shows both priorities`() async {
    let seen = await priorities { await Task.yield() }
    #expect(seen.count == 2)
    #expect(seen.contains(TaskPriority.background.rawValue))
  }
}
