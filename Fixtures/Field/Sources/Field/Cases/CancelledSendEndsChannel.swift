// SPDX-License-Identifier: Apache-2.0
import Synchronization

// A channel hands an element to a reader, and its senders wait for one. A sender that is cancelled ends the channel for
// all: the other senders return, and what they sent comes to no reader.
//
// The repair gives each sender a number, and a cancellation takes out its own one.
extension Case {
  static let cancelledSendEndsChannel = Case(
    "cancelled-send-ends-channel", of: "apple/swift-async-algorithms 184 (2b5fbf3)",
    .plain, .cancellation, decides: "send cancel"
  ) {
    let version = Version.current
    let channel = HandoffChannel(version)
    let leaver = Task { await channel.send(1) }
    let sender = Task { await channel.send(2) }
    leaver.cancel()
    let received = await channel.next()
    await sender.value
    try expect(received == 2, "the reader gets what was sent: \(received.map(String.init) ?? "nothing")")
  }
}

private final class HandoffChannel: Sendable {
  private struct Sender {
    let id: Int
    let value: Int
    let continuation: CheckedContinuation<Void, Never>
  }
  private struct State {
    var (isFinished, lastID): (Bool, Int) = (false, 0)
    var cancelled: Set<Int> = []
    var senders: [Sender] = []
    var readers: [CheckedContinuation<Int?, Never>] = []
  }
  private let version: Case.Version
  private let state = Mutex(State())

  init(_ version: Case.Version) { self.version = version }

  func send(_ value: Int) async {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let reader = state.withLock { state -> CheckedContinuation<Int?, Never>?? in
          if state.isFinished || state.cancelled.contains(id) { return .some(nil) }
          if !state.readers.isEmpty { return state.readers.removeFirst() }
          state.senders.append(Sender(id: id, value: value, continuation: continuation))
          return nil
        }
        guard let reader else { return }
        reader?.resume(returning: value)
        continuation.resume()
      }
    } onCancel: {
      if version == .before { finish() } else { leave(id) }
    }
  }

  func next() async -> Int? {
    await withCheckedContinuation { continuation in
      let (isOver, sender) = state.withLock { state -> (Bool, Sender?) in
        if state.isFinished { return (true, nil) }
        if !state.senders.isEmpty { return (true, state.senders.removeFirst()) }
        state.readers.append(continuation)
        return (false, nil)
      }
      if isOver { continuation.resume(returning: sender?.value) }
      sender?.continuation.resume()
    }
  }

  func finish() {
    let (senders, readers) = state.withLock { state in
      state.isFinished = true
      defer { (state.senders, state.readers) = ([], []) }
      return (state.senders, state.readers)
    }
    for sender in senders { sender.continuation.resume() }
    for reader in readers { reader.resume(returning: nil) }
  }

  private func leave(_ id: Int) {
    let sender = state.withLock { state in
      state.cancelled.insert(id)
      return state.senders.firstIndex { $0.id == id }.map { state.senders.remove(at: $0) }
    }
    sender?.continuation.resume()
  }
}
