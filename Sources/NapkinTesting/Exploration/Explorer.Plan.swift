// SPDX-License-Identifier: Apache-2.0

extension Explorer {
  /// The strategy and the number of executions of an explorer, after its parameters were checked.
  struct Plan {
    let strategy: SchedulingStrategy

    /// How many executions to run at most.
    var executions: Int

    /// The choices that a replay starts with.
    var script = ChoiceSequence()

    /// The token that is replayed, if this is a replay.
    var token: ReplayToken?

    var isReplay: Bool { token != nil }
  }

  func plan() -> Result<Plan, Diagnostic> {
    if executions <= 0 {
      return misuse(
        "Explorer(executions: \(executions)) was asked for \(executions == 0 ? "no" : "a negative number of") executions.",
        cause: "the number was computed, or a digit is missing.",
        remedy: "pass a positive number of executions; 1_000 is what you get without one."
      )
    }
    if steps <= 0 {
      return misuse(
        "Explorer(steps: \(steps)) allows no job to run.",
        cause: "the number was computed, or a digit is missing.",
        remedy: "pass a positive number of steps; \(Self.standardSteps) is what you get without one."
      )
    }
    if let time, time <= .zero {
      return misuse(
        "Explorer(time: \(time)) leaves no time to run an execution.",
        cause: "the time was computed, or mistyped.",
        remedy: "pass a positive time, such as .seconds(5), or none for no limit."
      )
    }
    if cancels, self.strategy == .parallel {
      return misuse(
        "Explorer(strategy: .parallel, cancels: true) cannot cancel tasks.",
        cause: "the parameters were copied from another exploration.",
        remedy: "leave out cancels:, or choose a strategy that controls the tasks, such as .portfolio."
      )
    }
    let strategy: SchedulingStrategy
    switch self.strategy.kind {
    case .random: strategy = RandomStrategy()
    case .sticky: strategy = StickyRandomStrategy()
    case .pct(let depth):
      if depth < 1 { return misuse(of: "pct(depth: \(depth))", wants: "a depth of 1 or more; 3 finds most bugs.") }
      strategy = PCTStrategy(depth: depth)
    case .pos: strategy = POSStrategy()
    case .surw: strategy = SURWStrategy()
    case .uniform: strategy = UniformStrategy()
    case .guided: strategy = GuidedStrategy()
    case .delayBounded(let delays):
      if delays < 0 { return misuse(of: "delayBounded(\(delays))", wants: "a number of delays that is not negative.") }
      strategy = DelayBoundedStrategy(delays: delays)
    case .exhaustive(let preemptions, let assumption):
      if let preemptions, preemptions < 0 {
        return misuse(
          of: "exhaustive(preemptions: \(preemptions))",
          wants: "a bound that is not negative, or nil for no bound."
        )
      }
      strategy = ExhaustiveStrategy(preemptions: preemptions, skipsIndependent: assumption != nil)
    case .fifo: strategy = FIFOStrategy()
    case .portfolio, .parallel:
      strategy = PortfolioStrategy.standard()
    case .replay(let text): return replayPlan(text)
    }
    return .success(Plan(strategy: strategy, executions: share))
  }

  /// How many executions this machine runs: its share, or as many as the time allows.
  private var share: Int {
    if timeBudget != nil { return .max }
    // Which schedule comes next is known only to the process that ran the one before.
    if case .exhaustive = strategy.kind { return executions }
    return executions / shard.count + (shard.index < executions % shard.count ? 1 : 0)
  }

  private func replayPlan(_ text: String) -> Result<Plan, Diagnostic> {
    do throws(ReplayToken.Problem) {
      let token = try ReplayToken(text)
      let holdsBack = token.fingerprint & BuildFingerprint.countsArrivals == 0
      let replay = ReplayStrategy(token.sequence.schedule, holdsBack: holdsBack)
      return .success(
        Plan(strategy: replay, executions: 1, script: token.sequence, token: token)
      )
    } catch {
      var misuse = error.diagnostic
      misuse.summary = "Explorer.Strategy.replay(\"\(text)\"): \(misuse.summary)"
      return .failure(misuse)
    }
  }

  private func misuse(of strategy: String, wants: String) -> Result<Plan, Diagnostic> {
    misuse(
      "Explorer.Strategy.\(strategy) does not describe any schedule.",
      cause: "the number was computed, or mistyped.",
      remedy: "pass \(wants)"
    )
  }

  private func misuse(_ happened: String, cause: String, remedy: String) -> Result<Plan, Diagnostic> {
    .failure(Diagnostic(.misuse, happened, likelyCause: cause, suggestion: remedy))
  }
}

extension Explorer.Plan {
  /// A warning if a replayed execution was not quite the recorded one, by the number of choices that it met.
  ///
  /// A rank or a number that was out of reach counts, too: there were fewer tasks ready, or less to choose from.
  func divergence(met: Int, outOfReach: Int) -> ExplorationWarning? {
    guard let token, token.count != met || outOfReach > 0 else { return nil }
    let happened =
      token.count != met
      ? "the replay met \(met) choices and the recorded execution \(token.count)"
      : "\(outOfReach) of the \(met) recorded choices were out of reach in the replay"
    let isSameBuild = token.fingerprint & ~BuildFingerprint.countsArrivals == BuildFingerprint.current
    return ExplorationWarning(
      "divergence", kind: .divergence,
      "Divergence: \(happened), so it was another execution. A pass says nothing of the recorded failure.",
      likelyCause: isSameBuild
        ? "the build is the one that recorded it, so the body depends on something besides its choices."
        : """
        it was recorded with another build: debug and release builds differ in their scheduling points, and so does \
        changed code.
        """,
      suggestion: "explore the test again without the token; if it fails, pin the token of that failure.")
  }
}

extension Exploration {
  /// The result of an exploration that could not begin.
  static func failed(_ diagnostic: Diagnostic, seed: UInt64) -> Exploration {
    Exploration(failures: [Failure(execution: 0, seed: seed, schedule: "", diagnostics: [diagnostic])])
  }
}
