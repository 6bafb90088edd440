// SPDX-License-Identifier: Apache-2.0

// A scheduler that shuts down cancels the tasks that run. Those that are pending stay where they are, and a caller that
// waits for one of them waits for ever.
//
// The repair cancels the pending ones, too.
extension Case {
  static let pendingTasksSurviveShutdown = Case(
    "pending-tasks-survive-shutdown", of: "swiftlang/sourcekit-lsp 2677",
    .plain, .lifecycle, decides: "shutDown"
  ) {
    let version = Version.current
    let scheduler = TaskScheduler(version)
    async let first: Void = scheduler.waitToFinish("index A")
    async let second: Void = scheduler.waitToFinish("index B")
    await Task.yield()
    await scheduler.shutDown()
    _ = await (first, second)
  }
}

private actor TaskScheduler {
  private let version: Case.Version
  private var running: [Task<Void, Never>] = []
  private var pending: [(name: String, ended: CheckedContinuation<Void, Never>)] = []
  private var isShutDown = false

  init(_ version: Case.Version) { self.version = version }

  func waitToFinish(_ name: String) async {
    if isShutDown { return }
    await withCheckedContinuation { continuation in
      pending.append((name, continuation))
      runNext()
    }
  }

  private func runNext() {
    guard running.isEmpty, !isShutDown, !pending.isEmpty else { return }
    let (_, ended) = pending.removeFirst()
    running = [
      Task {
        try? await Task.sleep(for: .milliseconds(10))
        ended.resume()
        running = []
        runNext()
      }
    ]
  }

  func shutDown() {
    isShutDown = true
    for task in running { task.cancel() }
    guard version == .after else { return }
    for (_, ended) in pending { ended.resume() }
    pending = []
  }
}
