// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Sends each value to all listeners, beginning with the present one.
final class Broadcast<Value: Sendable>: Sendable {
  private struct State {
    var present: Value?
    var nextID = 0
  }

  private let state: Mutex<State>
  /// With a lock of its own: a task that is cancelled has the runtime's lock, for which one that is resumed waits.
  private let listeners = Mutex<[(id: Int, continuation: AsyncStream<Value>.Continuation)]>([])

  init(_ present: Value? = nil) {
    state = Mutex(State(present: present))
  }

  deinit {
    for (_, continuation) in listeners.withLock({ $0 }) { continuation.finish() }
  }

  /// How many listen now, so that a test can wait until none is left.
  var listenerCount: Int { listeners.withLock { $0.count } }

  func send(_ value: Value) {
    // Under the lock, so that two senders cannot reach two listeners in different orders.
    state.withLock { state in
      state.present = value
      for (_, continuation) in listeners.withLock({ $0 }) { continuation.yield(value) }
    }
  }

  /// A stream for one listener.
  ///
  /// It begins with the present value, unless only what is sent from now on is asked for.
  func stream(isReplaying: Bool = true) -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream<Value>.makeStream()
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      if isReplaying, let present = state.present { continuation.yield(present) }
      let id = state.nextID
      listeners.withLock { $0.append((id, continuation)) }
      return id
    }
    continuation.onTermination = { [weak self] _ in
      self?.listeners.withLock { $0.removeAll { $0.id == id } }
    }
    return stream
  }
}
