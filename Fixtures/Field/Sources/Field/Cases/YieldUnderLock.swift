// SPDX-License-Identifier: Apache-2.0
import Synchronization

// A subject yields to the continuations of its streams under its lock. Resuming takes the lock of the task that waits; a
// cancellation of that task holds it, and its handler wants the lock of the subject: the two wait for each other.
//
// The repair yields after the lock is released.
extension Case {
  static let yieldUnderLock = Case(
    "yield-under-lock", of: "supabase/supabase-swift 1155 (0e91b2f0 ← a4703d54)", .split, .lock,
    decides: "send"
  ) {
    let version = Version.current
    let subject = StateSubject(version)
    let observer = Task { await subject.next() }
    let sender = Task { subject.send(1) }
    observer.cancel()
    await sender.value
    _ = await observer.value
  }
}

private final class StateSubject: Sendable {
  private struct State {
    var (value, isCancelled): (Int?, Bool) = (nil, false)
    var waiting: CheckedContinuation<Int?, Never>?
  }
  private let version: Case.Version
  private let state = Mutex(State())

  init(_ version: Case.Version) { self.version = version }

  func next() async -> Int? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (isOver, value) = state.withLock { state in
          let isOver = state.isCancelled || state.value != nil
          if !isOver { state.waiting = continuation }
          return (isOver, state.value)
        }
        if isOver { continuation.resume(returning: value) }
      }
    } onCancel: {
      let waiting = state.withLock { state in
        state.isCancelled = true
        return state.waiting.take()
      }
      waiting?.resume(returning: nil)
    }
  }

  func send(_ value: Int) {
    let waiting = state.withLock { state in
      state.value = value
      let waiting = state.waiting.take()
      guard version == .before else { return waiting }
      waiting?.resume(returning: value)
      return nil
    }
    waiting?.resume(returning: value)
  }
}
