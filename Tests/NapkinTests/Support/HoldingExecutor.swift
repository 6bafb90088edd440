// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Runs jobs on the global executor, or holds them back until it is released.
final class HoldingExecutor: TaskExecutor {
  private struct State {
    var isHolding = false
    var held: [UnownedJob] = []
  }

  private let state = Mutex(State())

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isHeld = state.withLock { state in
      if state.isHolding { state.held.append(job) }
      return state.isHolding
    }
    if !isHeld { run(job) }
  }

  private func run(_ job: UnownedJob) {
    let executor = asUnownedTaskExecutor()
    Task.detached { job.runSynchronously(on: executor) }
  }

  var isPreferred: Bool { withUnsafeCurrentTask { $0?.unownedTaskExecutor == asUnownedTaskExecutor() } }

  func hold() { state.withLock { $0.isHolding = true } }

  func release() {
    for job in takeHeld() { run(job) }
  }

  /// Runs the jobs that were held back before it returns, on the caller's thread.
  func releaseHere() {
    for job in takeHeld() { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  private func takeHeld() -> [UnownedJob] {
    state.withLock { state in
      state.isHolding = false
      defer { state.held = [] }
      return state.held
    }
  }
}
