// SPDX-License-Identifier: Apache-2.0

// A connect that fails schedules a reconnect, which resumes the continuation of the connect when it fails, too. A new connect
// meanwhile has ended the old one with an error, and the process ends by a continuation resumed twice.
//
// The repair takes the continuation out where it is resumed, and a reconnect resumes only its own.
extension Case {
  static let staleReconnect = Case(
    "stale-reconnect", of: "modelcontextprotocol/swift-sdk 178",
    .plain, decides: "reconnect"
  ) {
    let version = Version.current
    let transport = NetworkTransport(version)
    let first = Task { try await transport.connect() }
    let second = Task { try await transport.connect() }
    _ = await (first.result, second.result)
    await transport.settled()
  }
}

private struct ConnectionFailed: Error {}

private actor NetworkTransport {
  private let version: Case.Version
  private var waiting: CheckedContinuation<Void, any Error>?
  private var (attempt, reconnects): (Int, [Task<Void, Never>]) = (0, [])

  init(_ version: Case.Version) { self.version = version }

  func connect() async throws {
    attempt += 1
    let mine = attempt
    try await withCheckedThrowingContinuation { continuation in
      waiting?.resume(throwing: CancellationError())
      waiting = continuation
      reconnects.append(
        Task {
          // The backoff.
          try? await Task.sleep(for: .milliseconds(10))
          fail(mine, continuation)
        })
    }
  }

  private func fail(_ attempt: Int, _ continuation: CheckedContinuation<Void, any Error>) {
    if version == .after, attempt != self.attempt { return }
    continuation.resume(throwing: ConnectionFailed())
    waiting = nil
  }

  func settled() async { for task in reconnects { await task.value } }
}
