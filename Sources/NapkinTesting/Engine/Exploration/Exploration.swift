// SPDX-License-Identifier: Apache-2.0

package import Testing

/// The result of running one body under many interleavings.
public struct Exploration: Sendable {
  /// The number of executions, without those of shrinking.
  public internal(set) var executions = 0

  /// The number of jobs that ran in them, each from one suspension to the next.
  public internal(set) var steps = 0

  /// The number of calls of the concurrency runtime at which steps were stopped, see <doc:WhatAPassProves>; nil where none could be.
  ///
  /// In code that was compiled for it, the number of accesses to memory or locks at which tasks were preempted within a step, see
  /// <doc:SplittingSteps>.
  public internal(set) var preemptions: Int?

  /// The number of different schedules; beyond 65,536 an estimate, mostly within half a percent.
  ///
  /// Two schedules are different if an actor is entered by other tasks, or by the same ones in another order. How the steps
  /// on different actors interleave makes no difference, nor does the order of steps outside of actors, unless the body
  /// enters none: then the order of all its steps counts.
  public internal(set) var distinctSchedules = 0

  /// Whether schedules were counted by the order in which actors are entered.
  package internal(set) var entersActors = false

  /// Whether every order of whole steps was run that equal priorities allow, within the bound of the strategy.
  ///
  /// A step goes from one suspension to the next. On threads a task that a step creates, resumes or cancels may go on before the
  /// rest of that step: such an order is not among these.
  /// False if values were drawn or tasks were cancelled by the exploration: those can be otherwise, too, and are not
  /// enumerated. That time passes while a task is ready is, within the busy time and up to four times in an execution;
  /// false if there were more. With ``Explorer/Strategy/exhaustive(assuming:)`` it is for the assumption to hold that every order has an equal one
  /// that was run.
  public internal(set) var isExhaustive = false

  /// The assumption under which `isExhaustive` is true.
  package internal(set) var assumption: Explorer.Strategy.Assumption?

  /// The real time that the exploration took, shrinking included.
  public internal(set) var duration = Duration.zero

  /// The number of executions that were discarded because a generator's filter rejected every value it tried.
  ///
  /// It is a failure where all were, or nine in ten of a hundred or more, and a warning where half of them were.
  public internal(set) var discardedExecutions = 0

  /// The growth of the number of different schedules, and the probability of a new one.
  public internal(set) var saturation = Saturation()

  /// The number of executions with each label, by ``Execution/label(_:sourceLocation:)``, by the actions of a fuzzer and by
  /// ``Execution/sometimes(_:_:atLeast:sourceLocation:)``; 0 for a condition that never held.
  public var labels: [String: Int] { tally.counts }

  /// The same, with the goals that executions came by.
  package internal(set) var tally = LabelTally()

  /// The types of actors that answered several tasks, and whether they ever did out of order.
  var answers = AnswerTally()

  /// The types of actors that always answered in the order of the calls, where hardly any schedule is left to be seen.
  ///
  /// Only those of the test's own module: that is where fakes are, and an actor of the app answers as it does for its users.
  package func alwaysInOrder(inModule module: String) -> [String] {
    let unseen = executions < Self.leastSaturated ? 1 : saturation.estimatedUnseenProbability ?? 1
    guard failure == nil, isExhaustive || unseen < Self.leastUnseen else { return [] }
    return answers.alwaysInOrder.filter { $0.hasPrefix("\(module).") }.map { String($0.dropFirst(module.count + 1)) }
  }

  /// The calls of stand-ins in the test's module that suspended in no execution, each with the place where it is awaited.
  package func answeredAtOnce(inModule module: String) -> [(standIn: StandIn, place: SourcePlace?)] {
    guard failure == nil else { return [] }
    return answers.awaits.values.sorted { $0.resumption < $1.resumption }.compactMap(Symbolicator.standIn)
      .filter { $0.standIn.module == module }
  }

  /// The share of further executions that would be new from which on a test is called little explored.
  package static let leastUnseen = 0.01

  // The executions from which on that share is worth believing that hardly any schedule is left.
  private static let leastSaturated = 100

  /// The reasons why the result proves less than its numbers suggest, such as a replay that met other choices; mostly empty.
  ///
  /// Each has a summary, the likely cause and a suggestion. `check`, `explore` and the traits record each as an issue
  /// of severity `warning`, which does not fail the test.
  public var warnings: [String] { diagnostics.map(\.description) }

  /// The same, each with where to record it.
  package var diagnostics: [Diagnostic] = []

