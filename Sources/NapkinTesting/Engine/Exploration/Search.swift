// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// One exploration from its first execution to the shrunk failure, in this process.
///
/// It works in slices on the main actor, and releases it between two slices, so that other tests proceed.
@MainActor
final class Search {
  nonisolated let context: SearchContext
  private let body: @Sendable () async throws -> Void
  private let capture = IssueCapture()
  @exclusivity(unchecked) private(set) var plan = SearchContext.Plan(strategies: [], executions: 0)
  private let stopwatch = Stopwatch()
  private lazy var progress = ProgressLine(
    executions: context.timeBudget == nil ? plan.executions : nil, budget: context.timeBudget)
  @exclusivity(unchecked) var tally = SearchTally()
  @exclusivity(unchecked) var determinism = Determinism()
  @exclusivity(unchecked) private var divergence: Diagnostic?

  // The executions that it runs, of all that the exploration has; and those that have run, for another process to count.
  @exclusivity(unchecked) private var next = 0
  @exclusivity(unchecked) private var end = Int.max
  @exclusivity(unchecked) private var record: [ExecutionOutcome]?

  // An execution that is to run before the next one, and the one that has begun, which may wait for another thread.
  @exclusivity(unchecked) private var requested: ExecutionRequest?
  @exclusivity(unchecked) private var current: Current?

  let history = ExecutionHistory()

  // The time while this exploration did not wait for the main actor, which others may have.
  @exclusivity(unchecked) private var own = Duration.zero
  @exclusivity(unchecked) private var ownStart: Duration?

  // After this number of jobs and this time the main actor is released for a moment, since a task that waits for it waits
  // for each exploration; after the longer time in any case. Switching costs as much as some hundred jobs.
  private static let sliceSteps = 2_000
  private static let sliceDuration = Duration.milliseconds(4)
  private static let longestSlice = Duration.milliseconds(50)

  nonisolated init(_ context: SearchContext, _ body: @escaping @Sendable () async throws -> Void) {
    self.context = context
    self.body = body
  }

  nonisolated func run() async -> Exploration {
    let executions: Int
    do throws(Diagnostic) { executions = try await prepare() } catch {
      return .failed(error, seed: context.explorer.seed)
    }
    if context.explorer.strategy == .parallel {
      return await ParallelRun(context: context, executions: executions, body: body).run()
    }
    return await capture.around {
      await self.search()
      return await self.result()
    }
  }

  /// Makes the plan.
  ///
  /// - Returns: The number of executions that it has.
  /// - Throws: The reason why there can be none, or why executions cannot be controlled here.
  @discardableResult
  func prepare() throws(Diagnostic) -> Int {
    plan = try context.plan()
    end = plan.executions
    if context.explorer.strategy == .parallel { return end }
    SelfTest.run()
    if let loss = SelfTest.loss { throw loss }
    return end
  }

  private nonisolated func search() async {
    while let executed = await runOn() { await look(at: executed) }
    // State that outlives an execution may show by now, and a proof is worth a longer look.
    if await isExhausted { await lookForDifference(in: DeterminismCheck.repetitionsOfProof) }
    if let first = await tally.failed.first { await progress.failed(execution: first.number) }
  }

  private func look(at executed: Executed) async {
    if executed.outcome.isStuck { return await retake(executed) }
    await lookForDifference()
  }

  /// Runs an execution that looks like a deadlock again, since a machine that stalls makes others look so, too.
  private func retake(_ executed: Executed) async {
    var outcome = executed.outcome
    let order: ReplayRequest.Order = outcome.holdsBack ? .recorded : .translated
    let again = await replay(ReplayRequest(outcome.sequence ?? ChoiceSequence(), order: order))
    if !again.isStuck {
      outcome.diagnostics.removeAll { $0.kind == .deadlock }
      outcome.isOutOfControl = true
      outcome.warnings.append(.stall(execution: executed.number))
    }
    count(outcome, executed.number)
  }

  /// Runs the choices of an execution again.
  func replay(_ asked: ReplayRequest) async -> ExecutionOutcome {
    let strategy = asked.strategy
    let tape = ChoiceTape(replaying: asked.replayed)
    let request = ExecutionRequest(under: strategy, drawingFrom: tape, number: tally.executions)
    if asked.isLogged { request.log = SchedulerLog(stacksAt: asked.stacksAt) }
    (request.isHidden, request.mostSteps, request.hangTimeout) = (asked.isHidden, asked.mostSteps, asked.hangTimeout)
    // Its choices are wanted in the order of a replay, though it may pass.
    request.keepsChoices = asked.order == .translated
    var outcome = await run(request)
    outcome.outOfReach += (strategy as? ReplayStrategy)?.clamped ?? 0
    return outcome
  }

