// SPDX-License-Identifier: Apache-2.0
import Synchronization

// A channel that throws notes a reader that is cancelled before it waits, and takes the note away when it comes. It stays
// in the state of awaiting, with no reader in it: the next send takes the first of none, and the process ends.
//
// The repair goes back to idle when the last one leaves, where it is cancelled as well as where it comes.
extension Case {
  static let cancelledReadLeavesAwaiting = Case(
    "cancelled-read-leaves-awaiting", of: "apple/swift-async-algorithms 150 (6d5d631)",
    .inside, .cancellation, decides: "send"
  ) {
    let channel = ThrowingChannel(Version.current)
    let reader = Task { await channel.next() }
    reader.cancel()
    _ = await reader.value
    async let sent: Void = channel.send(1)
    let received = await channel.next()
    await sent
    try expect(received == 1, "a reader gets what is sent after another one was cancelled")
  }
}

private final class ThrowingChannel: Sendable {
  private typealias Reader = CheckedContinuation<Int?, Never>
  private enum Emission {
    case idle
    case pending([CheckedContinuation<Reader, Never>])
    /// A reader that was cancelled before it came has no continuation.
    case awaiting([(id: Int, continuation: Reader?)])
  }
  private let version: Case.Version
  private let state = Mutex<(emission: Emission, nextID: Int)>((.idle, 0))

  init(_ version: Case.Version) { self.version = version }

  private func awaiting(_ readers: [(id: Int, continuation: Reader?)]) -> Emission {
    readers.isEmpty && version == .after ? .idle : .awaiting(readers)
  }

  func next() async -> Int? {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (isCancelled, sender) = state.withLock { state -> (Bool, CheckedContinuation<Reader, Never>?) in
          switch state.emission {
          case .idle: state.emission = .awaiting([(id, continuation)])
          case .pending(var senders):
            let sender = senders.removeFirst()
            state.emission = senders.isEmpty ? .idle : .pending(senders)
            return (false, sender)
          case .awaiting(var readers):
            let note = readers.firstIndex { $0.id == id }
            if let note { readers.remove(at: note) } else { readers.append((id, continuation)) }
            state.emission = awaiting(readers)
            return (note != nil, nil)
          }
          return (false, nil)
        }
        sender?.resume(returning: continuation)
        if isCancelled { continuation.resume(returning: nil) }
      }
    } onCancel: {
      let reader = state.withLock { state -> Reader? in
        switch state.emission {
        case .idle: state.emission = .awaiting([(id, nil)])
        case .pending: break
        case .awaiting(var readers):
          guard let index = readers.firstIndex(where: { $0.id == id }) else { return nil }
          let reader = readers.remove(at: index).continuation
          state.emission = awaiting(readers)
          return reader
        }
        return nil
      }
      reader?.resume(returning: nil)
    }
  }

  func send(_ value: Int) async {
    let reader = await withCheckedContinuation { continuation in
      let reader = state.withLock { state -> Reader? in
        switch state.emission {
        case .idle: state.emission = .pending([continuation])
        case .pending(let senders): state.emission = .pending(senders + [continuation])
        case .awaiting(var readers):
          let reader = readers.removeFirst().continuation
          state.emission = readers.isEmpty ? .idle : .awaiting(readers)
          return reader
        }
        return nil
      }
      if let reader { continuation.resume(returning: reader) }
    }
    reader.resume(returning: value)
  }
}
