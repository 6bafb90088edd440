// SPDX-License-Identifier: Apache-2.0
import Synchronization

// A worker waits for a signal that a slot is free. The wait looks for a pending signal under its lock and stores the
// continuation else; a cancellation that has come before is not seen there, and the continuation is never resumed.
//
// The repair looks at three things under the lock: the signal, the cancellation, and else it stores the continuation.
extension Case {
  static let signalLosesCancellation = Case(
    "signal-loses-cancellation", of: "thoven87/strand 24", .plain, .cancellation, decides: "wait"
  ) {
    let version = Version.current
    let signal = SlotSignal(version)
    let worker = Task { await signal.wait() }
    let shutdown = Task { worker.cancel() }
    await shutdown.value
    await worker.value
  }
}

private final class SlotSignal: Sendable {
  private struct State {
    var (isPending, isCancelled) = (false, false)
    var waiting: CheckedContinuation<Void, Never>?
  }
  private let version: Case.Version
  private let state = Mutex(State())

  init(_ version: Case.Version) { self.version = version }

  func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let goesOn = state.withLock { state in
          if state.isPending || version == .after && state.isCancelled { return true }
          state.waiting = continuation
          return false
        }
        if goesOn { continuation.resume() }
      }
    } onCancel: {
      let waiting = state.withLock { state in
        state.isCancelled = true
        return state.waiting.take()
      }
      waiting?.resume()
    }
  }

  func signal() {
    let waiting = state.withLock { state in
      state.isPending = true
      return state.waiting.take()
    }
    waiting?.resume()
  }
}
