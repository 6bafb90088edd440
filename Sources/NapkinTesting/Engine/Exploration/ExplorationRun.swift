// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// One exploration from its first execution to the shrunk failure, in this process.
///
/// It works in slices on the main actor, and releases it between two slices, so that other tests proceed.
@MainActor
final class ExplorationRun {
  private let explorer: Explorer
  private let body: @Sendable () async throws -> Void
  private let simulation: Simulation
  private let capture: IssueCapture
  @exclusivity(unchecked) private var plan = Explorer.Plan(strategies: [], executions: 0)
  @exclusivity(unchecked) private var strategy: SchedulingStrategy = FIFOStrategy()
  private let stopwatch = Stopwatch()
  private lazy var progress = ProgressLine(
    executions: explorer.timeBudget == nil ? plan.executions : nil, budget: explorer.timeBudget)
  @exclusivity(unchecked) private var tally = SearchTally()
  @exclusivity(unchecked) private var divergence: Diagnostic?

  // The first execution, to be compared with its repetitions; and the result of that.
  private var isCompared = false
  @exclusivity(unchecked) private var first: DeterminismCheck?
  private var hasSettled = false
  @exclusivity(unchecked) private var nondeterminism: Diagnostic?

  // An execution that looks like a deadlock, and has to be one again.
  @exclusivity(unchecked) private var suspect: (outcome: Simulation.Outcome, number: Int)?

  // The executions that it runs, of all that the exploration has; and those that have run, for another process to count.
  @exclusivity(unchecked) private var next = 0
  @exclusivity(unchecked) private var end = Int.max
  @exclusivity(unchecked) private var record: [Simulation.Outcome]?

  // Whether the execution that has begun waits for another thread.
  @exclusivity(unchecked) private var isWaiting = false

  // After this number of jobs and this time the main actor is released for a moment, since a task that waits for it waits
  // for each exploration; after the longer time in any case. Switching costs as much as some hundred jobs.
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
    if explorer.strategy == .parallel {
      return await ParallelRun(explorer: explorer, executions: end, body: body).run()
    }
    return await capture.around {
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
        // State that outlives an execution may show by now, and a proof is worth a longer look.
        if await isExhausted { await lookForDifference(in: DeterminismCheck.repetitionsOfProof) }
        if let first = await tally.failed.first { await progress.failed(execution: first.number) }
        return
      case .sliceIsOver: continue
      case .waits: await simulation.waitForOutside()
      case .waitsToBegin: await simulation.preemptions.waitToBegin()
      case .isToRepeat: await lookForDifference()
      case .isStuck: await retake()
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
    /// The next execution waits for another exploration's.
    case waitsToBegin
    /// The first execution is to be compared with a repetition.
    case isToRepeat
    /// The last execution looks like a deadlock.
    case isStuck
  }

  private func slice() -> Progress {
    countOwnTime(true)
    let progress = splitSlice()
    // The wait for another thread is its own, too.
    if case .waits = progress { return progress }
    countOwnTime(false)
    return progress
  }

  private func splitSlice() -> Progress {
    guard Instrumentation.splitsSteps, napkin_stay_on_processor() else { return runSlice() }
    defer { napkin_leave_processor() }
    return runSlice()
  }

  private func runSlice() -> Progress {
    var (duration, steps) = (Duration.zero, 0)
    defer { simulation.bufferOutput() }
    while next < end {
      // Every shard runs its own part of the one sequence of executions that the seed determines.
      let number = explorer.shard.number(at: next)
      let attempt: Simulation.Outcome?
      if isWaiting {
        attempt = simulation.proceed()
      } else if isTimeUp || isCancelled {
        return .done
      } else if simulation.preemptions.hasToWait {
        return .waitsToBegin
      } else {
        guard let tape = tape(ofExecution: number) else { return .done }
        simulation.keepsChoices = next == 0
        isCompared = next == 0 && plan.executions > DeterminismCheck.most && !plan.isReplay
        simulation.readiness = plan.exhaustive?.readiness ?? (isCompared ? Readiness() : nil)
        attempt = simulation.execute(
          under: strategy, drawingFrom: tape, number: number, timeLeft: plan.isReplay ? nil : timeLeft)
      }
      isWaiting = true
      guard let outcome = consume attempt else { return .waits }
      isWaiting = false
      // The place where it happened is not stopped at again.
      tally.hasLost = tally.hasLost || outcome.isLost
      if outcome.isLost, !plan.isReplay { continue }
      next += 1
      let readiness = simulation.readiness
      simulation.readiness = nil
      if outcome.diagnostics.contains(where: { $0.kind == .deadlock }) {
        suspect = (outcome, number)
        return .isStuck
      }
      if count(outcome, number) { return .done }
      if isCompared, let readiness { first = DeterminismCheck(outcome, number: number, readiness) }
      if DeterminismCheck.isDue(after: tally.executions), first != nil, outcome.rejection == nil { return .isToRepeat }
      duration += outcome.duration
      steps += outcome.steps
      if duration >= Self.sliceDuration, steps >= Self.sliceSteps || duration >= Self.longestSlice {
        tellProgress()
        return .sliceIsOver
      }
    }
    return .done
  }

