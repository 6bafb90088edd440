// SPDX-License-Identifier: Apache-2.0

/// What the executions of an exploration came to, whichever process ran them.
struct SearchTally {
  private(set) var exploration = Exploration()
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
    exploration.executions += 1
    exploration.steps += outcome.steps
    if let preemptions = outcome.preemptions { exploration.preemptions = (exploration.preemptions ?? 0) + preemptions }
    health.look(at: outcome, number: number, took: outcome.duration)
    distinct.insert(outcome.scheduleHash)
    if outcome.hasActors { exploration.entersActors = true }
    warnings.add(outcome.warnings)
    if outcome.hasGoneFair { hasGoneFair = true }
    if outcome.hasMoreThanOrder { isOrderAll = false }
    // At powers of two the curve is short, and long where it flattens.
    if exploration.executions & (exploration.executions - 1) == 0 {
      exploration.saturation.append(executions: exploration.executions, schedules: distinct.count)
    }
    if outcome.rejection != nil { exploration.discardedExecutions += 1 }
  }

  /// Nine in ten executions are discarded.
  func tooManyRejected(_ rejection: Diagnostic) -> Diagnostic? { health.tooManyRejected(exploration, rejection) }

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

  /// The whole result, but for the failures.
  mutating func result(of explorer: Explorer, isExhausted: Bool, _ processWarnings: [ExplorationWarning]) -> Exploration
  {
    exploration.distinctSchedules = distinct.count
    exploration.saturation.append(executions: exploration.executions, schedules: distinct.count)
    exploration.isExhaustive =
      failed.isEmpty && known.isEmpty && isExhausted && isOrderAll && !lostControl && !hasGoneFair
    if case .exhaustive(_, let assumption) = explorer.strategy.kind { exploration.assumption = assumption }
    exploration.saturation.estimatedUnseenProbability = unseen(explorer)
    exploration.knownFailures = known.map { .init(name: $0.name, executions: $0.count) }
    exploration.diagnostics = processWarnings + warnings.warnings(of: exploration.executions)
    if failed.isEmpty { exploration.diagnostics += health.warnings(exploration, of: explorer) }
    return exploration
  }

  /// What is likely to be left; nothing is known of it where executions are not drawn at random.
  private func unseen(_ explorer: Explorer) -> Double? {
    if exploration.isExhaustive { return 0 }
    switch explorer.strategy.kind {
    case .fifo, .replay, .exhaustive, .guided, .parallel: return nil
    default: return exploration.executions < 2 ? nil : distinct.unseen
    }
  }
}
