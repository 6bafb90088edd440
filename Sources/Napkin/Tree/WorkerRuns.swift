// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The runs of one lifecycle's workers, so that no worker has two at the same time (L12).
final class WorkerRuns: Sendable {
  /// One run, from the call that starts it until it has ended, whether or not it has begun.
  final class Run: Sendable {
    private struct State {
      var hasEnded = false
      var next: UnsafeContinuation<Void, Never>?
    }

    let number: UInt64
    private let previous: Mutex<Run?>
    private let state = Mutex(State())

    fileprivate init(number: UInt64, after previous: Run?) {
      self.number = number
      self.previous = Mutex(previous)
    }

    /// Waits until the run before has ended.
    func waitForPrevious() async { await previous.withLock { $0.take() }?.ended() }

    private func ended() async {
      await withUnsafeContinuation { continuation in
        let hasEnded = state.withLock { state in
          if !state.hasEnded { state.next = continuation }
          return state.hasEnded
        }
        if hasEnded { continuation.resume() }
      }
    }

    fileprivate func end() {
      let next = state.withLock { state in
        state.hasEnded = true
        return state.next.take()
      }
      next?.resume()
    }
  }

  private let runs = Mutex<[ObjectIdentifier: Run]>([:])

  /// The next run of a worker; nil if the last was started after the end of the last scope, and goes on.
  func begin(_ worker: ObjectIdentifier, number: UInt64, lastClosed: UInt64) -> Run? {
    runs.withLock { runs in
      let last = runs[worker]
      if let last, last.number > lastClosed { return nil }
      let run = Run(number: number, after: last)
      runs[worker] = run
      return run
    }
  }

  /// Ends a run, and forgets its worker.
  func end(_ run: Run, of worker: ObjectIdentifier) {
    runs.withLock { if $0[worker] === run { $0[worker] = nil } }
    run.end()
  }
}
