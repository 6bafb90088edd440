// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// The worker processes of one exploration.
actor WorkerPool {
  private let task: WorkerProcess.Task
  private var idle: [WorkerProcess] = []
  private var live = 0
  private var waiting: [CheckedContinuation<WorkerProcess?, Never>] = []

  init(_ task: WorkerProcess.Task) { self.task = task }

  /// Whether a process comes to the exploration.
  func isReachable() async -> Bool {
    guard let worker = await take() else { return false }
    give(worker)
    return true
  }

  /// A process that waits for a command; nil if none can be started that comes to the exploration.
  func take() async -> WorkerProcess? {
    while true {
      if let worker = idle.popLast() { return worker }
      if await WorkerSlots.shared.takeIfFree() { break }
      if let worker = idle.popLast() { return worker }
      // While other explorations have the rest, one process has to do.
      if live == 0 {
        await WorkerSlots.shared.take()
        break
      }
      if let worker = await withCheckedContinuation({ waiting.append($0) }) { return worker }
    }
    live += 1
    if let worker = await WorkerProcess.start(task) { return worker }
    await free()
    return nil
  }

  /// Gives a process back that waits for a command again.
  func give(_ worker: WorkerProcess) {
    if waiting.isEmpty { idle.append(worker) } else { waiting.removeFirst().resume(returning: worker) }
  }

  /// A process has ended.
  func forget(_ worker: WorkerProcess) async { await free() }

  private func free() async {
    live -= 1
    await WorkerSlots.shared.give()
    if !waiting.isEmpty { waiting.removeFirst().resume(returning: nil) }
  }

  func stop() async {
    while let worker = idle.popLast() {
      worker.stop()
      await free()
    }
  }
}

/// How many worker processes there may be at once, over all tests that run at the same time.
private actor WorkerSlots {
  static let shared = WorkerSlots()

  private var count = max(2, Int(napkin_processors()), RunSettings.mostJobs)
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func takeIfFree() -> Bool {
    guard count > 0 else { return false }
    count -= 1
    return true
  }

  func take() async {
    if takeIfFree() { return }
    await withCheckedContinuation { waiting.append($0) }
  }

  func give() {
    if waiting.isEmpty { count += 1 } else { waiting.removeFirst().resume() }
  }
}
