// SPDX-License-Identifier: Apache-2.0

/// A check of a test's own that follows an execution event by event, and may remember what it has seen.
///
/// ```swift
/// /// The tree never has more than three screens that are awake.
/// struct AwakeScreens: TreeMonitor {
///   private var awake = 0
///
///   mutating func observe(_ event: TreeEvent) -> String? {
///     switch event.kind {
///     case .activated: awake += 1
///     case .deactivated: awake -= 1
///     default: return nil
///     }
///     return awake > 3 ? "\(awake) interactors are active at once." : nil
///   }
/// }
/// ```
///
/// Each execution has a monitor of its own; see ``TreeFuzzer/monitor(_:_:)``. What a requirement returns fails the
/// execution; nil means that all is well. All three have a default that finds nothing.
///
/// They are called under a lock, while the tree waits: they look and remember, and touch no napkin.
public protocol TreeMonitor: Sendable {
  /// Looks at one thing as it happens.
  mutating func observe(_ event: TreeEvent) -> String?

  /// Looks when every action of a round has returned and nobody is ready to do anything.
  mutating func atRest() -> String?

  /// Looks when the root was deactivated and released and everybody has come to rest.
  mutating func atEnd() -> String?
}

extension TreeMonitor {
  /// Finds nothing.
  public mutating func observe(_ event: TreeEvent) -> String? { nil }

  /// Finds nothing.
  public mutating func atRest() -> String? { nil }

  /// Finds nothing.
  public mutating func atEnd() -> String? { nil }
}
