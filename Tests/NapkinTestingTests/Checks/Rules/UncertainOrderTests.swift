// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Testing

/// Where threads race or a step was split, an event may be recorded after a later one: rules report only certain violations.
///
/// Each list is reported as it stands where steps are whole, and is one that sound code may leave where they are not.
@Suite struct UncertainOrderTests {
  private let forged = ForgedEvents()
  private var life: ObjectIdentifier { forged.life }
  private var below: ObjectIdentifier { forged.lifeBelow }

  private func binds(_ task: UInt64, _ worker: BoundWorker? = nil) -> LifecycleEvent {
    .taskRegistered(life, task: task, scope: forged.scope, site: nil, worker: worker)
  }

  /// How many rules are broken where the order is certain, and where it is not.
  private func expectUncertain(
    _ events: [LifecycleEvent], sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let exact = forged.verdicts(events) { $0.checkAtRest() }
    #expect(!exact.isEmpty, sourceLocation: sourceLocation)
    let found = await verdictsOnThreads(events)
    #expect(found == [], sourceLocation: sourceLocation)
  }

  private func verdictsOnThreads(_ events: [LifecycleEvent]) async -> [String] {
    let found = Recorder<String>()
    let exploration = await Explorer(executions: 1, strategy: .parallel, seed: 1).run {
      let monitors = MonitorSet { rule, message, _ in found.record("\(rule): \(message)") }
      for event in events { monitors.lifecycle(event) }
      monitors.checkAtRest()
    }
    #expect(exploration.failure == nil)
    return found.events
  }

  @Test func `L6 a task of a released lifecycle may begin under an identity that is used again`() async {
    let again: [LifecycleEvent] = [.lifecycleDeinit(life)] + forged.awake
    await expectUncertain(
      forged.awake + [binds(1)] + forged.resigns(life) + again + [.taskStarted(life, task: 1)])
  }

  @Test func `L6 a task that was never bound is reported where the order is uncertain, too`() async {
    let found = await verdictsOnThreads(forged.awake + [.taskStarted(life, task: 7)])
    #expect(found == ["L6 activeScope: Task 7 of A began, though its scope had ended."])
  }

  @Test func `L12 the run of a worker may begin under an identity that is used again`() async {
    let worker = BoundWorker(id: forged.other, name: "Worker")
    let again: [LifecycleEvent] = [.lifecycleDeinit(life)] + forged.awake
    await expectUncertain(
      forged.awake + [binds(1, worker)] + forged.resigns(life) + again
        + [binds(1, worker), .taskStarted(life, task: 1), binds(2, worker), .taskStarted(life, task: 2)])
  }

  @Test func `L3 of two direct calls the first recorded may have been decided last`() async {
    let calls: [LifecycleEvent] =
      [.requested(life, active: true), .requested(life, active: false)] + forged.wakes(life)
      + [.requestReturned(life, active: true), .requestReturned(life, active: false)]
    await expectUncertain([.lifecycleCreated(life, owner: "A")] + calls)
  }

  @Test func `T7 a node may have been activated by another direct call than the last`() async {
    let calls: [LifecycleEvent] = [.requested(below, active: true), .requested(below, active: false)]
    await expectUncertain(forged.family + calls + forged.resigns(life))
  }

  @Test func `L7 a stream may have yielded before its opening is recorded`() async {
    let opened: LifecycleEvent = .streamOpened(life, stream: 1, isActive: false)
    let yielded: LifecycleEvent = .streamYielded(life, stream: 1, isActive: true)
    await expectUncertain(forged.awake + [yielded, opened])
    await expectUncertain(
      forged.awake + [yielded, opened] + forged.resigns(life) + [.streamYielded(life, stream: 1, isActive: false)])
  }

  @Test func `L11 a call may have come after its router had left, which is recorded late`() async {
    await expectUncertain(
      forged.family + [forged.detach] + forged.belowSleeps + [.activityAwaited(below, wait: 1)]
        + [forged.detached, forged.detachReturns])
  }
}
