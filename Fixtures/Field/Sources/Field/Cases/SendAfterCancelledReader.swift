// SPDX-License-Identifier: Apache-2.0

// A channel whose one reader is cancelled stays in the state of awaiting, with no reader in it. The next send takes the
// first of none, and the process ends.
//
// The repair goes back to idle when the last reader leaves.
extension Case {
  static let sendAfterCancelledReader = Case(
    "send-after-cancelled-reader", of: "apple/swift-async-algorithms 143",
    .plain, .cancellation, decides: "send"
  ) {
    let version = Version.current
    let channel = ReaderChannel(version)
    let reader = Task { await channel.next() }
    let sender = Task { await channel.send(1) }
    reader.cancel()
    await sender.value
    await channel.finish()
    _ = await reader.value
  }
}

private actor ReaderChannel {
  private enum State {
    case idle
    case awaiting([(id: Int, continuation: CheckedContinuation<Int?, Never>)])
  }
  private let version: Case.Version
  private var state = State.idle
  private var (nextID, cancelled, isFinished): (Int, Set<Int>, Bool) = (0, [], false)

  init(_ version: Case.Version) { self.version = version }

  func next() async -> Int? {
    let id = nextID
    nextID += 1
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard !isFinished, cancelled.remove(id) == nil else { return continuation.resume(returning: nil) }
        if case .awaiting(let readers) = state {
          state = .awaiting(readers + [(id, continuation)])
        } else {
          state = .awaiting([(id, continuation)])
        }
      }
    } onCancel: {
      Task { await self.cancel(id) }
    }
  }

  private func cancel(_ id: Int) {
    guard case .awaiting(var readers) = state, let index = readers.firstIndex(where: { $0.id == id }) else {
      cancelled.insert(id)
      return
    }
    readers.remove(at: index).continuation.resume(returning: nil)
    state = readers.isEmpty && version == .after ? .idle : .awaiting(readers)
  }

  func send(_ value: Int) {
    guard case .awaiting(var readers) = state else { return }
    readers.removeFirst().continuation.resume(returning: value)
    state = readers.isEmpty ? .idle : .awaiting(readers)
  }

  func finish() {
    isFinished = true
    if case .awaiting(let readers) = state { for reader in readers { reader.continuation.resume(returning: nil) } }
    state = .idle
  }
}
