// SPDX-License-Identifier: Apache-2.0

// A lock for tasks removes a cancelled waiter by a task of its own. An unlock that comes before that task hands the lock
// to the waiter, which runs its critical section though it was cancelled before.
//
// The repair looks at the cancellation again when the lock is handed over.
extension Case {
  static let cancelledWaiterGetsLock = Case(
    "cancelled-waiter-gets-lock", of: "repoprompt/repoprompt-ce 492",
    .plain, .cancellation, decides: "unlock"
  ) {
    let version = Version.current
    let (lock, session) = (AsyncLock(version), Session())
    await lock.lock()
    let waiter = Task { try await lock.withLock { await session.mutate() } }
    await lock.waitForWaiter()
    waiter.cancel()
    await lock.unlock()
    _ = await waiter.result
    let mutations = await session.mutations
    try expect(mutations == 0, "a waiter that was cancelled does not enter")
  }
}

private actor Session {
  private(set) var mutations = 0
  func mutate() { mutations += 1 }
}

private actor AsyncLock {
  private let version: Case.Version
  private var isLocked = false
  private var waiters: [(id: Int, continuation: CheckedContinuation<Bool, Never>)] = []
  private var (nextID, watcher): (Int, CheckedContinuation<Void, Never>?) = (0, nil)

  init(_ version: Case.Version) { self.version = version }

  func lock() async { isLocked = true }

  func waitForWaiter() async { if waiters.isEmpty { await withCheckedContinuation { watcher = $0 } } }

  func withLock(_ body: @Sendable () async -> Void) async throws {
    guard await acquire() else { throw CancellationError() }
    defer { unlock() }
    if version == .after { try Task.checkCancellation() }
    await body()
  }

  private func acquire() async -> Bool {
    guard isLocked else {
      isLocked = true
      return true
    }
    nextID += 1
    let id = nextID
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiters.append((id, continuation))
        watcher?.resume()
        watcher = nil
      }
    } onCancel: {
      Task { await self.removeCancelled(id) }
    }
  }

  private func removeCancelled(_ id: Int) {
    guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
    waiters.remove(at: index).continuation.resume(returning: false)
  }

  func unlock() {
    guard !waiters.isEmpty else {
      isLocked = false
      return
    }
    waiters.removeFirst().continuation.resume(returning: true)
  }
}
