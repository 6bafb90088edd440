// SPDX-License-Identifier: Apache-2.0

package import Testing

/// What came of running one body under many interleavings.
public struct Exploration: Sendable {
  /// How many executions were run, those of shrinking not counted.
  public internal(set) var executions = 0

  /// How many jobs ran in them, from one suspension to the next.
  public internal(set) var steps = 0

  /// How many different schedules there were; beyond 65,536 an estimate, within half a percent as a rule.
  public internal(set) var distinctSchedules = 0

  /// Whether every schedule was run that there is, within the bound that the strategy was given.
  public internal(set) var isExhaustive = false

  /// How long it all took, shrinking included.
  public internal(set) var duration = Duration.zero

  /// How many executions were thrown away, because a generator's filter found nothing that passed it.
  public internal(set) var rejected = 0

  /// How the number of different schedules has grown, and how many are likely to be left.
  public internal(set) var saturation = Saturation()

  /// Why the result proves less than its numbers suggest, such as that a replay met other choices; empty in most tests.
  ///
  /// Each has what happened, the likely cause and what to do. `check`, `explore` and the traits record each as an issue
  /// of severity `warning`, which does not fail the test.
  public var warnings: [String] { diagnostics.map(\.text) }

  /// The same, each with where to record it.
  package var diagnostics: [ExplorationWarning] = []

  /// The execution that failed, made as small as it could be; nil if none did.
  public internal(set) var failure: Failure?

  /// One failed execution, and how to run it again.
  public struct Failure: Sendable {
    /// The number of the execution that failed first, counted from one.
    public internal(set) var execution: Int

    /// The seed of the exploration, which finds that execution again.
    public internal(set) var seed: UInt64

    /// The shrunk execution as a token for `.replay("…")`.
    public internal(set) var schedule: String

    /// What went wrong, one message a problem, and last what had been drawn.
    public internal(set) var messages: [String]

    /// Where the first problem was recorded, if at a line at all.
    package var sourceLocation: SourceLocation?

    /// The choices of the shrunk execution, for those who count deviations.
    package var sequence = ChoiceSequence()

    /// Everything that happened in the shrunk execution.
    package var log = EventLog()

    /// What shrinking cost, and whether it was cut short.
    public internal(set) var shrinking = Shrinking()

    /// How many choices of the shrunk execution depart from a plain run, first come, first served.
    public var deviations: Int { sequence.deviations }

    /// Whether the failure goes away when each task runs as far as it can before the next one does.
    package var needsTurns = true

    /// Remarks on how far the failure can be trusted, such as that a replay met other choices.
    package var remarks: [String] = []

    /// The price of a small failure.
    public struct Shrinking: Sendable, Hashable {
      /// How many executions were run to make the failing one smaller.
      public internal(set) var executions = 0

      /// Whether there were more to try when the budget was spent, of 2,000 executions or of 10 seconds in them.
      public internal(set) var isBudgetSpent = false
    }
  }
}
