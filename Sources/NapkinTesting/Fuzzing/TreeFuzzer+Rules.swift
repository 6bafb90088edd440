// SPDX-License-Identifier: Apache-2.0

internal import Napkin

extension TreeFuzzer {
  /// Adds something that has to hold.
  ///
  /// The tree is at rest when every action has returned and nobody is ready to do anything. In the middle of a swap an
  /// invariant may well be broken, so by default it is not looked at there.
  ///
  /// - Parameters:
  ///   - name: What the report of a failure calls it.
  ///   - checkpoint: When it is looked at.
  ///   - holds: Whether it holds.
  /// - Returns: A fuzzer with this invariant, too.
  public func invariant(
    _ name: String, checked checkpoint: InvariantCheckpoint = .atRest,
    _ holds: @escaping @MainActor @Sendable (Root) async -> Bool
  ) -> Self {
    var copy = self
    copy.invariants.append(FuzzInvariant(name: name, checkpoint: checkpoint, holds: holds))
    return copy
  }

  /// Adds a monitor of your own, which is told of everything that happens to the tree, step by step.
  ///
  /// - Parameters:
  ///   - name: What the report of a failure calls it.
  ///   - make: Makes the monitor of one execution, when its tree was built and before it is activated. The monitor must
  ///     not hold the root, which could not be released then.
  /// - Returns: A fuzzer with this monitor, too.
  public func monitor(_ name: String, _ make: @escaping @MainActor @Sendable (Root) -> some TreeMonitor) -> Self {
    var copy = self
    copy.monitors.append(FuzzMonitor(name: name, make: make))
    return copy
  }

  /// Leaves rules of the contract unwatched, such as one that a tree under test breaks on purpose.
  ///
  /// ```swift
  /// TreeFuzzer { await RootBuilder().build() }.without(.misuse, .release)
  /// ```
  ///
  /// - Returns: A fuzzer that does not fail for a breach of these rules.
  public func without(_ rules: LifecycleRule...) -> Self { without(rules) }

  /// Leaves rules of the contract unwatched; `LifecycleRule.allCases` leaves your own monitors and invariants alone.
  ///
  /// - Returns: A fuzzer that does not fail for a breach of these rules.
  public func without(_ rules: some Sequence<LifecycleRule>) -> Self {
    var copy = self
    copy.silenced.formUnion(rules)
    return copy
  }

  /// Lets calls that the contract calls misuse (M1) pass: they have to leave the tree as it was, and that is watched.
  ///
  /// - Returns: A fuzzer that does not fail for a misuse.
  public func misuseIsAllowed() -> Self { without(.misuse) }

  /// Watches nothing: only the invariants given here can fail.
  ///
  /// A sleeping callback is not waited for then, so a seed may stand for other executions than with monitors. A misuse is
  /// nobody's: in a debug build it traps.
  ///
  /// - Returns: A fuzzer without monitors, your own included.
  public func unwatched() -> Self {
    var copy = self
    copy.isWatched = false
    return copy
  }
}
