// SPDX-License-Identifier: Apache-2.0
import Foundation

// A client decides whether a host has failed too often: it counts the errors of the host under a lock, and reads the last of
// them under the lock again. A success in between clears them, and there is no last one.
//
// The repair reads both under one acquisition.
extension Case {
  static let errorsReadTwice = Case(
    "errors-read-twice", of: "swiftlang/swift-package-manager 10399",
    .split, .lock, decides: "succeeded"
  ) {
    let version = Version.current
    let client = HTTPClient(version)
    for _ in 0..<3 { client.failed(at: 5) }
    let success = Task { client.succeeded() }
    let question = Task { client.shouldBreak(at: 6) }
    _ = await question.value
    await success.value
  }
}

private final class HTTPClient: @unchecked Sendable {
  private let version: Case.Version
  private let lock = NSLock()
  private var errors: [Int] = []

  init(_ version: Case.Version) { self.version = version }

  func failed(at time: Int) { lock.withLock { errors.append(time) } }
  func succeeded() { lock.withLock { errors = [] } }

  func shouldBreak(at time: Int) -> Bool {
    if version == .after { return lock.withLock { errors.count > 2 && time - errors.last! < 10 } }
    let count = lock.withLock { errors.count }
    guard count > 2 else { return false }
    return lock.withLock { time - errors.last! < 10 }
  }
}