  /// Runs one execution, beside those of the plan.
  func run(_ request: ExecutionRequest) async -> ExecutionOutcome {
    requested = request
    guard let executed = await runOn() else { preconditionFailure("a requested execution did not run") }
    return executed.outcome
  }
}

// The result.
extension Search {
  /// Shrinks and explains the failures, and puts the result together.
  private func result() async -> Exploration {
    var exploration = await tally.result(
      of: context, isExhausted: isExhausted, processWarnings: processWarnings, since: stopwatch, replay: replay)
    progress.end()
    if history.cancelsTest { exploration.diagnostics = [] }
    return exploration
  }

  /// The warnings about the replay and about this process.
  var processWarnings: [Diagnostic] {
    [divergence, determinism.difference ?? searchDiverged, drewOnce, cancelled, history.preemptions.warning]
      .compactMap(\.self) + SelfTest.warnings + Instrumentation.warnings
  }

  var isExhausted: Bool { (plan.exhaustive?.isExhausted ?? false) && determinism.difference == nil }

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

// The executions of a part of an exploration, for the process that counts all parts.
extension Search {
  struct Part: Codable, Sendable {
    var outcomes: [ExecutionOutcome]
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
  nonisolated func captured(_ request: ReplayRequest) async -> ExecutionOutcome {
    await capture.around { await self.replay(request) }
  }

  private func begin(_ range: Range<Int>) {
    _ = try? prepare()
    (next, end) = (range.lowerBound, min(range.upperBound, end))
    tally = SearchTally(isOfPart: true)
    record = []
  }

  private var part: Part {
    Part(outcomes: record ?? [], isExhausted: isExhausted, processWarnings: processWarnings)
  }
}

// The one loop.
extension Search {
  /// An execution that has begun.
  private struct Current {
    let execution: SimulatedExecution
    let whenOver: ExecutionHooks.End
    /// Whether it was requested, and is none of the plan.
    let isRequested: Bool
  }

  /// An execution that was requested, or that is to be looked at.
  struct Executed: Sendable {
    let outcome: ExecutionOutcome
    let number: Int
  }

  private enum Progress: Sendable {
    /// The requested execution has ended, or one that is to be looked at; or there is none left.
    case over(Executed?)
    case sliceIsOver
    /// The execution that has begun waits for another thread.
    case waits(after: UInt64, for: Duration)
    /// The next execution waits for another exploration's.
    case waitsToBegin
  }

  /// Makes executions, runs them and adds their outcomes, until the requested one has ended, one is to be looked at, or none is
  /// left.
  ///
  /// The main actor is left where it is to be free, and nowhere else: in an exploration inside another each hop is a job of that one.
  private func runOn() async -> Executed? {
    while true {
      switch slice() {
      case .over(let executed): return executed
      case .sliceIsOver: await Self.leaveMainActor()
      case .waits(let heard, let limit): await OutsideWait.wait(after: heard, for: limit)
      case .waitsToBegin: await history.preemptions.waitToBegin()
      }
    }
  }

  private nonisolated static func leaveMainActor() async {}

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
    defer { napkin_buffer_output(true) }
    while true {
      if current == nil {
        if requested == nil, isOver { return .over(nil) }
        if history.preemptions.hasToWait { return .waitsToBegin }
        guard let request = requested ?? nextRequest() else { return .over(nil) }
        current = begin(request)
        requested = nil
      }
      guard let current, let ending = current.execution.proceed(body) else {
        return .waits(after: history.outside.heard, for: history.outside.limit)
      }
      self.current = nil
      let request = current.execution.request
      close(current, ending)
      var outcome = current.execution.outcome(ending)
      learn(from: current, ending, &outcome)
      if current.isRequested || add(outcome, request) {
        return .over(Executed(outcome: outcome, number: request.number))
      }
      duration += outcome.duration
      steps += outcome.steps
      if duration >= Self.sliceDuration, steps >= Self.sliceSteps || duration >= Self.longestSlice {
        progress.show(executions: tally.executions, schedules: tally.distinct.count, elapsed: stopwatch.elapsed)
        return .sliceIsOver
      }
    }
  }

  /// Adds the outcome of an execution of the plan; returns whether it is to be looked at before the next one.
  private func add(_ outcome: ExecutionOutcome, _ request: ExecutionRequest) -> Bool {
    // The place where it happened is not stopped at again.
    tally.hasLost = tally.hasLost || outcome.isLost
    if outcome.isLost, !plan.isReplay { return false }
    next += 1
    if outcome.isStuck { return true }
    if count(outcome, request.number) { return false }
    if next == 1, comparesFirst, let readiness = request.readiness {
      determinism.first = DeterminismCheck(outcome, number: request.number, readiness)
    }
    return DeterminismCheck.isDue(after: tally.executions) && determinism.first != nil && outcome.rejection == nil
  }

