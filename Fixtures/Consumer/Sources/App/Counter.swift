// SPDX-License-Identifier: Apache-2.0
public import Napkin

/// Counts what it is asked to count.
public actor CounterInteractor: Interactable {
  /// The state that every interactor keeps.
  public nonisolated let lifecycle = InteractorLifecycle()

  /// How often it was asked.
  public private(set) var count = 0

  /// Begins at zero.
  public init() {}

  /// Counts one more.
  public func increment() { count += 1 }
}

/// A leaf of a tree.
public final class CounterRouter: Router<CounterInteractor> {}
