// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Sends each value to all listeners, beginning with the present one.
final class Broadcast<Value: Sendable>: Sendable {
  private struct State {
    var present: Value?
    var nextID = 0
    var listeners: [(id: Int, continuation: AsyncStream<Value>.Continuation)] = []
  }

  private let state: Mutex<State>

  init(_ present: Value? = nil) {
    state = Mutex(State(present: present))
  }

  deinit {
    let listeners = state.withLock { $0.listeners }
    for (_, continuation) in listeners { continuation.finish() }
  }

  /// How many listen now, so that a test can wait until none is left.
  var listenerCount: Int { state.withLock { $0.listeners.count } }

  func send(_ value: Value) {
    // Under the lock, so that two senders cannot reach two listeners in different orders.
    state.withLock { state in
      state.present = value
      for (_, continuation) in state.listeners { continuation.yield(value) }
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
      state.listeners.append((state.nextID, continuation))
      return state.nextID
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { state in state.listeners.removeAll { $0.id == id } }
    }
    return stream
  }
}
