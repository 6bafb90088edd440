// SPDX-License-Identifier: Apache-2.0

internal import Napkin
public import Testing

extension TreeFuzzer {
  /// Adds an action that a user or a service can perform on the tree.
  ///
  /// Values can be drawn in the closure, too, with ``Execution/draw(_:_:sourceLocation:)``.
  /// ``Fuzzer/action(_:weight:sourceLocation:perform:)`` describes the parameters.
  public func action(
    _ name: String, weight: Int = 1, sourceLocation: SourceLocation = #_sourceLocation,
    perform: @escaping @MainActor @Sendable (Root) async -> Void
  ) -> Self {
    action(FuzzAction(name, sourceLocation: sourceLocation, perform: perform).weight(weight))
  }

  /// Adds an action, with an argument, a precondition or a result.
  public func action(_ action: FuzzAction<Root>) -> Self {
    changed(self) { $0.fuzzer = fuzzer.action(action) }
  }

  /// Adds an invariant.
  ///
  /// The tree is at rest when every action has returned and no task is ready. In the middle of a swap an invariant may be
  /// violated, so by default it is checked at rest only.
  public func invariant(
    _ name: String, checked checkpoint: InvariantCheckpoint = .atRest,
    _ holds: @escaping @MainActor @Sendable (Root) async -> Bool
  ) -> Self {
    changed(self) {
      $0.fuzzer = fuzzer.adding(
        FuzzInvariant(name: name, checkpoint: checkpoint) { @MainActor root, _ in await holds(root) })
    }
  }

  /// Adds an invariant that compares the tree at rest with a model; see ``Fuzzer/invariant(_:of:_:)``.
  public func invariant<State>(
    _ name: String, of model: FuzzModel<State>, _ holds: @escaping @MainActor @Sendable (Root, State) async -> Bool
  ) -> Self {
    changed(self) {
      $0.fuzzer = fuzzer.adding(
        FuzzInvariant(name: name, checkpoint: .atRest, followsModel: true) { @MainActor root, states in
          await holds(root, states[model])
        })
    }
  }

  /// Adds a monitor, which receives every event of the tree.
  ///
  /// - Parameters:
  ///   - name: The name in reports.
  ///   - make: Makes the monitor of one execution, when its tree was built and before it is activated. The monitor must
  ///     not hold the root, which could not be released then.
  /// - Returns: A fuzzer with this monitor.
  public func monitor(_ name: String, _ make: @escaping @MainActor @Sendable (Root) -> some TreeMonitor) -> Self {
    changed(self) { $0.monitors.append((name, make)) }
  }

  /// Ignores rules of the contract, such as one that a tree under test violates on purpose.
  ///
  /// ```swift
  /// TreeFuzzer { await RootBuilder().build() }.ignoring(.misuse, .release)
  /// ```
  public func ignoring(_ rules: LifecycleRule...) -> Self { ignoring(rules) }

  /// Ignores rules of the contract; your own monitors and invariants are still checked with `LifecycleRule.allCases`.
  public func ignoring(_ rules: some Sequence<LifecycleRule>) -> Self {
    changed(self) { $0.silenced.formUnion(rules) }
  }

  /// Allows calls that the contract calls misuse (M1); that they leave the tree unchanged is still checked.
  ///
  /// A task that an execution on the thread pool has left behind may call later: where misuse is not allowed, it is an issue
  /// then, and outside a test it stops a debug build.
  public func allowingMisuse() -> Self { ignoring(.misuse) }

  /// Removes all monitors, so that only invariants can fail.
  ///
  /// Sleeping callbacks are not awaited then, so a seed may stand for other executions than with monitors. A misuse stops a
  /// debug build.
  public func withoutMonitors() -> Self {
    changed(self) { $0.isWatched = false }
  }
}
