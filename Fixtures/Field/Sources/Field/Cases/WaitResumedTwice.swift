// SPDX-License-Identifier: Apache-2.0
import Synchronization

// A task that waits for a download is cancelled, which resumes its continuation and does not cancel the download. When
// that ends, it resumes the same continuation, and the process ends.
//
// The repair takes the continuation out in the locked region that resumes it.
extension Case {
  static let waitResumedTwice = Case(
    "wait-resumed-twice", of: "mhayes853/swift-cactus 31",
    .inside, .cancellation, decides: "finish"
  ) {
    let version = Version.current
    let download = Download(version)
    let waiting = Task { try await download.waitForCompletion() }
    let finishing = Task { download.finish("model.bin") }
    waiting.cancel()
    await finishing.value
    _ = await waiting.result
  }
}

private final class Download: Sendable {
  private struct State {
    var file: String?
    var waiting: CheckedContinuation<String, any Error>?
    var isCancelled = false
  }
  private let version: Case.Version
  private let state = Mutex(State())

  init(_ version: Case.Version) { self.version = version }

  func waitForCompletion() async throws -> String {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let ended: Result<String, any Error>? = state.withLock { state in
          if let file = state.file { return .success(file) }
          if state.isCancelled { return .failure(CancellationError()) }
          state.waiting = continuation
          return nil
        }
        if let ended { continuation.resume(with: ended) }
      }
    } onCancel: {
      let waiting = state.withLock { state in
        state.isCancelled = true
        return version == .after ? state.waiting.take() : state.waiting
      }
      waiting?.resume(throwing: CancellationError())
    }
  }

  func finish(_ file: String) {
    let waiting = state.withLock { state in
      state.file = file
      return state.waiting.take()
    }
    waiting?.resume(returning: file)
  }
}
