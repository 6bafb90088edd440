// SPDX-License-Identifier: Apache-2.0

/// An action that was drawn, with everything that it needs.
struct FuzzStep<System: Sendable>: Sendable {
  /// The result: nil if it was skipped, else a text to add to the log.
  typealias Outcome = String?

  let title: String
  /// The place of its action among those of the fuzzer.
  var action = 0
  /// How its arguments change the models.
  var updates: [@Sendable (inout FuzzModelStates) -> Void] = []
  let perform: nonisolated(nonsending) @Sendable (System, FuzzRun<System>) async -> Outcome
}

/// An invariant of the test.
struct FuzzInvariant<System: Sendable>: Sendable {
  let name: String
  let checkpoint: InvariantCheckpoint
  /// Whether it compares with a model, so that it says nothing where a drawn action was skipped.
  var followsModel = false
  let holds: @isolated(any) @Sendable (System, FuzzModelStates) async -> Bool
}

/// When an invariant is checked.
public enum InvariantCheckpoint: Sendable, Hashable, CaseIterable {
  /// When every action has returned and no task is ready.
  case atRest

  /// At rest, and whenever an action has returned, while other callers may be running theirs.
  case afterEveryAction
}
