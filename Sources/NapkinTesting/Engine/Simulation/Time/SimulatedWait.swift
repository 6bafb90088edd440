// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime
internal import Synchronization

/// Yields and sleeps on the exploring thread, without the runtime's executors.
enum SimulatedWait {
  /// Lets the scheduler pick the next job, by the same kind of job that `Task.yield()` makes.
  nonisolated(nonsending) static func yield() async {
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      let job = napkin_continuation_job(unsafeBitCast(continuation, to: UInt.self))
      _ = Scheduler.current?.enqueue(job, onMain: false)
    }
  }

  /// Waits in the time of the execution.
  nonisolated(nonsending) static func sleep(for duration: Duration) async throws {
    let sleep = Sleep()
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        if sleep.begin(continuation) { Scheduler.current?.wake(sleep, after: duration) }
      }
    } onCancel: {
      sleep.end()
    }
    try Task.checkCancellation()
  }
}

/// A task that waits for a time of the execution, or for its cancellation, whichever comes first.
final class Sleep: Sendable {
  private enum State {
    case awake
    case asleep(UnsafeContinuation<Void, Never>)
    case over
  }

  private let state = Mutex(State.awake)

  /// False if the task was cancelled before: then it goes on at once.
  fileprivate func begin(_ continuation: UnsafeContinuation<Void, Never>) -> Bool {
    let isCancelled = state.withLock { state in
      if case .over = state { return true }
      state = .asleep(continuation)
      return false
    }
    if isCancelled { continuation.resume() }
    return !isCancelled
  }

  func end() {
    let continuation = state.withLock { state in
      defer { state = .over }
      if case .asleep(let continuation) = state { return Optional(continuation) }
      return nil
    }
    continuation?.resume()
  }
}