  /// Whether the test is over, as by its time limit or by `Test.cancel`, after the execution that ran then.
  private var isCancelled: Bool { Task.isCancelled && tally.executions > 0 }

  /// Whether the time of all executions is over; the first one runs whatever it takes.
  private var isTimeUp: Bool {
    guard let timeLeft else { return false }
    // The first execution has taken twice its time where it is compared with its repetition.
    return timeLeft <= .zero && tally.executions > (first == nil ? 0 : 1)
  }

  // The time while this exploration did not wait for the main actor, which others may have.
  @exclusivity(unchecked) private var own = Duration.zero
  @exclusivity(unchecked) private var ownStart: Duration?

  /// The time that is left to the executions, if it is limited: of a run's budget, or of the exploration's own time.
  private var timeLeft: Duration? {
    if let budget = explorer.timeBudget { return budget - stopwatch.elapsed }
    return explorer.time.map { $0 - own - (ownStart.map { stopwatch.elapsed - $0 } ?? .zero) }
  }

  private func countOwnTime(_ begins: Bool) {
    if let start = ownStart { own += stopwatch.elapsed - start }
    ownStart = begins ? stopwatch.elapsed : nil
  }

  /// Gets the strategy ready for an execution, and its data; nil if there is no schedule left.
  private func tape(ofExecution number: Int) -> ChoiceTape? {
    var random = random(ofExecution: number)
    strategy = plan.strategies[next % plan.strategies.count]
    var script = strategy.begin(seed: random.split())
    // Without a drawn value the next search would be the same.
    if script == nil, !tally.isOrderAll, let exhaustive = plan.exhaustive {
      exhaustive.startOver()
      random = self.random(ofExecution: number)
      script = exhaustive.begin(seed: random.split())
    }
    guard let script else { return nil }
    return ChoiceTape(replaying: script, then: plan.isReplay ? .zeros : .random(random.split()))
  }

  private func random(ofExecution number: Int) -> SplitMix64 {
    SplitMix64(seed: explorer.seed, index: UInt64(plan.exhaustive?.searches ?? number - 1))
  }

  /// Counts an execution; returns whether there are enough.
  private func count(_ outcome: Simulation.Outcome, _ number: Int) -> Bool {
    record?.append(outcome)
    if let token = plan.token { lookForDivergence(outcome, from: token) }
    return tally.add(outcome, number: number)
  }

  /// Runs an execution that looks like a deadlock again, since a machine that stalls makes others look so, too.
  private func retake() async {
    guard let (stuck, number) = suspect else { return }
    var outcome = stuck
    suspect = nil
    let order: ReplayRequest.Order = outcome.holdsBack ? .recorded : .translated
    let again = await replay(ReplayRequest(outcome.sequence ?? ChoiceSequence(), order: order))
    if !again.diagnostics.contains(where: { $0.kind == .deadlock }) {
      outcome.diagnostics.removeAll { $0.kind == .deadlock }
      outcome.isOutOfControl = true
      outcome.warnings.append(.stall(execution: number))
    }
    if count(outcome, number) { end = next }
  }

  /// Runs the first execution again, and compares the jobs that are ready at each step.
  private func lookForDifference(in repetitions: Int = 1) async {
    // Addresses decide about the order of a Set, so all repetitions are to have others.
    var held: [HeldMemory] = []
    for _ in 0..<repetitions {
      held.append(HeldMemory())
      guard let first, nondeterminism == nil, let again = await repetition(of: first) else { return }
      // It passed before; its failure now is one like any other.
      if let failed = again.failed {
        if count(failed, first.number) { end = next }
        return
      }
      guard let step = first.difference(to: again.readiness) else { continue }
      held.append(HeldMemory())
      let third = await repetition(of: first)
      let settles = !hasSettled && third?.check?.difference(to: again.readiness) == nil
      // Something that is made once, and no execution differs from then on, is in the way of a proof alone. A coin looks like
      // that, too, if it falls on the same side twice; so a second difference is reported.
      if settles, plan.exhaustive == nil {
        (self.first, hasSettled) = (third?.check, true)
        return
      }
      nondeterminism = .notDeterministic(
        execution: first.number, step: step, settles: settles, comparesValues: plan.exhaustive != nil)
    }
  }

  /// Runs the choices of the first execution again; nil if it left something to other threads this time.
  private func repetition(of first: DeterminismCheck) async -> Repetition? {
    let readiness = Readiness(comparesValues: plan.exhaustive != nil)
    (simulation.readiness, simulation.keepsChoices) = (readiness, true)
    defer { (simulation.readiness, simulation.keepsChoices) = (nil, false) }
    await simulation.preemptions.waitToBegin()
    let outcome = await end(
      of: simulation.execute(
        under: ReplayStrategy(first.sequence, first.holdsBack ? .holdsBack : []),
        drawingFrom: ChoiceTape(replaying: first.sequence), number: first.number))
    if outcome.isOutOfControl {
      tally.lostControl = true
      return nil
    }
    return Repetition(
      readiness: readiness, check: DeterminismCheck(outcome, number: first.number, readiness),
      failed: outcome.diagnostics.isEmpty ? nil : outcome)
  }