  /// The first failure, shrunk; nil if no execution failed.
  public var failure: Failure? { failures.first }

  /// The failures in the order in which they were found: one of an execution at most.
  public internal(set) var failures: [Failure] = []

  /// The issues that the body expects, by `withKnownIssue`, and that came.
  package var knownIssues: [Diagnostic] = []

  /// The result of an exploration that could not begin.
  package static func failed(_ diagnostic: Diagnostic, seed: UInt64) -> Exploration {
    Exploration(failures: [Failure(execution: 0, seed: seed, schedule: "", diagnostics: [diagnostic])])
  }

  /// One failed execution, and how to run it again.
  public struct Failure: Sendable {
    /// The number of the execution that failed first, counted from one; 0 where the exploration failed as a whole.
    public internal(set) var execution: Int

    /// The seed of the exploration, which finds that execution again.
    public internal(set) var seed: UInt64

    /// The shrunk execution as a token for `.replay("…")`.
    public let schedule: String

    /// The diagnostics of the shrunk execution; never empty.
    public let diagnostics: [Diagnostic]

    /// The values that the shrunk execution drew, in order, such as `amount = 3`.
    public let draws: [String]

    /// The tasks that the exploration cancelled in the shrunk execution, each with the step, such as `saving, after step 4`.
    ///
    /// A cancellation by the code under test is in the timeline.
    public let cancellations: [String]

    /// The texts of the diagnostics, then of the cancellations and of the drawn values.
    public var messages: [String] {
      diagnostics.map(\.description) + cancellations.map { "Cancelled: \($0)" } + draws.map { "Drawn: \($0)" }
    }

    /// The line of the first diagnostic that has one.
    package var sourceLocation: SourceLocation? { diagnostics.lazy.compactMap(\.sourceLocation).first }

    /// How many different schedules the exploration came to.
    package var distinctSchedules = 1

    /// The number of drawn values, by name, in place of which another one was seen to pass.
    package var neededDraws = 0

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

    /// Whether it passes where no task of the code under test cancels another one.
    package var needsCancelling = false

    /// The two steps whose order the failure depends on; nil where nothing near it passes, or that was not looked for.
    ///
    /// It is found anew where a token is replayed. A hang has none, nor an execution of more than 1,000 steps.
    public internal(set) var decisivePair: DecisivePair?

    /// The relation of the failure to each of its deviations; empty where it is not known.
    package var explanation: [TriedDeviation] = []

    /// The reason why the failure depends on more than the choices of the execution; nil where it does not.
    package var doubt: Diagnostic?

    /// Remarks on how far the failure can be trusted, such as that a replay met other choices.
    package var remarks: [String] = []

    /// The warnings among the remarks, which need no issue of their own.
    package var shownWarnings: [Diagnostic] = []

    package init(
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

      package init(executions: Int = 0, didExhaustBudget: Bool = false) {
        self.executions = executions
        self.didExhaustBudget = didExhaustBudget
      }
    }
  }
}

extension Exploration {
  /// The number of different schedules by the number of executions: a curve that flattens when few are left.
  public struct Saturation: Sendable, Equatable {
    /// A point of the curve.
    package struct Point: Sendable, Equatable {
      /// The number of executions.
      package let executions: Int

      /// The number of different schedules that they had; beyond 65,536 an estimate.
      package let schedules: Int
    }

    /// The curve after 1, 2, 4, 8, … executions, and after the last.
    package private(set) var curve: [Point] = []

    /// The probability that one more execution has a schedule that none had before, as far as that can be estimated.
    ///
    /// It is the Good–Turing estimate: the share of the executions whose schedule no other execution has. It takes each execution
    /// as drawn by itself, which random strategies do, PCT and SURW nearly, and a portfolio for each of its strategies
    /// apart. It is 0 if every schedule was run, and nil where executions are not drawn, or there are fewer than two.
    public internal(set) var estimatedUnseenProbability: Double?

    mutating func append(executions: Int, schedules: Int) {
      guard executions > 0, curve.last?.executions != executions else { return }
      curve.append(Point(executions: executions, schedules: schedules))
    }
  }
}

extension Exploration.Saturation {
  /// The curve as a line of blocks, one for each doubling: how many of its executions had a new schedule.
  var sparkline: String {
    let blocks = Array("▁▂▃▄▅▆▇█")
    var line = ""
    var before = Point(executions: 0, schedules: 0)
    for point in curve {
      let executions = point.executions - before.executions
      // An estimate may go back a little.
      let fresh = min(max(0, point.schedules - before.schedules), executions)
      line.append(blocks[fresh * (blocks.count - 1) / max(1, executions)])
      before = point
    }
    return line
  }
}

