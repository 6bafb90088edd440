// SPDX-License-Identifier: Apache-2.0

/// Counts the executions of an exploration and what they came to, whichever process ran them.
struct SearchTally {
  private(set) var executions = 0
  private var steps = 0
  private var preemptions: Int?
  private var discarded = 0
  private var entersActors = false
  private var saturation = Exploration.Saturation()
  private(set) var distinct = DistinctCounter()
  private(set) var lostControl = false
  private var health = HealthCheck()
  private var warnings = WarningTally()
  private var hasGoneFair = false
  // Whether the order of the jobs is all that an execution could differ in.
  private var isOrderAll = true
  private var known: [(name: String, count: Int)] = []

  /// The failures to report.
  private(set) var failed: [FailedExecution] = []

  /// Counts an execution.
  mutating func count(_ outcome: Simulation.Outcome, number: Int) {
    if outcome.isOutOfControl { lostControl = true }
    executions += 1
    steps += outcome.steps
    if let more = outcome.preemptions { preemptions = (preemptions ?? 0) + more }
    health.look(at: outcome, number: number, took: outcome.duration)
    distinct.insert(outcome.scheduleHash)
    if outcome.hasActors { entersActors = true }
    warnings.add(outcome.warnings)
    if outcome.hasGoneFair { hasGoneFair = true }
    if outcome.hasMoreThanOrder { isOrderAll = false }
    // At powers of two the curve is short, and long where it flattens.
    if executions & (executions - 1) == 0 {
      saturation.append(executions: executions, schedules: distinct.count)
    }
    if outcome.rejection != nil { discarded += 1 }
  }

  /// The diagnostic where nine in ten executions are discarded.
  func tooManyRejected(_ rejection: Diagnostic) -> Diagnostic? {
    health.tooManyRejected(discarded, of: executions, rejection)
  }

  /// Takes an execution that failed, and says whether there are enough of them.
  mutating func take(_ execution: FailedExecution, past known: KnownFailures?) -> Bool {
    guard let first = execution.diagnostics.first else { return false }
    if let name = known?.name(of: execution.diagnostics) {
      if let index = self.known.firstIndex(where: { $0.name == name }) {
        self.known[index].count += 1
      } else {
        self.known.append((name, 1))
      }
      return false
    }
    let isNew = !failed.contains { $0.diagnostics.first.map { first.isSameFailure(as: $0) } ?? false }
    if isNew { failed.append(execution) }
    return failed.count >= (known == nil ? 1 : KnownFailures.mostReported)
  }

  /// The result of the exploration.
  func result(
    of explorer: Explorer, failures: [Exploration.Failure], isExhausted: Bool,
    processWarnings: [ExplorationWarning], duration: Duration
  ) -> Exploration {
    let isExhaustive = failed.isEmpty && known.isEmpty && isExhausted && isOrderAll && !lostControl && !hasGoneFair
    var saturation = saturation
    saturation.append(executions: executions, schedules: distinct.count)
    var assumption: Explorer.Strategy.Assumption?
    if case .exhaustive(_, let assumed) = explorer.strategy.kind { assumption = assumed }
    return Exploration(
      executions: executions, steps: steps, preemptions: preemptions, distinctSchedules: distinct.count,
      entersActors: entersActors, isExhaustive: isExhaustive, assumption: assumption, duration: duration,
      discardedExecutions: discarded, saturation: saturation.estimating(unseen(explorer, isExhaustive)),
      failures: failures, knownFailures: known.map { .init(name: $0.name, executions: $0.count) },
      diagnostics: processWarnings + warnings.warnings(of: executions)
        + (failed.isEmpty ? health.warnings(discarded, of: executions, by: explorer) : [])
    )
  }

  /// The probability of a new schedule; unknown where executions are not drawn at random.
  private func unseen(_ explorer: Explorer, _ isExhaustive: Bool) -> Double? {
    if isExhaustive { return 0 }
    switch explorer.strategy.kind {
    case .fifo, .replay, .exhaustive, .guided, .parallel: return nil
    default: return executions < 2 ? nil : distinct.unseen
    }
  }
}