  private struct Repetition {
    let readiness: Readiness
    /// Nil if it says nothing of other repetitions.
    let check: DeterminismCheck?
    let failed: Simulation.Outcome?
  }

  private func lookForDivergence(_ outcome: Simulation.Outcome, from token: ReplayToken) {
    let outOfReach = outcome.outOfReach + ((strategy as? ReplayStrategy)?.clamped ?? 0)
    divergence = token.divergence(met: outcome.met, outOfReach: outOfReach, in: explorer.key)
    guard divergence == nil, outcome.diagnostics.isEmpty, !outcome.isOutOfControl else { return }
    // A pass of another build's token is no surprise.
    if BuildFingerprint.isCurrent(token.fingerprint) {
      let isOfAnother = BuildFingerprint.isOfAnother(token.fingerprint, than: explorer.key)
      divergence = isOfAnother ? .replayIsOfAnother : .replayPasses
    }
  }

  /// Runs the choices of an execution again.
  func replay(_ request: ReplayRequest) async -> Simulation.Outcome {
    let strategy: SchedulingStrategy =
      switch request.order {
      case .recorded: ReplayStrategy(request.sequence)
      case .translated: ReplayStrategy(request.sequence, countsArrivals: true)
      case .uncancelled: ReplayStrategy(request.sequence, [.holdsBack, .ignoresCancellation])
      case .toCompletion: RunToCompletionStrategy()
      case .ofTasks: TaskOrderStrategy(request.tasks)
      }
    var sequence = request.sequence
    if request.order == .toCompletion { sequence.preemption = [] }
    await simulation.preemptions.waitToBegin()
    CrashReport.shortTimeout = request.hangTimeout.map { UInt32($0) }
    defer { CrashReport.shortTimeout = nil }
    var outcome = await end(
      of: simulation.execute(
        under: strategy, drawingFrom: ChoiceTape(replaying: sequence), number: tally.executions,
        isLogged: request.isLogged, isHidden: request.isHidden, stacksAt: request.stacksAt,
        mostSteps: request.mostSteps))
    outcome.outOfReach += (strategy as? ReplayStrategy)?.clamped ?? 0
    return outcome
  }

  /// Waits for the end of an execution that has begun.
  private func end(of outcome: Simulation.Outcome?) async -> Simulation.Outcome {
    var outcome = outcome
    defer { simulation.bufferOutput() }
    while true {
      if let outcome { return outcome }
      await simulation.waitForOutside()
      outcome = simulation.proceed()
    }
  }

  /// Shrinks and explains the failures, and puts the result together.
  private func finish() async -> Exploration {
    var exploration = await tally.result(
      of: explorer, isExhausted: isExhausted, processWarnings: processWarnings, since: stopwatch, replay: replay)
    progress.end()
    if simulation.cancelsTest { exploration.diagnostics = [] }
    return exploration
  }

  /// The warnings about the replay and about this process.
  private var processWarnings: [Diagnostic] {
    [divergence, nondeterminism ?? searchDiverged, drewOnce, cancelled, simulation.preemptions.warning].compactMap(
      \.self)
      + SelfTest.warnings + Instrumentation.warnings
  }

  private var isExhausted: Bool { (plan.exhaustive?.isExhausted ?? false) && nondeterminism == nil }

  /// A warning where an exhaustive search met something else after the same choices, and knows no other reason for it.
  private var searchDiverged: Diagnostic? {
    plan.exhaustive?.hasDiverged == true && !tally.lostControl ? .searchDiverged : nil
  }

  private var cancelled: Diagnostic? { isCancelled && next < end ? .cancelled(after: tally.executions) : nil }

  private var drewOnce: Diagnostic? {
    guard plan.exhaustive?.searches == 0, !tally.isOrderAll, tally.executions > 1 else { return nil }
    return tally.failed.isEmpty ? .drewOnce(executions: tally.executions) : nil
  }
}

extension ExplorationRun {
  /// The result of a part of an exploration, for the process that counts all parts.
  struct Part: Codable, Sendable {
    var outcomes: [Simulation.Outcome]
    var isExhausted: Bool
    var processWarnings: [Diagnostic]
  }

  /// Runs some of the executions, in a worker process.
  nonisolated func part(_ range: Range<Int>) async -> Part {
    await begin(range)
    return await capture.around {
      await self.search()
      return await self.part
    }
  }

  /// Runs the choices of an execution again, with its issues kept from the test run.
  nonisolated func captured(_ request: ReplayRequest) async -> Simulation.Outcome {
    await capture.around { await self.replay(request) }
  }

  private func begin(_ range: Range<Int>) {
    try? prepare()
    (next, end) = (range.lowerBound, min(range.upperBound, end))
    tally = SearchTally(isOfPart: true)
    record = []
  }

  private var part: Part {
    Part(outcomes: record ?? [], isExhausted: isExhausted, processWarnings: processWarnings)
  }
}
