// SPDX-License-Identifier: Apache-2.0
import Foundation

// A radio's answer resumes the continuation that waits for it, and sets it to nil afterwards. A connection that is closed
// meanwhile still sees it, resumes it, too, and the process ends.
//
// The repair sets it to nil before it resumes it.
extension Case {
  static let notNiledBeforeResume = Case(
    "not-niled-before-resume", of: "meshtastic/Meshtastic-Apple 1755",
    .split, .lock, decides: "close"
  ) {
    let version = Version.current
    let manager = AccessoryManager(version)
    let request = Task { try await manager.sendWantConfig() }
    while !manager.isWaiting { await Task.yield() }
    let answer = Task { manager.configComplete() }
    let end = Task { manager.close() }
    await answer.value
    await end.value
    _ = await request.result
  }
}

private final class AccessoryManager: @unchecked Sendable {
  private let version: Case.Version
  private let lock = NSLock()
  private var continuation: CheckedContinuation<Void, any Error>?

  init(_ version: Case.Version) { self.version = version }

  var isWaiting: Bool { lock.withLock { continuation != nil } }

  func sendWantConfig() async throws {
    try await withCheckedThrowingContinuation { continuation in lock.withLock { self.continuation = continuation } }
  }

  func configComplete() { take()?.resume() }
  func close() { take()?.resume(throwing: CancellationError()) }

  private func take() -> CheckedContinuation<Void, any Error>? {
    if version == .after { return lock.withLock { continuation.take() } }
    let found = lock.withLock { continuation }
    lock.withLock { continuation = nil }
    return found
  }
}
