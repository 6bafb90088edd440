// SPDX-License-Identifier: Apache-2.0

internal import Napkin
internal import Testing

/// Something that can be done to a tree, and how to draw what it is done with.
struct FuzzAction<Root: Routing>: Sendable {
  let name: String
  let weight: Int
  let sourceLocation: SourceLocation
  /// What it can be skipped for; nil if it is always run.
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
  /// What became of it: nil if it was skipped, else what there is to tell besides that it was done.
  typealias Outcome = String?

  let title: String
  /// The place of its action among those of the fuzzer.
  var action = 0
  let perform: @MainActor @Sendable (Root, FuzzRun<Root>) async -> Outcome
}

/// Something that has to hold.
struct FuzzInvariant<Root: Routing>: Sendable {
  let name: String
  let checkpoint: InvariantCheckpoint
  let holds: @MainActor @Sendable (Root) async -> Bool
}

/// A monitor of the test's own, made anew for each execution.
struct FuzzMonitor<Root: Routing>: Sendable {
  let name: String
  let make: @MainActor @Sendable (Root) -> any TreeMonitor
}

/// When an invariant is looked at.
public enum InvariantCheckpoint: Sendable, Hashable, CaseIterable {
  /// When every action has returned and nobody is ready to do anything.
  case atRest

  /// At rest, and whenever an action has returned, while other callers may be in the middle of theirs.
  case afterEveryAction
}
