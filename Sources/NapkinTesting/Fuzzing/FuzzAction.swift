// SPDX-License-Identifier: Apache-2.0

internal import Napkin
internal import Testing

/// An action on a tree, and how to draw its arguments.
struct FuzzAction<Root: Routing>: Sendable {
  let name: String
  let weight: Int
  let sourceLocation: SourceLocation
  /// The reason for which it can be skipped; nil if it always runs.
  var condition: Condition?
  let step: Gen<FuzzStep<Root>>

  enum Condition: Sendable {
    case precondition
    /// By the name of the pool that may be empty.
    case pool(String)
  }
}

/// An action that was drawn, with everything that it needs.
struct FuzzStep<Root: Routing>: Sendable {
  /// The result: nil if it was skipped, else a text to add to the log.
  typealias Outcome = String?

  let title: String
  /// The place of its action among those of the fuzzer.
  var action = 0
  let perform: @MainActor @Sendable (Root, FuzzRun<Root>) async -> Outcome
}

/// An invariant of the test.
struct FuzzInvariant<Root: Routing>: Sendable {
  let name: String
  let checkpoint: InvariantCheckpoint
  let holds: @MainActor @Sendable (Root) async -> Bool
}

/// A monitor of the test, made for each execution.
struct FuzzMonitor<Root: Routing>: Sendable {
  let name: String
  let make: @MainActor @Sendable (Root) -> any TreeMonitor
}

/// When an invariant is checked.
public enum InvariantCheckpoint: Sendable, Hashable, CaseIterable {
  /// When every action has returned and no task is ready.
  case atRest

  /// At rest, and whenever an action has returned, while other callers may be running theirs.
  case afterEveryAction
}
