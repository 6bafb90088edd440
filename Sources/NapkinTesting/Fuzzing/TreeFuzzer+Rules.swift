// SPDX-License-Identifier: Apache-2.0

internal import Napkin

extension TreeFuzzer {
  /// Adds an invariant.
  ///
  /// The tree is at rest when every action has returned and no task is ready. In the middle of a swap an invariant may be
  /// violated, so by default it is checked at rest only.
  ///
  /// - Parameters:
  ///   - name: The name in reports.
  ///   - checkpoint: When it is checked.
  ///   - holds: Whether it holds.
  /// - Returns: A fuzzer with this invariant.
  public func invariant(
    _ name: String, checked checkpoint: InvariantCheckpoint = .atRest,
    _ holds: @escaping @MainActor @Sendable (Root) async -> Bool
  ) -> Self {
    var copy = self
    copy.invariants.append(FuzzInvariant(name: name, checkpoint: checkpoint, holds: holds))
    return copy
  }

  /// Adds a monitor, which receives every event of the tree.
  ///
  /// - Parameters:
  ///   - name: The name in reports.
  ///   - make: Makes the monitor of one execution, when its tree was built and before it is activated. The monitor must
  ///     not hold the root, which could not be released then.
  /// - Returns: A fuzzer with this monitor.
  public func monitor(_ name: String, _ make: @escaping @MainActor @Sendable (Root) -> some TreeMonitor) -> Self {
    var copy = self
    copy.monitors.append(FuzzMonitor(name: name, make: make))
    return copy
  }

  /// Ignores rules of the contract, such as one that a tree under test violates on purpose.
  ///
  /// ```swift
  /// TreeFuzzer { await RootBuilder().build() }.ignoring(.misuse, .release)
  /// ```
  public func ignoring(_ rules: LifecycleRule...) -> Self { ignoring(rules) }

  /// Ignores rules of the contract; your own monitors and invariants are still checked with `LifecycleRule.allCases`.
  public func ignoring(_ rules: some Sequence<LifecycleRule>) -> Self {
    var copy = self
    copy.silenced.formUnion(rules)
    return copy
  }

  /// Allows calls that the contract calls misuse (M1); that they leave the tree unchanged is still checked.
  public func allowingMisuse() -> Self { ignoring(.misuse) }

  /// Removes all monitors, so that only invariants can fail.
  ///
  /// Sleeping callbacks are not awaited then, so a seed may stand for other executions than with monitors. A misuse stops a
  /// debug build.
  public func withoutMonitors() -> Self {
    var copy = self
    copy.isWatched = false
    return copy
  }
}
