// SPDX-License-Identifier: Apache-2.0

/// One exploration from its first execution to the shrunk failure.
///
/// It works in slices on the main actor, and lets go of it in between, so that other tests get on.
@MainActor
final class ExplorationRun {
  private let explorer: Explorer
  private let body: @Sendable () async throws -> Void
  private let simulation: Simulation
  private let capture: IssueCapture
  @exclusivity(unchecked) private var plan = Explorer.Plan(strategy: FIFOStrategy(), executions: 0)
  private let stopwatch = Stopwatch()
  private lazy var progress = ProgressLine(
    executions: explorer.timeBudget == nil ? plan.executions : nil, budget: explorer.timeBudget)
  @exclusivity(unchecked) private var exploration = Exploration()
  @exclusivity(unchecked) private var distinct = DistinctCounter()
  @exclusivity(unchecked) private var health = HealthCheck()
  @exclusivity(unchecked) private var warnings = WarningTally()
  @exclusivity(unchecked) private var divergence: ExplorationWarning?
  @exclusivity(unchecked) private var hasGoneFair = false

  // Whether the execution that has begun waits for another thread, and whether any has had to.
  @exclusivity(unchecked) private var isWaiting = false
  @exclusivity(unchecked) private var lostControl = false
  // Whether the order of the jobs is all that an execution could differ in.
  @exclusivity(unchecked) private var isOrderAll = true

  // After so many jobs, or so many executions, the main actor is let go of. On a busy machine, in a debug build and with
  // every monitor on, a job takes tens of microseconds, and what waits for the main actor waits for each exploration.
  private static let sliceSteps = 2_000
  private static let sliceExecutions = 500

  nonisolated init(_ explorer: Explorer, _ body: @escaping @Sendable () async throws -> Void) {
    self.explorer = explorer
    self.body = body
    capture = IssueCapture()
    simulation = Simulation(
      explorer, capture: capture, limits: Simulation.Limits(steps: explorer.steps), body: body)
  }

  nonisolated func run() async -> Exploration {
    if let misuse = await prepare() { return .failed(misuse, seed: explorer.seed) }
    if explorer.strategy == .parallel { return await ParallelRun(explorer: explorer, body: body).run() }
    await capture.around {
      if let failed = await self.search() { await self.tell(failed) }
    }
    return await finish()
  }

  /// Makes the plan, or says why there can be none.
  private func prepare() -> Diagnostic? {
    switch explorer.plan() {
    case .success(let plan):
      self.plan = plan
      simulation.isSingle = plan.executions == 1
      if explorer.strategy == .parallel { return nil }
      SelfTest.run()
      return SelfTest.loss
    case .failure(let misuse):
      return misuse
    }
  }

  /// Runs executions until one fails or there are enough.
  private nonisolated func search() async -> Failed? {
    while true {
      switch await slice() {
      case .failed(let failed):
        await progress.failed(execution: failed.execution)
        return failed
      case .done: return nil
      case .sliceIsOver: await tellProgress()
      case .waits: await simulation.waitForOutside()
      }
    }
  }

  private func tellProgress() {
    progress.tell(
      executions: exploration.executions, schedules: distinct.count, elapsed: stopwatch.elapsed)
  }

  /// An execution that failed, before it is shrunk.
  private struct Failed: Sendable {
    var execution: Int
    var diagnostics: [Diagnostic]
    var sequence: ChoiceSequence
  }

  private enum Progress: Sendable {
    case failed(Failed)
    case done, sliceIsOver
    /// The execution that has begun waits for another thread.
    case waits
  }

