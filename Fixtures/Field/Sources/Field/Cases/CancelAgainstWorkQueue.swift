// SPDX-License-Identifier: Apache-2.0
import Dispatch

// A network session completes a request on its work queue, and resumes the task that waits for it there. A cancellation of
// the task has the task's lock and enters the queue by `sync`: the queue waits for the lock, and the lock for the queue.
//
// The repair enters the queue from the cancellation by `async`.
extension Case {
  static let cancelAgainstWorkQueue = Case(
    "cancel-against-work-queue", of: "swiftlang/swift-corelibs-foundation 5417",
    .split, .lock, decides: "complete"
  ) {
    let version = Version.current
    let session = SessionTask(version)
    let request = Task { await session.data() }
    let failure = Task { session.complete("no route") }
    request.cancel()
    await failure.value
    _ = await request.value
  }
}

private final class SessionTask: @unchecked Sendable {
  private let version: Case.Version
  private let workQueue = DispatchQueue(label: "work")
  private var answer: String?
  private var waiting: CheckedContinuation<String, Never>?

  init(_ version: Case.Version) { self.version = version }

  func data() async -> String {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        workQueue.sync {
          if let answer { continuation.resume(returning: answer) } else { waiting = continuation }
        }
      }
    } onCancel: {
      switch version {
      case .before: workQueue.sync { self.finish("cancelled") }
      case .after: workQueue.async { self.finish("cancelled") }
      }
    }
  }

  func complete(_ answer: String) { workQueue.sync { finish(answer) } }

  private func finish(_ answer: String) {
    guard self.answer == nil else { return }
    self.answer = answer
    waiting.take()?.resume(returning: answer)
  }
}
