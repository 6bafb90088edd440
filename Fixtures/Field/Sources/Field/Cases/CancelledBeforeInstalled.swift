// SPDX-License-Identifier: Apache-2.0
import Synchronization

// A signal that comes early is kept, and cancels the command's task when that is installed. The test expects that a task
// which is made and then installed has always been cancelled, but the task may have passed its check before.
//
// The bug is in the test. The repair holds the task until it is installed.
extension Case {
  static let cancelledBeforeInstalled = Case(
    "cancelled-before-installed", of: "ggbond268/MacTools 380",
    .inside, .cancellation, decides: "install"
  ) {
    let version = Version.current
    let (state, gate) = (CommandState(), Gate())
    state.cancel()
    let task = Task<Int, any Error> {
      if version == .after { await gate.wait() }
      try Task.checkCancellation()
      return 0
    }
    state.install(task)
    await gate.open()
    let result = await task.result
    if case .success = result { try expect(false, "a task that is installed after the signal is cancelled") }
  }
}

private actor Gate {
  private var isOpen = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func wait() async { if !isOpen { await withCheckedContinuation { waiting.append($0) } } }

  func open() {
    isOpen = true
    for each in waiting { each.resume() }
    waiting = []
  }
}

private final class CommandState: Sendable {
  private let state = Mutex<(isCancelled: Bool, task: Task<Int, any Error>?)>((false, nil))

  func cancel() {
    state.withLock {
      $0.isCancelled = true
      return $0.task
    }?.cancel()
  }

  func install(_ task: Task<Int, any Error>) {
    let isCancelled = state.withLock {
      $0.task = task
      return $0.isCancelled
    }
    if isCancelled { task.cancel() }
  }
}