  private func slice() -> Progress {
    let start = (steps: exploration.steps, executions: exploration.executions)
    if let budget = explorer.timeBudget ?? explorer.time, exploration.executions > 0, !isWaiting,
      stopwatch.elapsed >= budget
    {
      return .done
    }
    var last = stopwatch.elapsed
    while exploration.executions < plan.executions {
      // Every shard takes its own turns of the one long row of executions that the seed stands for.
      let number = exploration.executions * explorer.shard.count + explorer.shard.index
      let attempt: Simulation.Outcome?
      if isWaiting {
        attempt = simulation.proceed()
      } else {
        var random = SplitMix64(seed: explorer.seed, index: UInt64(number))
        guard plan.strategy.begin(seed: random.split()) else { return .done }
        let tape = ChoiceTape(replaying: plan.script, then: plan.isReplay ? .zeros : .random(random.split()))
        attempt = simulation.execute(under: plan.strategy, drawingFrom: tape, number: number + 1)
      }
      isWaiting = attempt == nil
      guard let outcome = attempt else { return .waits }
      if outcome.isOutOfControl { lostControl = true }
      exploration.executions += 1
      exploration.steps += outcome.steps
      let now = stopwatch.elapsed
      health.look(at: outcome, number: number + 1, took: now - last)
      last = now
      distinct.insert(outcome.scheduleHash)
      warnings.add(outcome.warnings)
      if outcome.hasGoneFair { hasGoneFair = true }
      if plan.isReplay { lookForDivergence(outcome) }
      if outcome.hasMoreThanOrder { isOrderAll = false }
      // At powers of two the curve is short, and long where it flattens.
      if exploration.executions & (exploration.executions - 1) == 0 {
        exploration.saturation.append(executions: exploration.executions, schedules: distinct.count)
      }
      if let rejection = outcome.rejection {
        exploration.rejected += 1
        if let diagnostic = health.tooManyRejected(exploration, rejection) {
          return .failed(
            Failed(execution: number + 1, diagnostics: [diagnostic], sequence: outcome.sequence ?? .init()))
        }
        continue
      }
      if let sequence = outcome.sequence {
        return .failed(
          Failed(execution: number + 1, diagnostics: outcome.diagnostics, sequence: sequence)
        )
      }
      if exploration.steps - start.steps >= Self.sliceSteps { return .sliceIsOver }
      if exploration.executions - start.executions >= Self.sliceExecutions { return .sliceIsOver }
    }
    return .done
  }

  private func lookForDivergence(_ outcome: Simulation.Outcome) {
    let outOfReach = outcome.outOfReach + ((plan.strategy as? ReplayStrategy)?.clamped ?? 0)
    divergence = plan.divergence(met: outcome.met, outOfReach: outOfReach)
  }

  /// Makes a failure small, runs it once more with everything written down, and puts it into the result.
  private nonisolated func tell(_ failed: Failed) async {
    var smallest = await inTheOrderOfReplays(failed.sequence)
    var cost = Exploration.Failure.Shrinking()
    if explorer.shrinks, let first = failed.diagnostics.first, first.kind != .rejection {
      let shrunk = await shrink(smallest, first)
      smallest = shrunk.sequence
      cost = .init(executions: shrunk.executions, isBudgetSpent: shrunk.isBudgetSpent)
    }
    let told = await replay(smallest, isLogged: true)
    var needsInterleaving = true
    if smallest.deviations == 0, let first = told.diagnostics.first, !first.isEndless {
      let unswitched = await execute(RunToCompletionStrategy(), smallest, isLogged: false)
      needsInterleaving = !unswitched.diagnostics.contains { $0.isSameFailure(as: first) }
    }
    await conclude(failed, smallest, told, cost)
    await explain(needsInterleaving: needsInterleaving)
  }

  /// Makes an execution that fails with a diagnostic as small as the budgets allow.
  ///
  /// Whether something goes on for ever costs the most jobs that an execution may have, so it is decided with fewer here,
  /// and with all of them once, in the end: a candidate that ends then after all is none.
  private nonisolated func shrink(_ failing: ChoiceSequence, _ failure: Diagnostic) async -> Shrunk {
    let isEndless = failure.isEndless
    let shrinker = Shrinker(
      seed: explorer.seed, budget: isEndless ? Self.endlessBudget : Self.budget, timeBudget: explorer.shrinkingTime)
    let mostSteps = isEndless ? Simulation.stepsOfCheapLivelock : Int.max
    var shrunk = await shrinker.shrink(failing) { candidate in
      let outcome = await self.replay(candidate, isLogged: false, mostSteps: mostSteps)
      return ShrinkOutcome(
        stillFails: outcome.rejection == nil && outcome.diagnostics.contains { $0.isSameFailure(as: failure) },
        consumed: outcome.sequence ?? candidate, duration: outcome.duration)
    }
    if isEndless {
      let outcome = await replay(shrunk.sequence, isLogged: false)
      shrunk.executions += 1
      let isSmallest = outcome.diagnostics.contains { $0.isSameFailure(as: failure) }
      shrunk.sequence = isSmallest ? outcome.sequence ?? shrunk.sequence : failing
    }
    return shrunk
  }

  // The most executions to shrink with.
  private nonisolated static let budget = 2_000
  private nonisolated static let endlessBudget = 100

