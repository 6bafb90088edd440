// SPDX-License-Identifier: Apache-2.0

package import Testing

/// The result of running one body under many interleavings.
public struct Exploration: Sendable {
  /// The number of executions, without those of shrinking.
  public let executions: Int

  /// The number of jobs that ran in them, each from one suspension to the next.
  public let steps: Int

  /// The number of accesses to memory or locks at which tasks were preempted within a step; nil where no step can be split.
  ///
  /// Steps can be split in code that was compiled for it, see <doc:SplittingSteps>.
  public let preemptions: Int?

  /// The number of different schedules; beyond 65,536 an estimate, mostly within half a percent.
  ///
  /// Two schedules are different if an actor is entered by other tasks, or by the same ones in another order. How the steps
  /// on different actors interleave makes no difference, nor does what happens outside of actors, unless the body enters
  /// none: then the order of all its steps counts.
  public let distinctSchedules: Int

  /// Whether schedules were counted by the order in which actors are entered.
  package let entersActors: Bool

  /// Whether every order of the jobs was run that equal priorities allow, within the bound of the strategy.
  ///
  /// False if values were drawn or tasks were cancelled by the exploration: those can be otherwise, too, and are not
  /// enumerated. That time passes while a task is ready is, up to four times in an execution; false if there were more.
  /// With ``Explorer/Strategy/exhaustive(assuming:)`` it is for the assumption to hold that every order has an equal one
  /// that was run.
  public let isExhaustive: Bool

  /// The assumption under which `isExhaustive` is true.
  package let assumption: Explorer.Strategy.Assumption?

  /// The real time that the exploration took, shrinking included.
  public let duration: Duration

  /// The number of executions that were discarded because a generator's filter rejected every value it tried.
  public let discardedExecutions: Int

  /// The growth of the number of different schedules, and the probability of a new one.
  public let saturation: Saturation

  /// The reasons why the result proves less than its numbers suggest, such as a replay that met other choices; mostly empty.
  ///
  /// Each has what happened, the likely cause and what to do. `check`, `explore` and the traits record each as an issue
  /// of severity `warning`, which does not fail the test.
  public var warnings: [String] { diagnostics.map(\.text) }

  /// The same, each with where to record it.
  package var diagnostics: [ExplorationWarning]

  /// The first failure, shrunk; nil if no execution failed.
  public var failure: Failure? { failures.first }

  /// The failures in the order of their executions: one at most, or up to five different ones where the exploration goes on past
  /// known ones.
  public private(set) var failures: [Failure]

  /// Adds a remark to the report of the first failure.
  mutating func addRemark(_ remark: String) { failures[0].remarks.append(remark) }

  /// The known failures that it went on past.
  public let knownFailures: [KnownFailure]

  init(
    executions: Int = 0, steps: Int = 0, preemptions: Int? = nil, distinctSchedules: Int = 0,
    entersActors: Bool = false,
    isExhaustive: Bool = false, assumption: Explorer.Strategy.Assumption? = nil, duration: Duration = .zero,
    discardedExecutions: Int = 0, saturation: Saturation = Saturation(), failures: [Failure] = [],
    knownFailures: [KnownFailure] = [], diagnostics: [ExplorationWarning] = []
  ) {
    self.executions = executions
    self.steps = steps
    self.preemptions = preemptions
    self.distinctSchedules = distinctSchedules
    self.entersActors = entersActors
    self.isExhaustive = isExhaustive
    self.assumption = assumption
    self.duration = duration
    self.discardedExecutions = discardedExecutions
    self.saturation = saturation
    self.failures = failures.map { failure in
      var failure = failure
      failure.distinctSchedules = distinctSchedules
      return failure
    }
    self.knownFailures = knownFailures
    self.diagnostics = diagnostics
  }

  /// A failure that an exploration went on past.
  public struct KnownFailure: Sendable, Hashable {
    /// The token or the text by which it is known.
    public let name: String

    /// The number of executions that failed with it.
    public let executions: Int
  }

  /// One failed execution, and how to run it again.
  public struct Failure: Sendable {
    /// The number of the execution that failed first, counted from one.
    public let execution: Int

    /// The seed of the exploration, which finds that execution again.
    public let seed: UInt64

    /// The shrunk execution as a token for `.replay("…")`.
    public let schedule: String

    /// The diagnostics of the shrunk execution; never empty.
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

    /// The cost of shrinking, and whether its budget ended it.
    public let shrinking: Shrinking

    /// The number of scheduling decisions of the shrunk execution that deviate from FIFO order.
    public var deviations: Int { sequence.deviations }

    /// Whether the failure disappears when each task runs as far as it can before the next one does.
    package var needsInterleaving = true

    /// The relation of the failure to each of its deviations; empty where it is not known.
    package var explanation: [TriedDeviation] = []

    /// Remarks on how far the failure can be trusted, such as that a replay met other choices.
    package var remarks: [String] = []

    init(
      execution: Int, seed: UInt64, schedule: String, diagnostics: [Diagnostic], draws: [String] = [],
      cancellations: [String] = [], shrinking: Shrinking = Shrinking()
    ) {
      self.execution = execution
      self.seed = seed
      self.schedule = schedule
      self.diagnostics = diagnostics
      self.draws = draws
      self.cancellations = cancellations
      self.shrinking = shrinking
    }

    /// The cost of shrinking a failure.
    public struct Shrinking: Sendable, Hashable {
      /// The number of executions that were run to shrink the failing one.
      public let executions: Int

      /// Whether the budget of 2,000 executions or of 10 seconds ended the shrinking.
      public let didExhaustBudget: Bool

      init(executions: Int = 0, didExhaustBudget: Bool = false) {
        self.executions = executions
        self.didExhaustBudget = didExhaustBudget
      }
    }
  }
}
