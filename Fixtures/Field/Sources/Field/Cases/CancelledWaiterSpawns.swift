// SPDX-License-Identifier: Apache-2.0

// A gate lets a number of requests through and queues the others. A request that is cancelled in the queue is left
// there, and when a place comes free it goes on and starts its process.
//
// The repair removes it from the queue; where the place was handed over already, it goes back.
extension Case {
  static let cancelledWaiterSpawns = Case(
    "cancelled-waiter-spawns", of: "repoprompt/repoprompt-ce 724", .plain, .cancellation, decides: "withPermit"
  ) {
    let version = Version.current
    let (gate, processes) = (TaskSemaphore(version), Processes())
    let first = Task { try await gate.withPermit { await processes.spawn(1, isCancelled: $0) } }
    let second = Task { try await gate.withPermit { await processes.spawn(2, isCancelled: $0) } }
    second.cancel()
    _ = await (first.result, second.result)
    let cancelled = await processes.cancelled
    try expect(cancelled.isEmpty, "no cancelled request starts a process: \(cancelled)")
  }
}

private actor Processes {
  private(set) var cancelled: [Int] = []

  func spawn(_ id: Int, isCancelled: Bool) async {
    if isCancelled { cancelled.append(id) }
    await Task.yield()
  }
}

private actor TaskSemaphore {
  private let version: Case.Version
  private var (isFree, nextID): (Bool, Int) = (true, 0)
  private var waiters: [(id: Int, continuation: CheckedContinuation<Bool, Never>)] = []

  init(_ version: Case.Version) { self.version = version }

  /// Gives the body whether its request was cancelled when it was admitted.
  func withPermit(_ body: @Sendable (Bool) async -> Void) async throws {
    guard await acquire() else { throw CancellationError() }
    defer { release() }
    let isCancelled = Task.isCancelled
    if version == .after, isCancelled { throw CancellationError() }
    await body(isCancelled)
  }

  private func acquire() async -> Bool {
    if isFree {
      isFree = false
      return true
    }
    nextID += 1
    let id = nextID
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if version == .after, Task.isCancelled { return continuation.resume(returning: false) }
        waiters.append((id, continuation))
      }
    } onCancel: {
      if version == .after { Task { await self.cancel(id) } }
    }
  }

  private func cancel(_ id: Int) {
    guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
    waiters.remove(at: index).continuation.resume(returning: false)
  }

  private func release() {
    guard !waiters.isEmpty else {
      isFree = true
      return
    }
    waiters.removeFirst().continuation.resume(returning: true)
  }
}
