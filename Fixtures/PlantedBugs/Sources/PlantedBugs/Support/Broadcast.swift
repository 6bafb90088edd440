// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A service that sends each value to every listener, and never finishes by itself.
final class Broadcast<Value: Sendable>: Sendable {
  private struct State {
    var next = 0
    var listeners: [Int: AsyncStream<Value>.Continuation] = [:]
  }

  private let state = Mutex(State())

  func send(_ value: Value) {
    for (_, listener) in state.withLock({ $0.listeners.sorted { $0.key < $1.key } }) { listener.yield(value) }
  }

  func stream() -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream<Value>.makeStream()
    let number = state.withLock { state in
      state.next += 1
      state.listeners[state.next] = continuation
      return state.next
    }
    continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.listeners[number] = nil } }
    return stream
  }
}
