// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Testing

@Suite struct ActiveScopeRuleTests {
  private let forged = ForgedEvents()

  private func binds(_ task: UInt64) -> LifecycleEvent {
    .taskRegistered(forged.life, task: task, scope: forged.scope, site: nil)
  }

  @Test func `L6 work that is bound while inactive is reported`() {
    let events = forged.awake + forged.resigns(forged.life) + [binds(1)]
    #expect(forged.verdicts(events) == ["L6 activeScope: Task 1 was bound to A while it was inactive."])
    #expect(forged.verdicts(events, without: [.activeScope]) == [])
  }

  @Test func `L6 on threads the order of a registration and a scope's end is not known`() async {
    let found = Recorder<String>()
    let events = forged.awake + forged.resigns(forged.life) + [binds(1)]
    let exploration = await Explorer(executions: 1, strategy: .parallel, seed: 1).run {
      let monitors = MonitorSet { rule, message, _ in found.record("\(rule): \(message)") }
      for event in events { monitors.lifecycle(event) }
    }
    #expect(exploration.failure == nil && found.events == [])
  }

  @Test func `L6 work that begins although it was never bound is reported`() {
    #expect(
      forged.verdicts(forged.awake + [.taskStarted(forged.life, task: 7)])
        == ["L6 activeScope: Task 7 of A began, though its scope had ended."])
  }

  @Test func `L6 work that is bound and begins inside its scope is sound`() {
    #expect(forged.verdicts(forged.awake + [binds(1), .taskStarted(forged.life, task: 1)]) == [])
  }

  @Test func `L6 work that begins after its cancellation is reported`() {
    let events =
      forged.awake + [binds(1)] + forged.resigns(forged.life)
      + [.taskCancelled(forged.life, task: 1), .taskStarted(forged.life, task: 1)]
    #expect(forged.verdicts(events) == ["L6 activeScope: Task 1 of A began, though its scope had ended."])
  }
}
