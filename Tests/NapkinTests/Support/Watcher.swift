// SPDX-License-Identifier: Apache-2.0
import Napkin
import Synchronization

/// Observes the lifecycle events of the process, and handles the misuses of a test's own routers.
final class Watcher: LifecycleObserver {
  private struct State {
    var misuses: [Misuse] = []
  }

  private let state = Mutex(State())
  private let names: [String]
  private let react: @Sendable (LifecycleEvent) -> Void

  /// Handles the misuses that name a router of one of these types, and runs a closure at each event.
  init(taking names: String..., react: @escaping @Sendable (LifecycleEvent) -> Void = { _ in }) {
    self.names = names
    self.react = react
    LifecycleObservation.add(self)
  }

  var misuses: [Misuse] { state.withLock { $0.misuses } }

  func stop() { LifecycleObservation.remove(self) }

  func misuse(_ misuse: Misuse) -> Bool {
    guard misuse.routers.contains(where: names.contains) else { return false }
    state.withLock { $0.misuses.append(misuse) }
    return true
  }

  func lifecycle(_ event: LifecycleEvent) { react(event) }
}
