// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing

@testable import Napkin

@Suite struct BoundTasksTests {
  @Test func `nothing is told under the identity of a lifecycle that is gone`() async {
    let latch = Latch()
    var lifecycle: InteractorLifecycle? = InteractorLifecycle()
    let log = TaskLog(of: ObjectIdentifier(lifecycle!))
    await lifecycle?.activate(invoking: {})
    let task = lifecycle?.register { await latch.pass() }
    await latch.reached()
    lifecycle = nil
    latch.open()
    await task?.value
    #expect(log.stop() == ["cancelled", "deinit"])
  }
}

/// What becomes of the tasks of one lifecycle, until its identity is another's.
private final class TaskLog: LifecycleObserver {
  private let id: ObjectIdentifier
  private let lines = Mutex<[String]>([])
  private let isReused = Mutex(false)

  init(of id: ObjectIdentifier) {
    self.id = id
    LifecycleObservation.add(self)
  }

  func stop() -> [String] {
    LifecycleObservation.remove(self)
    return lines.withLock { $0 }
  }

  func lifecycle(_ event: LifecycleEvent) {
    let line: String? =
      switch event {
      case .taskCancelled(id, task: _): "cancelled"
      case .taskFinished(id, task: _): "finished"
      case .lifecycleDeinit(id): "deinit"
      default: nil
      }
    if case .activated(id) = event, lines.withLock({ $0.contains("deinit") }) { isReused.withLock { $0 = true } }
    if let line, !isReused.withLock({ $0 }) { lines.withLock { $0.append(line) } }
  }
}
