// SPDX-License-Identifier: Apache-2.0

/// A check of a test's own that follows an execution event by event, and may remember what it has seen.
///
/// ```swift
/// /// The tree never has more than three screens that are active.
/// struct ActiveScreens: TreeMonitor {
///   private var active = 0
///
///   mutating func observe(_ event: TreeEvent) -> String? {
///     switch event.kind {
///     case .activated: active += 1
///     case .deactivated: active -= 1
///     default: return nil
///     }
///     return active > 3 ? "\(active) interactors are active at once." : nil
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

  /// Checks when every action of a round has returned and no job is ready.
  mutating func atRest() -> String?

  /// Checks when the root was deactivated and released and every task has finished or waits.
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
