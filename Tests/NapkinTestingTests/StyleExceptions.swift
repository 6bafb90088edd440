// SPDX-License-Identifier: Apache-2.0

/// A file that may do what the others may not, and why it must.
struct StyleException: Sendable {
  enum Kind: Sendable {
    /// Reads a clock or draws at random.
    case chance
    /// Uses `@unchecked`, `nonisolated(unsafe)`, SPI, `dlsym` or a section of its own.
    case unchecked
  }

  let path: String
  let kind: Kind
  let reason: String
}

enum StyleExceptions {
  /// Short, and kept so: a file that no longer needs its line here fails the test.
  static let all = [
    StyleException(
      path: "Sources/NapkinTesting/Events/ExecutionScope.swift",
      kind: .unchecked,
      reason:
        "the scope is read on every access, by the exploring thread alone, and a lock would cost more than the step"
    )
  ]

  static func covers(_ path: String, _ kind: StyleException.Kind) -> Bool {
    all.contains { $0.path == path && $0.kind == kind }
  }
}