extension Exploration: CustomStringConvertible {
  /// The result as a table: the executions, the schedules, the saturation and the warnings.
  public var description: String {
    var rows = [
      ("result", result),
      ("executions", executions.grouped + Self.discarded(discardedExecutions)),
      ("steps", steps.grouped + (preemptions.map(Self.stopped) ?? "")),
      (
        "schedules",
        "\(distinctSchedules.grouped) different \(countedBy)" + claimOfAll
      ),
    ]
    if saturation.curve.count > 1 {
      rows.append(("new ones", saturation.sparkline + "  share of new schedules in executions " + steppedRanges))
    }
    if let unseen = saturation.estimatedUnseenProbability, !isExhaustive {
      rows.append(("saturation", "about \(Self.percent(unseen)) of further executions would be new (Good–Turing)"))
    }
    for (name, count) in labels.sorted(by: { $0.key < $1.key }) {
      let share = executions > 0 ? Double(count) / Double(executions) : 0
      rows.append(("label", "\(name): \(count.grouped) executions, \(Self.percent(share))"))
    }
    rows.append(("time", duration.rounded))
    rows += warnings.map { ("warning", $0) }
    let width = rows.map(\.0.count).max() ?? 0
    let indentation = "\n" + String(repeating: " ", count: width + 2)
    return rows.map { name, value in
      name + String(repeating: " ", count: width - name.count + 2)
        + value.split(separator: "\n").joined(separator: indentation)
    }.joined(separator: "\n")
  }

  /// The criterion by which schedules were counted.
  package var countedBy: String { entersActors ? "by each actor's order" : "by the order of steps" }

  /// The claim that these are all schedules; empty if they are not.
  package var claimOfAll: String {
    guard isExhaustive else { return "" }
    switch assumption {
    case nil: return ", which are all there are of whole steps"
    case .tasksShareOnlyActors: return ", which are all there are of whole steps if tasks share only actors"
    }
  }

  private var result: String {
    guard let failure else { return "no failure" }
    if failure.execution > 0 { return "execution \(failure.execution.grouped) failed" }
    if executions == 0 { return "could not begin" }
    return failure.diagnostics.first?.kind == .rejection
      ? "no execution is left that was not discarded" : "no execution failed, and the executions missed a goal"
  }

  /// The ranges of executions that the blocks of the curve stand for.
  private var steppedRanges: String {
    let ends = saturation.curve.map(\.executions)
    let shown =
      ends.count > 4 ? ends.prefix(3).map(\.grouped) + ["…", ends[ends.count - 1].grouped] : ends.map(\.grouped)
    return "up to " + shown.joined(separator: ", ")
  }

  /// How many of the executions were discarded, as the rest of a phrase; empty where none was.
  package static func discarded(_ number: Int) -> String {
    number == 0 ? "" : ", of which \(number.grouped) \(number == 1 ? "was" : "were") discarded"
  }

  /// A number of accesses, in words.
  private static func stopped(_ number: Int) -> String {
    if Instrumentation.splitsSteps { return ", split at \(accesses(number))" }
    return ", stopped at \(number.grouped) \(number == 1 ? "call" : "calls")"
  }

  package static func accesses(_ number: Int) -> String {
    "\(number.grouped) \(number == 1 ? "access" : "accesses")"
  }

  /// A share of one in per cent, with tenths below ten.
  package static func percent(_ share: Double) -> String {
    let tenths = Int((share * 1_000).rounded())
    if tenths == 0 { return share == 0 ? "0 %" : "less than 0.1 %" }
    return tenths % 10 == 0 || tenths >= 100 ? "\((tenths + 5) / 10) %" : "\(tenths / 10).\(tenths % 10) %"
  }
}

extension Duration {
  /// Milliseconds, tenths of a second, or minutes, as a reader takes it in.
  var rounded: String {
    let milliseconds = components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    if milliseconds < 1_000 { return "\(milliseconds) ms" }
    let seconds = milliseconds / 1_000
    let tenths = milliseconds % 1_000 / 100
    if seconds < 60 { return tenths == 0 ? "\(seconds) s" : "\(seconds).\(tenths) s" }
    return "\(Int(seconds / 60).grouped) min \(seconds % 60) s"
  }
}
