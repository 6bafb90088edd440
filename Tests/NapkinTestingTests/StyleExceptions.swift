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
  private static let openClass = "an open class cannot be Sendable otherwise; a subclass answers for what it adds"

  /// Short, and kept so: a file that no longer needs its line here fails the test.
  static let all = [
    StyleException(path: "Sources/Napkin/Builder.swift", kind: .unchecked, reason: openClass),
    StyleException(path: "Sources/Napkin/Component.swift", kind: .unchecked, reason: openClass),
    StyleException(path: "Sources/Napkin/ComponentizedBuilder.swift", kind: .unchecked, reason: openClass),
    StyleException(path: "Sources/Napkin/EmptyComponent.swift", kind: .unchecked, reason: openClass),
    StyleException(
      path: "Sources/Napkin/HandedOut.swift",
      kind: .unchecked,
      reason: "a weak reference that only tells whether its object is alive"
    ),
    StyleException(path: "Sources/Napkin/MultiStageComponentizedBuilder.swift", kind: .unchecked, reason: openClass),
    StyleException(
      path: "Sources/Napkin/SharedSlot.swift",
      kind: .unchecked,
      reason: "an instance of any type is written once under a lock and then read without one"
    ),
    StyleException(path: "Sources/Napkin/SimpleComponentizedBuilder.swift", kind: .unchecked, reason: openClass),
    StyleException(
      path: "Sources/Napkin/SimpleMultiStageComponentizedBuilder.swift",
      kind: .unchecked,
      reason: openClass
    ),
    StyleException(
      path: "Sources/NapkinTesting/Events/ExecutionScope.swift",
      kind: .unchecked,
      reason:
        "the scope is read on every access, by the exploring thread alone, and a lock would cost more than the step"
    ),
  ]

  static func covers(_ path: String, _ kind: StyleException.Kind) -> Bool {
    all.contains { $0.path == path && $0.kind == kind }
  }
}
