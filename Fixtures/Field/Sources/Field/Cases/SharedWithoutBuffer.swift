// SPDX-License-Identifier: Apache-2.0
import Synchronization

// A shared sequence reads its source in a task, which waits for room in the buffer and then for a reader's demand. With a
// buffer of none there is never room: the task waits, unless a reader that comes later lets it go on. A reader that has
// come before waits with it for ever.
//
// The repair waits for room only where there is a buffer.
extension Case {
  static let sharedWithoutBuffer = Case(
    "shared-without-buffer", of: "apple/swift-async-algorithms 387 (2de5003)", .plain, decides: "iterate"
  ) {
    let shared = SharedNumbers(Version.current, [1, 2], limit: 0)
    let source = Task { await shared.iterate() }
    let reader = Task {
      var seen: [Int] = []
      while let number = await shared.next() { seen.append(number) }
      return seen
    }
    let seen = await reader.value
    await source.value
    try expect(seen == [1, 2], "a reader gets all: \(seen)")
  }
}

private final class SharedNumbers: Sendable {
  private struct State {
    var buffer: [Int] = []
    var isFinished = false
    var (room, demand): (CheckedContinuation<Void, Never>?, CheckedContinuation<Void, Never>?)
    var reader: CheckedContinuation<Int?, Never>?
  }
  private let version: Case.Version
  private let numbers: [Int]
  private let limit: Int
  private let state = Mutex(State())

  init(_ version: Case.Version, _ numbers: [Int], limit: Int) {
    (self.version, self.numbers, self.limit) = (version, numbers, limit)
  }

  func iterate() async {
    for number in numbers {
      if version == .before || limit > 0 { await waitForRoom() }
      await waitForDemand()
      let reader = state.withLock { state in
        if state.reader == nil { state.buffer.append(number) }
        return state.reader.take()
      }
      reader?.resume(returning: number)
    }
    let reader = state.withLock { state in
      state.isFinished = true
      return state.reader.take()
    }
    reader?.resume(returning: nil)
  }

  private func waitForRoom() async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.buffer.count < limit { return true }
        state.room = continuation
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  private func waitForDemand() async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.reader != nil { return true }
        state.demand = continuation
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  func next() async -> Int? {
    await withCheckedContinuation { continuation in
      let (result, room, demand) = state.withLock { state in
        var result: Int??
        if !state.buffer.isEmpty {
          result = .some(state.buffer.removeFirst())
        } else if state.isFinished {
          result = .some(nil)
        } else {
          state.reader = continuation
        }
        return (result, state.room.take(), state.demand.take())
      }
      if let result { continuation.resume(returning: result) }
      room?.resume()
      demand?.resume()
    }
  }
}
