// SPDX-License-Identifier: Apache-2.0

// A release hands the permit to the first waiter. Where that one is cancelled in the same moment, it throws before it
// has begun, and the permit that it holds is never released: all later requests wait for ever.
//
// It was found by a review of the pull request. The repair releases the permit before it throws. A first form of it here asked
// twice whether the task is cancelled, to release and to throw, and lost the permit in between: a step was stopped there.
extension Case {
  static let permitLostAtHandover = Case(
    "permit-lost-at-handover", of: "Mesh-LLM/mesh-llm 1444", .plain, .cancellation, decides: "release"
  ) {
    let version = Version.current
    let scheduler = RequestScheduler(version)
    let first = Task { try await scheduler.withPermit { await Task.yield() } }
    let second = Task { try await scheduler.withPermit {} }
    let disconnect = Task { second.cancel() }
    _ = await (first.result, second.result, disconnect.value)
    try await scheduler.withPermit {}
  }
}

private actor RequestScheduler {
  private let version: Case.Version
  private var (isOccupied, nextID): (Bool, Int) = (false, 0)
  private var waiters: [(id: Int, continuation: CheckedContinuation<Bool, Never>)] = []

  init(_ version: Case.Version) { self.version = version }

  func withPermit(_ body: @Sendable () async -> Void) async throws {
    try await acquire()
    defer { release() }
    await body()
  }

  private func acquire() async throws {
    guard isOccupied else {
      isOccupied = true
      return
    }
    nextID += 1
    let id = nextID
    let isHanded = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled { return continuation.resume(returning: false) }
        waiters.append((id, continuation))
      }
    } onCancel: {
      Task { await self.cancel(id) }
    }
    if version == .before { try Task.checkCancellation() }
    // Asked once: it may be cancelled between two questions.
    guard Task.isCancelled else { return }
    if isHanded { release() }
    throw CancellationError()
  }

  private func cancel(_ id: Int) {
    guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
    waiters.remove(at: index).continuation.resume(returning: false)
  }

  private func release() {
    guard !waiters.isEmpty else {
      isOccupied = false
      return
    }
    waiters.removeFirst().continuation.resume(returning: true)
  }
}
