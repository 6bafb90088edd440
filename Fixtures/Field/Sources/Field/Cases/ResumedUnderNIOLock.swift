// SPDX-License-Identifier: Apache-2.0
import Foundation

// A producer of a sequence resumes its consumer inside a lock. A cancellation of the consumer runs its handler with the
// task's own lock, and the handler wants the lock of the producer: the order of the locks is inverted.
//
// The repair resumes no continuation within a lock.
extension Case {
  static let resumedUnderNIOLock = Case(
    "resumed-under-nio-lock", of: "apple/swift-nio 2558",
    .split, .lock, decides: "yield"
  ) {
    let version = Version.current
    let sequence = ProducerSequence(version)
    let consumer = Task { await sequence.next() }
    let cancellation = Task { consumer.cancel() }
    let producer = Task { sequence.yield(7) }
    await producer.value
    await cancellation.value
    _ = await consumer.value
  }
}

private final class ProducerSequence: @unchecked Sendable {
  private let version: Case.Version
  private let lock = NSLock()
  private var buffer: [Int] = []
  private var (isTerminated, consumer): (Bool, CheckedContinuation<Int?, Never>?) = (false, nil)

  init(_ version: Case.Version) { self.version = version }

  func next() async -> Int? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        lock.withLock {
          if let first = buffer.first {
            continuation.resume(returning: first)
          } else if isTerminated {
            continuation.resume(returning: nil)
          } else {
            consumer = continuation
          }
        }
      }
    } onCancel: {
      let consumer = lock.withLock {
        isTerminated = true
        return self.consumer.take()
      }
      consumer?.resume(returning: nil)
    }
  }

  func yield(_ element: Int) {
    lock.lock()
    let waiting = consumer.take()
    if waiting == nil { buffer.append(element) }
    if version == .before { waiting?.resume(returning: element) }
    lock.unlock()
    if version == .after { waiting?.resume(returning: element) }
  }
}
