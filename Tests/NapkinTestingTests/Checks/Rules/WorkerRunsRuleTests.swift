// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Testing

@Suite struct WorkerRunsRuleTests {
  private let forged = ForgedEvents()

  private func starts(_ task: UInt64, _ worker: ObjectIdentifier) -> [LifecycleEvent] {
    [
      .taskRegistered(
        forged.life, task: task, scope: forged.scope, site: nil, worker: BoundWorker(id: worker, name: "Sync"))
    ]
  }

  private func begins(_ task: UInt64) -> [LifecycleEvent] { [.taskStarted(forged.life, task: task)] }
  private func ends(_ task: UInt64) -> [LifecycleEvent] { [.taskFinished(forged.life, task: task)] }
  private func isCancelled(_ task: UInt64) -> [LifecycleEvent] { [.taskCancelled(forged.life, task: task)] }

  @Test func `L12 runs one after the other, and runs of two workers, are sound`() {
    let after = forged.awake + starts(1, forged.other) + begins(1) + ends(1) + starts(2, forged.other) + begins(2)
    #expect(forged.verdicts(after) == [])
    let beside = forged.awake + starts(1, forged.other) + starts(2, forged.above) + begins(1) + begins(2)
    #expect(forged.verdicts(beside) == [])
  }

  @Test func `L12 a start of a worker that runs is reported`() {
    let twice = forged.awake + starts(1, forged.other) + begins(1) + starts(2, forged.other)
    #expect(forged.verdicts(twice) == ["L12 workerRuns: Sync of A was started as task 2 while task 1 runs it."])
    #expect(forged.verdicts(twice, without: [.workerRuns]) == [])
  }

  @Test func `L12 a run that begins before the earlier one has ended is reported`() {
    let events =
      forged.awake + starts(1, forged.other) + begins(1) + forged.resigns(forged.life) + isCancelled(1)
      + forged.wakes(forged.life) + starts(2, forged.other)
    #expect(forged.verdicts(events) == [])
    #expect(
      forged.verdicts(events + begins(2))
        == ["L12 workerRuns: Sync of A began as task 2 before its run as task 1 had ended."])
  }
}
