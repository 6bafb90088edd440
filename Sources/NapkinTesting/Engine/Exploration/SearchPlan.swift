// SPDX-License-Identifier: Apache-2.0

extension SearchContext {
  /// The strategies and the number of executions of an exploration, after its parameters were checked.
  struct Plan {
    /// The strategies, an execution each in turn.
    let strategies: [SchedulingStrategy]

    /// How many executions to run at most.
    var executions: Int

    /// The token that is replayed, if this is a replay.
    var token: ReplayToken?

    var isReplay: Bool { token != nil }

    /// The strategy of an exhaustive search.
    var exhaustive: ExhaustiveStrategy? { strategies.first as? ExhaustiveStrategy }
  }

  /// Makes the plan.
  ///
  /// - Throws: The diagnostic for a parameter that no exploration could follow.
  func plan() throws(Diagnostic) -> Plan {
    try refuseNothingToRun()
    try refuseContradictions()
    let strategy: SchedulingStrategy
    switch explorer.strategy.kind {
    case .random: strategy = RandomStrategy()
    case .pct(let depth):
      if depth < 1 { throw misuse(of: "pct(depth: \(depth))", wants: "a depth of 1 or more; 3 finds most bugs.") }
      strategy = PCTStrategy(depth: depth)
    case .pos: strategy = POSStrategy()
    case .surw: strategy = SURWStrategy()
    case .guided: strategy = GuidedStrategy()
    case .exhaustive(let preemptions, let assumption):
      if let preemptions, preemptions < 0 {
        throw misuse(
          of: "exhaustive(preemptions: \(preemptions))",
          wants: "a bound that is not negative, or nil for no bound."
        )
      }
      strategy = ExhaustiveStrategy(preemptions: preemptions, skipsIndependent: assumption != nil)
    case .fifo, .parallel: strategy = FIFOStrategy()
    case .portfolio: return Plan(strategies: Self.portfolio, executions: share)
    case .replay(let text): return try replayPlan(text)
    }
    return Plan(strategies: [strategy], executions: share)
  }

  /// None finds everything that the others find: SURW and POS need the fewest executions for most bugs, and the guided strategy
  /// finds those that take four switches or more.
  private static var portfolio: [SchedulingStrategy] {
    let guided = GuidedStrategy()
    return [POSStrategy(), guided, SURWStrategy(), guided, RandomStrategy(), guided]
  }

  /// How many executions this machine runs: its share, or as many as the time allows.
  private var share: Int {
    if isWhole, shard.index > 0 { return 0 }
    return timeBudget == nil ? shard.share(of: explorer.executions) : .max
  }

  private func replayPlan(_ text: String) throws(Diagnostic) -> Plan {
    do throws(Diagnostic) {
      let token = try ReplayToken(text)
      let holdsBack = token.fingerprint & BuildFingerprint.countsArrivals == 0
      let options: SchedulingStrategy.Options = holdsBack ? [.watchesSteps, .holdsBack] : .watchesSteps
      return Plan(strategies: [ReplayStrategy(token.sequence, options)], executions: 1, token: token)
    } catch {
      var misuse = error
      misuse.summary = "Explorer.Strategy.replay(\"\(text)\"): \(misuse.summary)"
      throw misuse
    }
  }

  private func misuse(of strategy: String, wants: String) -> Diagnostic {
    Diagnostic(
      .misuse, "Explorer.Strategy.\(strategy) does not describe any schedule.",
      likelyCause: "the number was computed, or mistyped.", suggestion: "pass \(wants)")
  }

  private func refuseNothingToRun() throws(Diagnostic) {
    let (executions, steps, time, busyTime) = (explorer.executions, explorer.steps, explorer.time, explorer.busyTime)
    try refuse(
      executions <= 0,
      "\(api)(executions: \(executions)) was asked for \(executions == 0 ? "no" : "a negative number of") executions.",
      "pass a positive number of executions; 1_000 is what you get without one.")
    try refuse(
      steps <= 0, "\(api)(steps: \(steps)) allows no job to run.",
      "pass a positive number of steps; \(Explorer.standardSteps) is what you get without one.")
    try refuse(
      time.map { $0 <= .zero } ?? false, "\(api)(time: \(time ?? .zero)) leaves no time to run an execution.",
      "pass a positive time, such as .seconds(5), or none for no limit.")
    try refuse(
      busyTime.map { $0 < .zero } ?? false, "\(api)(busyTime: \(busyTime ?? .zero)) is less than no time.",
      "pass .zero, so that no time passes while a task is ready, a positive time, or nil for no limit.")
  }

  private func refuseContradictions() throws(Diagnostic) {
    let isParallel = explorer.strategy == .parallel
    // A search of all schedules keeps to one set of values, in which no task is cancelled.
    try refuse(
      explorer.cancels && (isParallel || explorer.strategy.isExhaustive),
      "\(api)(strategy: .\(explorer.strategy), cancels: true) cannot cancel tasks.",
      "leave out cancels:, or choose a strategy that cancels tasks at random, such as .portfolio.")
    try refuse(
      explorer.isolated && isParallel,
      "\(api)(strategy: .parallel, isolated: true) cannot run executions in processes of their own.",
      "leave out isolated:, or choose a strategy that controls the tasks, such as .portfolio.")
    try refuse(
      !explorer.ignored.isEmpty,
      "\(api)(strategy: .\(explorer.strategy)) ignores \(explorer.ignored.joined(separator: ", ")).",
      isParallel
        ? "leave out what it ignores, or choose a strategy that controls the tasks, such as .portfolio."
        : "leave out what it ignores: the token says all that the execution needs.")
  }

  private func refuse(
    _ isWrong: Bool, _ happened: @autoclosure () -> String, _ remedy: String
  ) throws(Diagnostic) {
    guard isWrong else { return }
    throw Diagnostic(
      .misuse, happened(), likelyCause: "the value was computed, mistyped, or copied from another exploration.",
      suggestion: remedy)
  }
}
