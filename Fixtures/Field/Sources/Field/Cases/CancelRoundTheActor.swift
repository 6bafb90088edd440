// SPDX-License-Identifier: Apache-2.0
import Synchronization

// A poller is an actor, and its `cancel` is not isolated to it: it looks at the running task behind a lock and cancels it. A
// start that the actor makes at the same time stores its task afterwards, and polls for ever.
//
// The repair has the cancellation go through the same state as the start.
extension Case {
  static let cancelRoundTheActor = Case(
    "cancel-round-the-actor", of: "doordash-oss/PropertyTestingKit (GenericTimerPoller)",
    .split, .lock, decides: "cancel"
  ) {
    let version = Version.current
    let poller = TimerPoller(version)
    let start = Task { await poller.start() }
    let cancel = Task { poller.cancel() }
    await start.value
    await cancel.value
    let polls = poller.polls
    poller.cancel()
    try expect(!polls, "a poller that is cancelled does not poll")
  }
}

private actor TimerPoller {
  private let version: Case.Version
  private let shared = Mutex<(task: Task<Void, Never>?, isCancelled: Bool)>((nil, false))

  init(_ version: Case.Version) { self.version = version }

  func start() {
    guard shared.withLock({ !$0.isCancelled }) else { return }
    let task = Task { while !Task.isCancelled { try? await Task.sleep(for: .seconds(1)) } }
    let isCancelled = shared.withLock {
      $0.task = task
      return $0.isCancelled
    }
    if version == .after, isCancelled { task.cancel() }
  }

  nonisolated func cancel() {
    let task = shared.withLock {
      $0.isCancelled = true
      return $0.task
    }
    task?.cancel()
  }

  nonisolated var polls: Bool { shared.withLock { $0.task.map { !$0.isCancelled } ?? false } }
}
