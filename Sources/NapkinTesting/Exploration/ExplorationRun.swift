// SPDX-License-Identifier: Apache-2.0

/// One exploration from its first execution to the shrunk failure, in this process.
///
/// It works in slices on the main actor, and releases it between two slices, so that other tests proceed.
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
  @exclusivity(unchecked) private var tally = SearchTally()
  @exclusivity(unchecked) private var divergence: Diagnostic?

  // The executions that it runs, of all that the exploration has; and those that have run, for another process to count.
  @exclusivity(unchecked) private var next = 0
  @exclusivity(unchecked) private var end = Int.max
  @exclusivity(unchecked) private var record: [Simulation.Outcome]?

  // Whether the execution that has begun waits for another thread.
  @exclusivity(unchecked) private var isWaiting = false

  // After this number of jobs and this time the main actor is released for a moment, since what waits for it waits for each
  // exploration; after the longer time in any case. Switching costs as much as some hundred jobs.
  private static let sliceSteps = 2_000
  private static let sliceDuration = Duration.milliseconds(4)
  private static let longestSlice = Duration.milliseconds(50)

  nonisolated init(_ explorer: Explorer, _ body: @escaping @Sendable () async throws -> Void) {
    self.explorer = explorer
    self.body = body
    capture = IssueCapture()
    simulation = Simulation(explorer, capture: capture, body: body)
  }

  nonisolated func run() async -> Exploration {
    do throws(Diagnostic) { try await prepare() } catch { return .failed(error, seed: explorer.seed) }
    if explorer.strategy == .parallel { return await ParallelRun(explorer: explorer, body: body).run() }
    return await capture.around {
      await self.learnKnownFailures()
      await self.search()
      return await self.finish()
    }
  }

  /// Makes the plan.
  ///
  /// - Throws: The reason why there can be none, or why executions cannot be controlled here.
  func prepare() throws(Diagnostic) {
    plan = try explorer.plan()
    simulation.isSingle = plan.executions == 1
    end = plan.executions
    if explorer.strategy == .parallel { return }
    SelfTest.run()
    if let loss = SelfTest.loss { throw loss }
  }

  /// Runs executions until one fails or there are enough.
  private nonisolated func search() async {
    while true {
      switch await slice() {
      case .done:
        if let first = await tally.failed.first { await progress.failed(execution: first.number) }
        return
      case .sliceIsOver: await tellProgress()
      case .waits: await simulation.waitForOutside()
      }
    }
  }

  private func tellProgress() {
    progress.show(
      executions: tally.executions, schedules: tally.distinct.count, elapsed: stopwatch.elapsed)
  }

  private enum Progress: Sendable {
    case done, sliceIsOver
    /// The execution that has begun waits for another thread.
    case waits
  }

  private func slice() -> Progress {
    var (duration, steps) = (Duration.zero, 0)
    while next < end {
      // Every shard runs its own part of the one sequence of executions that the seed determines.
      let number = explorer.shard.number(at: next)
      let attempt: Simulation.Outcome?
      if isWaiting {
        attempt = simulation.proceed()
      } else if isTimeUp {
        return .done
      } else {
        var random = SplitMix64(seed: explorer.seed, index: UInt64(number - 1))
        guard plan.strategy.begin(seed: random.split()) else { return .done }
        let script = plan.strategy.member.script ?? plan.script
        let tape = ChoiceTape(replaying: script, then: plan.isReplay ? .zeros : .random(random.split()))
        attempt = simulation.execute(under: plan.strategy, drawingFrom: tape, number: number, isCutShort: true)
      }
      isWaiting = attempt == nil
      guard let outcome = attempt else { return .waits }
      next += 1
      record?.append(outcome)
      if plan.isReplay { lookForDivergence(outcome) }
      if tally.add(outcome, number: number) { return .done }
      duration += outcome.duration
      steps += outcome.steps
      if duration >= Self.sliceDuration, steps >= Self.sliceSteps || duration >= Self.longestSlice {
        return .sliceIsOver
      }
    }
    return .done
  }

  /// Whether the time of all executions is over; the first one runs whatever it takes.
  private var isTimeUp: Bool {
    guard let budget = explorer.timeBudget ?? explorer.time, tally.executions > 0 else { return false }
    return stopwatch.elapsed >= budget
  }

  private func lookForDivergence(_ outcome: Simulation.Outcome) {
    let outOfReach = outcome.outOfReach + ((plan.strategy as? ReplayStrategy)?.clamped ?? 0)
    divergence = plan.divergence(met: outcome.met, outOfReach: outOfReach)
  }

  /// Runs the tokens of known failures, so that the same failures are known when they come again.
  private func learnKnownFailures() async {
    tally = SearchTally(past: await KnownFailures.learn(explorer.known, by: replay))
  }

  /// Runs the choices of an execution again.
  func replay(_ request: ReplayRequest) async -> Simulation.Outcome {
    let strategy: SchedulingStrategy =
      switch request.order {
      case .recorded: ReplayStrategy(request.sequence.schedule)
      case .translated: ReplayStrategy(request.sequence.schedule, countsArrivals: true)
      case .toCompletion: RunToCompletionStrategy()
      }
    var sequence = request.sequence
    if request.order == .toCompletion { sequence.preemption = [] }
    CrashReport.shortTimeout = request.hangTimeout.map { UInt32($0) }
    defer { CrashReport.shortTimeout = nil }
    var outcome = simulation.execute(
      under: strategy,
      drawingFrom: ChoiceTape(replaying: sequence),
      number: tally.executions,
      isLogged: request.isLogged,
      mostSteps: request.mostSteps,
      isOfToken: request.isOfToken
    )
    while true {
      if let outcome { return outcome }
      await simulation.waitForOutside()
      outcome = simulation.proceed()
    }
  }

  /// Shrinks and explains the failures, and puts the result together.
  private func finish() async -> Exploration {
    let exploration = await tally.result(
      of: explorer, isExhausted: plan.strategy.isExhausted, processWarnings: processWarnings, since: stopwatch,
      replay: replay)
    progress.end()
    return exploration
  }

  /// The warnings about the replay and about this process.
  private var processWarnings: [Diagnostic] {
    [divergence].compactMap(\.self) + SelfTest.warnings + Instrumentation.warnings
  }
}

extension ExplorationRun {
  /// The result of a part of an exploration, for the process that counts all parts.
  struct Part: Sendable {
    var outcomes: [Simulation.Outcome]
    var isExhausted: Bool
    var processWarnings: [Diagnostic]
  }

  /// Runs some of the executions, in a worker process.
  nonisolated func part(_ range: Range<Int>, past known: KnownFailures?) async -> Part {
    await begin(range, past: known)
    return await capture.around {
      await self.search()
      return await self.part
    }
  }

  /// Runs the choices of an execution again, with its issues kept from the test run.
  nonisolated func captured(_ request: ReplayRequest) async -> Simulation.Outcome {
    await capture.around { await self.replay(request) }
  }

  private func begin(_ range: Range<Int>, past known: KnownFailures?) {
    try? prepare()
    (next, end) = (range.lowerBound, min(range.upperBound, end))
    plan.strategy.skip(to: next)
    tally = SearchTally(past: known)
    record = []
  }

  private var part: Part {
    Part(outcomes: record ?? [], isExhausted: plan.strategy.isExhausted, processWarnings: processWarnings)
  }
}