  /// Counts an execution; returns whether one has failed, after which none follows.
  @discardableResult
  func count(_ outcome: ExecutionOutcome, _ number: Int) -> Bool {
    record?.append(outcome)
    if let token = plan.token { lookForDivergence(outcome, from: token) }
    return tally.add(outcome, number: number)
  }

  private func lookForDivergence(_ outcome: ExecutionOutcome, from token: ReplayToken) {
    let outOfReach = outcome.outOfReach + ((plan.strategies.first as? ReplayStrategy)?.clamped ?? 0)
    divergence = token.divergence(met: outcome.met, outOfReach: outOfReach, in: context.key)
    guard divergence == nil, outcome.diagnostics.isEmpty, !outcome.isOutOfControl else { return }
    // A pass of another build's token is no surprise.
    if BuildFingerprint.isCurrent(token.fingerprint) {
      let isOfAnother = BuildFingerprint.isOfAnother(token.fingerprint, than: context.key)
      divergence = isOfAnother ? .replayIsOfAnother : .replayPasses
    }
  }

  /// Whether no execution of the plan is to follow: one has failed, there are enough, the time is up, or the test is over.
  private var isOver: Bool { !tally.failed.isEmpty || next >= end || isTimeUp || isCancelled }

  /// Whether the test is over, as by its time limit or by `Test.cancel`, after the execution that ran then.
  private var isCancelled: Bool { Task.isCancelled && tally.executions > 0 }

  /// Whether the time of all executions is over; the first one runs whatever it takes.
  private var isTimeUp: Bool {
    guard let timeLeft else { return false }
    // The first execution has taken twice its time where it is compared with its repetition.
    return timeLeft <= .zero && tally.executions > (determinism.first == nil ? 0 : 1)
  }

  /// The time that is left to the executions, if it is limited: of a run's budget, or of the exploration's own time.
  private var timeLeft: Duration? {
    if let budget = context.timeBudget { return budget - stopwatch.elapsed }
    return context.explorer.time.map { $0 - own - (ownStart.map { stopwatch.elapsed - $0 } ?? .zero) }
  }

  private func countOwnTime(_ begins: Bool) {
    if let start = ownStart { own += stopwatch.elapsed - start }
    ownStart = begins ? stopwatch.elapsed : nil
  }
}

// The executions of the plan, and how each begins and ends.
extension Search {
  /// Whether the first execution is compared with its repetitions.
  private var comparesFirst: Bool { plan.executions > DeterminismCheck.most && !plan.isReplay }

  /// The next execution; nil if there is no schedule left.
  private func nextRequest() -> ExecutionRequest? {
    // Every shard runs its own part of the one sequence of executions that the seed determines.
    let number = context.shard.number(at: next)
    let strategy = plan.strategies[next % plan.strategies.count]
    guard let tape = tape(ofExecution: number, strategy) else { return nil }
    let request = ExecutionRequest(under: strategy, drawingFrom: tape, number: number)
    request.keepsChoices = next == 0
    request.readiness = plan.exhaustive?.readiness ?? (next == 0 && comparesFirst ? Readiness() : nil)
    request.timeLeft = plan.isReplay ? nil : timeLeft
    return request
  }

  /// Gets the strategy ready for an execution, and its data; nil if there is no schedule left.
  private func tape(ofExecution number: Int, _ strategy: SchedulingStrategy) -> ChoiceTape? {
    var random = random(ofExecution: number)
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
    SplitMix64(seed: context.explorer.seed, index: UInt64(plan.exhaustive?.searches ?? number - 1))
  }

  private func begin(_ request: ExecutionRequest) -> Current {
    CrashReport.prepare(hangTimeout: request.hangTimeout)
    history.begin(request, of: context.explorer)
    let isLogged = request.log != nil
    request.isShown = !request.isHidden && isLogged != (plan.executions == 1)
    request.holdsOutput = RunSettings.holdsOutput && !request.isShown
    let execution = SimulatedExecution(request, waitingBy: history.outside)
    history.preemptions.beginAccesses(of: execution)
    let whenOver = ExecutionHooks.begin(execution, isLogged: isLogged && !request.isHidden)
    capture.begin(execution)
    CrashReport.subjects.append(CrashReport.Subject(execution: execution, search: self))
    return Current(execution: execution, whenOver: whenOver, isRequested: requested != nil)
  }

  private func close(_ current: Current, _ ending: SimulatedExecution.Ending) {
    CrashReport.subjects.removeAll { $0.execution === current.execution }
    current.execution.close(ending)
    capture.end()
    current.whenOver()
  }

  private func learn(from current: Current, _ ending: SimulatedExecution.Ending, _ outcome: inout ExecutionOutcome) {
    history.end(current.execution, ending, outcome)
    current.execution.drop(ending, &outcome)
    history.hasNamedWaiting = history.hasNamedWaiting || !outcome.waiting.isEmpty
  }
}
