// SPDX-License-Identifier: Apache-2.0
import Napkin
import Synchronization

/// The events of the tasks of one lifecycle, until its identity is another's.
final class TaskLog: LifecycleObserver {
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
