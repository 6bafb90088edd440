// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The lines that tests write, in order, to be compared with a literal.
final class Journal: Sendable {
  private struct State {
    var lines: [String] = []
    var watchers: [(line: String, continuation: UnsafeContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  var lines: [String] { state.withLock { $0.lines } }

  func write(_ line: String) {
    let watchers = state.withLock { state in
      state.lines.append(line)
      let reached = state.watchers.filter { $0.line == line }
      state.watchers.removeAll { $0.line == line }
      return reached
    }
    for watcher in watchers { watcher.continuation.resume() }
  }

  func clear() { state.withLock { $0.lines = [] } }

  /// Suspends until the line has been written.
  func line(_ line: String) async {
    await withUnsafeContinuation { continuation in
      let isThere = state.withLock { state in
        if state.lines.contains(line) { return true }
        state.watchers.append((line, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }
}
