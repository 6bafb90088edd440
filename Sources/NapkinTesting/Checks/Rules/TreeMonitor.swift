// SPDX-License-Identifier: Apache-2.0

/// A custom check that receives the events of an execution, one by one, and may keep state.
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
/// Each execution has its own monitor; see ``TreeFuzzer/monitor(_:_:)``. A requirement that returns a text fails the
/// execution with that text; nil passes. By default all three return nil.
///
/// They are called under a lock while the tree waits, so they must not call a napkin.
public protocol TreeMonitor: Sendable {
  /// Receives an event when it happens.
  mutating func observe(_ event: TreeEvent) -> String?

  /// Checks when every action of a round has returned and no job is ready.
  mutating func atRest() -> String?

  /// Checks when the root was deactivated and released and every task has finished or waits.
  mutating func atEnd() -> String?
}

extension TreeMonitor {
  /// Returns nil.
  public mutating func observe(_ event: TreeEvent) -> String? { nil }

  /// Returns nil.
  public mutating func atRest() -> String? { nil }

  /// Returns nil.
  public mutating func atEnd() -> String? { nil }
}
