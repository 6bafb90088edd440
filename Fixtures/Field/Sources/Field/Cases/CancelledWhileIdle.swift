// SPDX-License-Identifier: Apache-2.0
import Synchronization

// A receiver of a channel that is cancelled before it is registered finds nothing to resume. Its continuation is stored
// afterwards and hangs.
//
// The repair leaves a placeholder, by which the registration sees that it was cancelled.
extension Case {
  static let cancelledWhileIdle = Case(
    "cancelled-while-idle", of: "apple/swift-async-algorithms 80",
    .plain, .cancellation, decides: "next"
  ) {
    let version = Version.current
    let channel = IdleChannel(version)
    let receiver = Task { await channel.next(1) }
    receiver.cancel()
    let value = await receiver.value
    try expect(value == nil, "a receiver that is cancelled gets nothing")
  }
}

private final class IdleChannel: Sendable {
  private struct State {
    var awaiting: [Int: CheckedContinuation<Int?, Never>] = [:]
    var cancelled: Set<Int> = []
  }
  private let version: Case.Version
  private let state = Mutex(State())

  init(_ version: Case.Version) { self.version = version }

  func next(_ id: Int) async -> Int? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isCancelled = state.withLock { state in
          if state.cancelled.remove(id) != nil { return true }
          state.awaiting[id] = continuation
          return false
        }
        if isCancelled { continuation.resume(returning: nil) }
      }
    } onCancel: {
      let waiting = state.withLock { state in
        let waiting = state.awaiting.removeValue(forKey: id)
        if waiting == nil, version == .after { state.cancelled.insert(id) }
        return waiting
      }
      waiting?.resume(returning: nil)
    }
  }
}
