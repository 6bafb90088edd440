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

  // Whether the execution that has begun waits for another thread, and whether any has had to.
  @exclusivity(unchecked) private var isWaiting = false
  @exclusivity(unchecked) private var lostControl = false

  // After so many jobs, or so many executions, the main actor is let go of. On a busy machine, in a debug build and with
  // every monitor on, a job takes tens of microseconds, and what waits for the main actor waits for each exploration.
  private static let sliceSteps = 2_000
  private static let sliceExecutions = 500

  nonisolated init(_ explorer: Explorer, _ body: @escaping @Sendable () async throws -> Void) {
    self.explorer = explorer
    self.body = body
    capture = IssueCapture()
    simulation = Simulation(explorer, capture: capture, body: body)
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
  private func prepare() -> Problem? {
    switch explorer.plan() {
    case .success(let plan):
      self.plan = plan
      return nil
    case .failure(let misuse):
      return misuse.problem
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
    var problems: [Problem]
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
    if let budget = explorer.timeBudget, exploration.executions > 0, !isWaiting, stopwatch.elapsed >= budget {
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
      // At powers of two the curve is short, and long where it flattens.
      if exploration.executions & (exploration.executions - 1) == 0 {
        exploration.saturation.append(executions: exploration.executions, schedules: distinct.count)
      }
      if let rejection = outcome.rejection {
        exploration.rejected += 1
        if let problem = health.tooManyRejected(exploration, rejection) {
          return .failed(Failed(execution: number + 1, problems: [problem], sequence: outcome.sequence ?? .init()))
        }
        continue
      }
      if let sequence = outcome.sequence {
        return .failed(
          Failed(execution: number + 1, problems: outcome.problems, sequence: sequence)
        )
      }
      if exploration.steps - start.steps >= Self.sliceSteps { return .sliceIsOver }
      if exploration.executions - start.executions >= Self.sliceExecutions { return .sliceIsOver }
    }
    return .done
  }

  /// Makes a failure small, runs it once more with everything written down, and puts it into the result.
  private nonisolated func tell(_ failed: Failed) async {
    var smallest = await inTheOrderOfReplays(failed.sequence)
    var cost = Exploration.Failure.Shrinking()
    if explorer.shrinks, let kind = failed.problems.first?.kind, kind != .misuse {
      let shrunk = await Shrinker(seed: explorer.seed).shrink(smallest) { candidate in
        let outcome = await self.replay(candidate, isLogged: false)
        return ShrinkOutcome(
          stillFails: outcome.rejection == nil && outcome.problems.contains { $0.kind == kind },
          consumed: outcome.sequence ?? candidate
        )
      }
      smallest = shrunk.sequence
      cost = .init(executions: shrunk.executions, isBudgetSpent: shrunk.isBudgetSpent)
    }
    let told = await replay(smallest, isLogged: true)
    await conclude(failed, smallest, told, cost)
  }

  /// The same choices, with ranks as a replay counts them.
  private func inTheOrderOfReplays(_ sequence: ChoiceSequence) async -> ChoiceSequence {
    if plan.strategy.holdsBack { return sequence }
    return await execute(TranslationStrategy(sequence.schedule), sequence, isLogged: false).sequence ?? sequence
  }

  private func replay(_ sequence: ChoiceSequence, isLogged: Bool) async -> Simulation.Outcome {
    await execute(ReplayStrategy(sequence.schedule), sequence, isLogged: isLogged)
  }

  private func execute(
    _ strategy: SchedulingStrategy,
    _ sequence: ChoiceSequence,
    isLogged: Bool
  ) async -> Simulation.Outcome {
    var outcome = simulation.execute(
      under: strategy,
      drawingFrom: ChoiceTape(replaying: sequence),
      number: exploration.executions,
      isLogged: isLogged
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
    var remarks = plan.remarks(onReplayOf: failed.sequence)
    let problems = told.problems.isEmpty ? failed.problems : told.problems
    if told.problems.isEmpty, failed.problems.first?.kind != .misuse { remarks.append(Remark.notReproduced) }
    if lostControl { remarks.append(Remark.isOutOfControl) }
    if !RuntimeProbe.takesHops { remarks.append(Remark.hopsAreNotTaken) }
    let consumed = told.sequence ?? sequence
    var failure = Exploration.Failure(
      execution: failed.execution,
      seed: explorer.seed,
      schedule: ReplayToken(consumed, fingerprint: BuildFingerprint.current).text,
      messages: problems.map(\.message) + told.cancelled.map { "Cancelled: \($0)" } + told.drawn.map { "Drawn: \($0)" }
    )
    failure.sourceLocation = problems.lazy.compactMap(\.sourceLocation).first
    failure.sequence = consumed
    failure.log = told.log ?? EventLog()
    failure.shrinking = shrinking
    failure.remarks = remarks
    exploration.failure = failure
  }

  private func finish() -> Exploration {
    progress.end()
    exploration.distinctSchedules = distinct.count
    exploration.saturation.append(executions: exploration.executions, schedules: distinct.count)
    exploration.isExhaustive = exploration.failure == nil && plan.strategy.isExhausted && !lostControl
    exploration.saturation.unseen = unseen
    exploration.diagnostics = warnings.warnings(of: exploration.executions) + health.warnings(exploration, of: explorer)
    exploration.duration = stopwatch.elapsed
    return exploration
  }
}

extension ExplorationRun {
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
  static let isParallel = """
    It ran on the real thread pool, where the order of things is not controlled: it cannot be replayed or made smaller.
    """
  static let isOutOfControl = """
    Lost control: the body left something to other threads, which do it in an order that a replay need not repeat.
    """
  static let hopsAreNotTaken = """
    Hops between actors are not scheduling points in this process, since the runtime keeps tasks in another way than \
    this version of NapkinTesting knows. Fewer interleavings were explored than usual.
    """
}
