// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Suspends callers until it is opened, and resumes a test when a caller has arrived, so that no test has to poll.
final class Latch: Sendable {
  private struct State {
    var isOpen = false
    var arrivals = 0
    var held: [UnsafeContinuation<Void, Never>] = []
    var watchers: [(arrivals: Int, continuation: UnsafeContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  /// Suspends until the latch is open, and ignores cancellation.
  func pass() async {
    await withUnsafeContinuation { continuation in
      let (isOpen, watchers) = state.withLock { state in
        state.arrivals += 1
        let reached = state.watchers.filter { $0.arrivals <= state.arrivals }
        state.watchers.removeAll { $0.arrivals <= state.arrivals }
        if !state.isOpen { state.held.append(continuation) }
        return (state.isOpen, reached)
      }
      for watcher in watchers { watcher.continuation.resume() }
      if isOpen { continuation.resume() }
    }
  }

  /// Suspends until this number of callers has arrived in total.
  func reached(_ arrivals: Int = 1) async {
    await withUnsafeContinuation { continuation in
      let isReached = state.withLock { state in
        if state.arrivals >= arrivals { return true }
        state.watchers.append((arrivals, continuation))
        return false
      }
      if isReached { continuation.resume() }
    }
  }

  var arrivals: Int { state.withLock { $0.arrivals } }

  func open() {
    let held = state.withLock { state in
      state.isOpen = true
      defer { state.held = [] }
      return state.held
    }
    for continuation in held { continuation.resume() }
  }
}

/// Suspends until the task is cancelled, as a `didBecomeActive()` that never ends by itself.
func untilCancelled() async {
  let (stream, continuation) = AsyncStream<Never>.makeStream()
  for await _ in stream {}
  withExtendedLifetime(continuation) {}
}
