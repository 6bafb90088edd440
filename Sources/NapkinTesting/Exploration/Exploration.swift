// SPDX-License-Identifier: Apache-2.0

package import Testing

/// What came of running one body under many interleavings.
public struct Exploration: Sendable {
  /// How many executions were run, those of shrinking not counted.
  public internal(set) var executions = 0

  /// How many jobs ran in them, from one suspension to the next.
  public internal(set) var steps = 0

  /// At how many accesses to memory or locks tasks were preempted in the middle of a step; nil where no step can be split.
  ///
  /// Steps can be split in code that was compiled for it, see <doc:SplittingSteps>.
  public internal(set) var preemptions: Int?

  /// How many different schedules there were; beyond 65,536 an estimate, within half a percent as a rule.
  ///
  /// Two schedules are different if an actor is entered by other tasks, or by the same ones in another order. How the steps
  /// on different actors interleave makes no difference, nor does what happens outside of actors, unless the body enters
  /// none: then the order of all its steps counts.
  public internal(set) var distinctSchedules = 0

  /// Whether schedules were counted by the order in which actors are entered.
  package var entersActors = false

  /// Whether every order of what was scheduled was run that equal priorities allow, within the bound that the strategy was
  /// given.
  ///
  /// False if values were drawn or tasks were cancelled by the exploration: those can be otherwise, too, and are not
  /// enumerated. That time passes while a task is ready is, up to four times in an execution; false if there were more.
  /// With ``Explorer/Strategy/exhaustive(assuming:)`` it is for the assumption to hold that every order has an equal one
  /// that was run.
  public internal(set) var isExhaustive = false

  /// What `isExhaustive` takes for granted.
  package var assumption: Explorer.Strategy.Assumption?

  /// How long it all took, shrinking included.
  public internal(set) var duration = Duration.zero

  /// How many executions were discarded because a generator's filter rejected every value it tried.
  public internal(set) var discardedExecutions = 0

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
  public var failure: Failure? { failures.first }

  /// The failures in the order of their executions: one at most, or up to five different ones where the exploration goes on past
  /// known ones.
  public private(set) var failures: [Failure] = []

  /// Takes the failures, each with what its report says of the exploration.
  mutating func take(_ failures: [Failure]) {
    self.failures = failures.map { failure in
      var failure = failure
      failure.distinctSchedules = distinctSchedules
      return failure
    }
  }

  /// The known failures that it went on past.
  public internal(set) var knownFailures: [KnownFailure] = []

  /// A failure that an exploration went on past.
  public struct KnownFailure: Sendable, Hashable {
    /// The token or the text by which it is known.
    public internal(set) var name: String

    /// How many executions failed so.
    public internal(set) var executions: Int
  }

  /// One failed execution, and how to run it again.
  public struct Failure: Sendable {
    /// The number of the execution that failed first, counted from one.
    public let execution: Int

    /// The seed of the exploration, which finds that execution again.
    public internal(set) var seed: UInt64

    /// The shrunk execution as a token for `.replay("…")`.
    public let schedule: String

    /// What went wrong in the shrunk execution; never empty.
    public let diagnostics: [Diagnostic]

    /// The values that the shrunk execution drew, in order, such as `amount = 3`.
    public let draws: [String]

    /// The tasks that the shrunk execution cancelled, each with the step, such as `saving, after step 4`.
    public let cancellations: [String]

    /// The texts of the diagnostics, then of the cancellations and of the drawn values.
    public var messages: [String] {
      diagnostics.map(\.description) + cancellations.map { "Cancelled: \($0)" } + draws.map { "Drawn: \($0)" }
    }

    /// The line of the first diagnostic that has one.
    package var sourceLocation: SourceLocation? { diagnostics.lazy.compactMap(\.sourceLocation).first }

    /// How many different schedules the exploration came to.
    package var distinctSchedules = 1

    /// The choices of the shrunk execution.
    package var sequence = ChoiceSequence()

    /// Everything that happened in the shrunk execution.
    package var log = EventLog()

    /// What shrinking cost, and whether the budget ended it.
    public internal(set) var shrinking = Shrinking()

    /// How many scheduling decisions of the shrunk execution deviate from FIFO order.
    public var deviations: Int { sequence.deviations }

    /// Whether the failure disappears when each task runs as far as it can before the next one does.
    package var needsInterleaving = true

    /// What the failure has to do with each of its deviations; empty where that is not known.
    package var explanation: [TriedDeviation] = []

    /// Remarks on how far the failure can be trusted, such as that a replay met other choices.
    package var remarks: [String] = []

    init(
      execution: Int, seed: UInt64, schedule: String, diagnostics: [Diagnostic], draws: [String] = [],
      cancellations: [String] = []
    ) {
      self.execution = execution
      self.seed = seed
      self.schedule = schedule
      self.diagnostics = diagnostics
      self.draws = draws
      self.cancellations = cancellations
    }

    /// The cost of a small failure.
    public struct Shrinking: Sendable, Hashable {
      /// How many executions were run to shrink the failing one.
      public internal(set) var executions = 0

      /// Whether the budget of 2,000 executions or of 10 seconds ended the shrinking.
      public internal(set) var didExhaustBudget = false
    }
  }
}
