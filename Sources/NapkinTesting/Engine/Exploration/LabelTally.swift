// SPDX-License-Identifier: Apache-2.0

/// Counts the labels of an exploration's executions, and compares them with its goals.
package struct LabelTally: Sendable {
  /// How many executions have each label; 0 for a goal that none met.
  package private(set) var counts: [String: Int] = [:]
  package private(set) var goals: [Goal] = []
  /// How often each action of a fuzzer was drawn and skipped.
  package private(set) var actions = ActionCounts()
  private var executions = 0

  package init() {}

  package mutating func add(_ labels: ExecutionLabels) {
    executions += 1
    actions.add(labels.actions)
    for name in labels.names { counts[name, default: 0] += 1 }
    for goal in labels.goals where !goals.contains(goal) {
      goals.append(goal)
      counts[goal.name, default: 0] += 0
    }
  }

  /// The diagnostics of the goals that were missed, in the order in which executions came by them.
  package var diagnostics: [Diagnostic] {
    goals.compactMap { $0.diagnostic(metIn: counts[$0.name] ?? 0, of: executions) }
  }
}

extension SearchContext {
  /// The failures of an exploration that missed goals; none where the executions are not all that it has.
  func missedGoals(of tally: LabelTally) -> [Exploration.Failure] {
    guard decidesGoals, shard.count == 1 else { return [] }
    return tally.diagnostics.map(failure)
  }

  /// A failure of the exploration as a whole, and of no execution.
  func failure(of diagnostic: Diagnostic) -> Exploration.Failure {
    Exploration.Failure(execution: 0, seed: explorer.seed, schedule: "", diagnostics: [diagnostic])
  }

  /// The warnings of a machine whose share of the executions misses goals: those of the others may meet them.
  func goalsLeftOpen(by tally: LabelTally) -> [Diagnostic] {
    guard decidesGoals, shard.count > 1 else { return [] }
    return tally.diagnostics.map { missed in
      var warning = missed
      warning.kind = .warning
      warning.likelyCause = "this is one of \(shard.count) shards, and the others have the rest of the executions."
      warning.suggestion = "run the test with NAPKIN_SHARD=0/1: one process runs and counts all of its executions."
      return warning
    }
  }

  /// A replay, and the one execution of a simulated test, say nothing of how often a condition holds.
  private var decidesGoals: Bool {
    explorer.strategy.token == nil && !(explorer.executions == 1 && explorer.strategy == .fifo)
  }
}

extension Goal {
  /// The diagnostic of an exploration that misses the goal; nil if these counts meet it.
  func diagnostic(metIn count: Int, of executions: Int) -> Diagnostic? {
    guard executions > 0, count == 0 || Double(count) < share * Double(executions) else { return nil }
    let asked = share > 0 ? ", and \(Exploration.percent(share)) were asked for" : ""
    let seen =
      count == 0
      ? "Never true in \(executions.grouped) \(executions == 1 ? "execution" : "executions")\(asked)"
      : "True in \(count.grouped) of \(executions.grouped) executions, "
        + "which is \(Exploration.percent(Double(count) / Double(executions)))\(asked)"
    var diagnostic = Diagnostic(
      .unmetGoal, "\(seen): Execution.sometimes(\"\(name)\").",
      likelyCause: "no schedule that ran, and no value that was drawn, leads there; or the condition is wrong.",
      suggestion: """
        draw what leads there, let a fake answer in any order, or run more executions; .guided goes back to \
        executions that come near.
        """,
      at: sourceLocation)
    diagnostic.subject = .goal(name)
    return diagnostic
  }
}
