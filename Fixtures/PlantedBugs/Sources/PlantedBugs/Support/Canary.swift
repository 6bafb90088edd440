// SPDX-License-Identifier: Apache-2.0
import Napkin
public import NapkinTesting
public import Testing

/// A bug as app teams write it, and the same code without it: the fuzzer has to find the one and to leave the other alone.
public struct Canary: Sendable {
  /// Runs the fuzzer for a number of executions at most, with a seed, and reports nothing.
  public typealias Fuzz = @Sendable (_ executions: Int, _ seed: UInt64) async -> Exploration

  /// What a team would call the bug.
  public let name: String

  /// The state in which the bug would show: the twin comes by it in some execution, by `Execution.sometimes`.
  public let reached: String

  /// The rule of the contract, or the habit, that the bug breaks.
  public let breaks: String

  /// What each diagnostic of a failure has to begin with, one of these: a monitor and what it says, or an invariant.
  public let verdicts: [String]

  /// Fuzzes the tree with the bug.
  public let buggy: Fuzz

  /// Fuzzes the tree with the bug, and records an issue as the test of an app does.
  public let shown: @Sendable (_ executions: Int, _ seed: UInt64) async -> Void

  /// Fuzzes the tree without it.
  public let repaired: Fuzz

  init<Buggy: Routing, Repaired: Routing>(
    _ name: String, reaching reached: String, breaks: String, verdict: String..., buggy: TreeFuzzer<Buggy>,
    repaired: TreeFuzzer<Repaired>
  ) {
    self.name = name
    self.reached = reached
    self.breaks = breaks
    verdicts = verdict
    self.buggy = { await buggy.run(executions: $0, actions: Self.actions, seed: $1) }
    shown = { _ = await buggy.check(executions: $0, actions: Self.actions, seed: $1) }
    self.repaired = { await repaired.run(executions: $0, actions: Self.actions, seed: $1) }
  }

  private static let actions = 1...6

  /// Whether the bug is seen without an invariant of the user's.
  public var isSeenByContract: Bool { !verdicts.contains { $0.hasPrefix("Broken at rest") } }

  /// Whether a failure is about this bug and about nothing else.
  public func explains(_ failure: Exploration.Failure) -> Bool {
    !failure.diagnostics.isEmpty
      && failure.diagnostics.allSatisfy { diagnostic in verdicts.contains { diagnostic.summary.hasPrefix($0) } }
  }
}

extension Canary: CustomTestStringConvertible {
  /// The canary by its name.
  public var testDescription: String { name }
}
