// SPDX-License-Identifier: Apache-2.0
import Napkin
import Synchronization

/// Watches the process: takes the misuse of its own routers over, and waits for events.
final class Watcher: LifecycleObserver {
  private struct State {
    var misuses: [Misuse] = []
    var waiters: [(matches: @Sendable (LifecycleEvent) -> Bool, continuation: UnsafeContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())
  private let name: String

  /// Takes the misuses that name a router of this type.
  init(taking name: String = "") {
    self.name = name
    LifecycleObservation.add(self)
  }

  var misuses: [Misuse] { state.withLock { $0.misuses } }

  func stop() { LifecycleObservation.remove(self) }

  func misuse(_ misuse: Misuse) -> Bool {
    guard misuse.routers.contains(name) else { return false }
    state.withLock { $0.misuses.append(misuse) }
    return true
  }

  func lifecycle(_ event: LifecycleEvent) {
    let waiters = state.withLock { state in
      let matching = state.waiters.filter { $0.matches(event) }
      state.waiters.removeAll { $0.matches(event) }
      return matching
    }
    for waiter in waiters { waiter.continuation.resume() }
  }

  /// Carries something out and suspends until a fitting event has been told.
  func event(_ matches: @escaping @Sendable (LifecycleEvent) -> Bool, after trigger: () -> Void) async {
    await withUnsafeContinuation { continuation in
      state.withLock { $0.waiters.append((matches, continuation)) }
      trigger()
    }
  }
}
