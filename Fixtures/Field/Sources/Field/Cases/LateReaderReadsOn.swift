// SPDX-License-Identifier: Apache-2.0

// A reader that is cancelled before its continuation is installed finishes the source. The continuation that comes late
// is resumed as if data had arrived, and the loop around it reads an empty buffer for ever.
//
// The repair resumes it with the cancellation.
extension Case {
  static let lateReaderReadsOn = Case(
    "late-reader-reads-on", of: "apple/swift-async-algorithms 449",
    .plain, .cancellation, decides: "read"
  ) {
    let version = Version.current
    let source = ByteSource(version)
    let reader = Task {
      var rounds = 0
      while rounds < 100, try await source.read() { rounds += 1 }
      return rounds
    }
    reader.cancel()
    await source.send(1)
    let rounds = (try? await reader.value) ?? 0
    try expect(rounds < 100, "a cancelled reader ends")
  }
}

private actor ByteSource {
  private let version: Case.Version
  private var (bytes, isCancelled): ([Int], Bool) = ([], false)
  private var reader: CheckedContinuation<Bool, any Error>?

  init(_ version: Case.Version) { self.version = version }

  func send(_ byte: Int) {
    bytes.append(byte)
    reader?.resume(returning: true)
    reader = nil
  }

  func read() async throws -> Bool {
    if !bytes.isEmpty {
      bytes.removeFirst()
      return true
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        guard isCancelled || Task.isCancelled else {
          reader = continuation
          return
        }
        switch version {
        case .before: continuation.resume(returning: true)
        case .after: continuation.resume(throwing: CancellationError())
        }
      }
    } onCancel: {
      Task { await self.cancel() }
    }
  }

  private func cancel() {
    isCancelled = true
    reader?.resume(throwing: CancellationError())
    reader = nil
  }
}
