// SPDX-License-Identifier: Apache-2.0
import Synchronization

// A buffer reads its source in a task of its own, and hands an element to the consumer that waits while it holds its
// lock. A cancellation of the consumer holds the lock of that task, and its handler wants the lock of the buffer.
//
// The repair takes the continuation out under the lock, and resumes it after.
extension Case {
  static let bufferResumesUnderLock = Case(
    "buffer-resumes-under-lock", of: "apple/swift-async-algorithms 303 (da4e36f)",
    .split, .lock, decides: "produced"
  ) {
    let numbers = AsyncStream {
      $0.yield(1)
      $0.finish()
    }
    let buffer = NumberBuffer(Version.current, numbers)
    let consumer = Task { await buffer.next() }
    let leaver = Task { consumer.cancel() }
    await leaver.value
    _ = await consumer.value
  }
}

private final class NumberBuffer: Sendable {
  private struct State {
    var elements: [Int] = []
    var isInterrupted = false
    var task: Task<Void, Never>?
    var consumer: CheckedContinuation<Int?, Never>?
  }
  private let version: Case.Version
  private let source: AsyncStream<Int>
  private let state = Mutex(State())

  init(_ version: Case.Version, _ source: AsyncStream<Int>) {
    self.version = version
    self.source = source
  }

  func next() async -> Int? {
    await withTaskCancellationHandler {
      let first = state.withLock { state -> Int? in
        if state.task == nil && !state.isInterrupted { state.task = start() }
        return state.elements.isEmpty ? nil : state.elements.removeFirst()
      }
      if let first { return first }
      return await withCheckedContinuation { continuation in
        let result = state.withLock { state -> Int?? in
          if state.isInterrupted { return .some(nil) }
          if !state.elements.isEmpty { return state.elements.removeFirst() }
          state.consumer = continuation
          return nil
        }
        if let result { continuation.resume(returning: result) }
      }
    } onCancel: {
      interrupted()
    }
  }

  private func start() -> Task<Void, Never> {
    Task { for await element in source { produced(element) } }
  }

  private func produced(_ element: Int) {
    let consumer = state.withLock { state -> CheckedContinuation<Int?, Never>? in
      guard let consumer = state.consumer.take() else {
        state.elements.append(element)
        return nil
      }
      if version == .after { return consumer }
      consumer.resume(returning: element)
      return nil
    }
    consumer?.resume(returning: element)
  }

  private func interrupted() {
    let (task, consumer) = state.withLock { state in
      state.isInterrupted = true
      let (task, consumer) = (state.task, state.consumer.take())
      guard version == .before else { return (task, consumer) }
      task?.cancel()
      consumer?.resume(returning: nil)
      return (nil, nil)
    }
    task?.cancel()
    consumer?.resume(returning: nil)
  }
}