  /// The same choices, with ranks as a replay counts them.
  private func inTheOrderOfReplays(_ sequence: ChoiceSequence) async -> ChoiceSequence {
    if plan.strategy.holdsBack { return sequence }
    return await execute(TranslationStrategy(sequence.schedule), sequence, isLogged: false).sequence ?? sequence
  }

  private func replay(_ sequence: ChoiceSequence, isLogged: Bool, mostSteps: Int = .max) async -> Simulation.Outcome {
    await execute(ReplayStrategy(sequence.schedule), sequence, isLogged: isLogged, mostSteps: mostSteps)
  }

  private func execute(
    _ strategy: SchedulingStrategy,
    _ sequence: ChoiceSequence,
    isLogged: Bool,
    mostSteps: Int = .max
  ) async -> Simulation.Outcome {
    var outcome = simulation.execute(
      under: strategy,
      drawingFrom: ChoiceTape(replaying: sequence),
      number: exploration.executions,
      isLogged: isLogged,
      mostSteps: mostSteps
    )
    while true {
      if let outcome { return outcome }
      await simulation.waitForOutside()
      outcome = simulation.proceed()
    }
  }

  private func conclude(
    _ failed: Failed,
    _ sequence: ChoiceSequence,
    _ told: Simulation.Outcome,
    _ shrinking: Exploration.Failure.Shrinking
  ) {
    var remarks = processWarnings.map(\.text)
    let diagnostics = told.diagnostics.isEmpty ? failed.diagnostics : told.diagnostics
    if told.diagnostics.isEmpty, failed.diagnostics.first?.kind != .rejection { remarks.append(Remark.notReproduced) }
    if lostControl { remarks.append(Remark.isOutOfControl) }
    remarks += told.warnings.map(\.text).filter { !remarks.contains($0) }
    if told.early != 0 { remarks.append(Remark.timePassedEarly(told.early)) }
    let consumed = told.sequence ?? sequence
    var failure = Exploration.Failure(
      execution: failed.execution,
      seed: explorer.seed,
      schedule: ReplayToken(consumed, fingerprint: BuildFingerprint.current).text,
      diagnostics: diagnostics,
      draws: told.drawn,
      cancellations: told.cancelled
    )
    failure.sequence = consumed
    failure.log = told.log ?? EventLog()
    failure.shrinking = shrinking
    failure.remarks = remarks
    exploration.failure = failure
  }

  private func explain(needsInterleaving: Bool) { exploration.failure?.needsInterleaving = needsInterleaving }

  private func finish() -> Exploration {
    progress.end()
    exploration.distinctSchedules = distinct.count
    exploration.saturation.append(executions: exploration.executions, schedules: distinct.count)
    exploration.isExhaustive =
      exploration.failure == nil && plan.strategy.isExhausted && isOrderAll && !lostControl && !hasGoneFair
    exploration.saturation.unseen = unseen
    exploration.diagnostics =
      processWarnings + warnings.warnings(of: exploration.executions) + health.warnings(exploration, of: explorer)
    exploration.duration = stopwatch.elapsed
    return exploration
  }
}

extension ExplorationRun {
  /// What is odd about the replay, and about this process.
  private var processWarnings: [ExplorationWarning] {
    [divergence].compactMap(\.self) + SelfTest.warnings
  }

  /// What is likely to be left; nothing is known of it where executions are not drawn at random.
  private var unseen: Double? {
    if exploration.isExhaustive { return 0 }
    switch explorer.strategy.kind {
    case .fifo, .replay, .exhaustive, .parallel: return nil
    default: return exploration.executions < 2 ? nil : distinct.unseen
    }
  }
}

/// Says how far a failure can be trusted.
enum Remark {
  static let notReproduced = """
    The failure did not come again when the same choices were replayed: the body depends on something besides its \
    choices. The usual causes: the order of a Set or Dictionary (set SWIFT_DETERMINISTIC_HASHING), the time of day, \
    unseeded randomness, input and output, state that one execution leaves for the next.
    """
  static func timePassedEarly(_ times: Int) -> String {
    """
    Time passed \(times == 1 ? "once" : "\(times) times") while a task was ready, as on a machine that is slow or busy: a sleep \
    or a timeout ended in the middle of work.
    """
  }
  static let isParallel = """
    It ran on the real thread pool, where the order of things is not controlled: it cannot be replayed or made smaller.
    """
  static let isOutOfControl = """
    Lost control: the body left something to other threads, which do it in an order that a replay need not repeat.
    """
}
