// SPDX-License-Identifier: Apache-2.0

internal import Testing

/// Makes a failure small, runs it once more with everything written down, and explains it.
struct FailureReduction: Sendable {
  let context: SearchContext
  // How far any failure of the exploration can be trusted.
  let warnings: [Diagnostic]
  let lostControl: Bool
  var replay: ReplayRequest.Replay
  // The first execution, if it has passed and no execution has left anything to other threads.
  let passed: KeptExecution?
  // Why the body is not deterministic, if it is known not to be.
  let nondeterminism: Diagnostic?

  // The most executions to shrink with.
  private static let budget = 2_000
  private static let endlessBudget = 100

  // How often the smallest execution has to fail, so that its choices are taken for the cause: by chance, a failure of one
  // in two executions does so once in 1,024. Bodies that take long are replayed less often.
  private static let replays = 10
  private static let leastReplays = 3
  private static let replayTime = Duration.seconds(1)

  // How many seconds a job of a candidate may run that is to hang.
  private static let hangTimeout = 2

  func failures(of executions: [KeptExecution]) async -> [Exploration.Failure] {
    var failures: [Exploration.Failure] = []
    for failed in executions {
      var reduction = self
      // A hang costs real time whenever it is replayed, so all of it is done with a short timeout.
      if failed.first.kind == .hang {
        reduction.replay = { request in
          var request = request
          request.hangTimeout = Self.hangTimeout
          return await replay(request)
        }
      }
      failures.append(await reduction.failure(of: failed))
    }
    return failures
  }

  private func failure(of failed: KeptExecution) async -> Exploration.Failure {
    let translated = await inTheOrderOfReplays(failed)
    var smallest = translated
    var cost = Exploration.Failure.Shrinking()
    if context.explorer.shrinks, failed.first.kind != .rejection {
      let shrunk = await shrink(smallest, failed.first)
      smallest = shrunk.sequence
      cost = .init(executions: shrunk.executions, didExhaustBudget: shrunk.didExhaustBudget)
    }
    var replayed = await replay(ReplayRequest(smallest, isLogged: true))
    if failed.first.isEndless, !replayed.diagnostics.contains(where: { $0.isSameFailure(as: failed.first) }) {
      smallest = translated
      replayed = await replay(ReplayRequest(smallest, isLogged: true))
    }
    replayed.log?.nameTest(Test.current?.name)
    var failure = conclude(failed, smallest, replayed, cost)
    failure.doubt = await doubt(about: failed, smallest, replayed)
    if failure.doubt != nil { return failure }
    guard let first = replayed.diagnostics.first, first.kind != .rejection, failed.first.kind != .hang else {
      return failure
    }
    if !first.isEndless, smallest.cancellation.allSatisfy({ $0.value == 0 }) {
      let unswitched = await replay(ReplayRequest(smallest, order: .toCompletion))
      failure.needsInterleaving = !unswitched.diagnostics.contains { $0.isSameFailure(as: first) }
    }
    if failure.log.cancels {
      var uncancelled = ReplayRequest(smallest, order: .uncancelled)
      // Work that only a cancellation ends goes on for ever then.
      uncancelled.mostSteps = ReplayRequest.stepsOfCheapLivelock
      failure.needsCancelling = await replay(uncancelled).diagnostics.isEmpty
    }
    return await explained(failure, first, replayed)
  }

  /// Adds the explanation of a failure, or the doubt that it depends on more than its choices.
  private func explained(
    _ unexplained: Exploration.Failure, _ first: Diagnostic, _ replayed: ExecutionOutcome
  ) async -> Exploration.Failure {
    var failure = unexplained
    if context.explorer.shrinks {
      var explanation = FailureExplanation(
        replay: replay, failure: first, shrunk: replayed, time: context.shrinkingTime)
      failure.explanation = await explanation.deviations()
      let drawn = await explanation.drawnValues()
      failure.remarks += drawn.remarks
      failure.neededDraws = drawn.needed
    }
    var search = DecisivePairSearch(of: first, in: replayed, replay: replay)
    failure.decisivePair = await search?.pair(failure.explanation, uncancelled: uncancelled(failure))
    guard search?.isContradicted == true else { return failure }
    failure = unexplained
    (failure.doubt, failure.needsInterleaving) = (.passesAndFails, true)
    return failure
  }

  /// The execution without its one cancellation, where that passes.
  private func uncancelled(_ failure: Exploration.Failure) -> ReplayRequest? {
    if failure.needsCancelling { return ReplayRequest(failure.sequence, order: .uncancelled) }
    let cancellations = failure.explanation.filter { $0.kind == .cancellation && $0.without == .passes }
    guard let only = cancellations.first, cancellations.count == 1 else { return nil }
    var sequence = failure.sequence
    sequence.cancellation[only.position].value = 0
    return ReplayRequest(sequence)
  }

  /// Says that a failure depends on something besides its choices, where that shows; nil where it does not.
  private func doubt(
    about failed: KeptExecution, _ smallest: ChoiceSequence, _ replayed: ExecutionOutcome
  ) async -> Diagnostic? {
    guard failed.first.kind != .rejection, failed.first.kind != .hang else { return nil }
    if replayed.diagnostics.isEmpty { return .notReproduced(failed: 0, of: 1) }
    // Whatever goes on for ever, or costs a process, is not run so often.
    if failed.first.isEndless || failed.first.kind == .crash { return nondeterminism }
    var (replays, failures) = (1, 1)
    var duration = replayed.duration
    // Where another thread decides, an execution that passed and fails now says nothing of the ones between.
    var passed = replayed.isOutOfControl ? nil : passed
    while replays < Self.leastReplays || replays < Self.replays && duration < Self.replayTime {
      let again = await replay(ReplayRequest(smallest))
      replays += 1
      duration += again.duration
      if !again.diagnostics.isEmpty { failures += 1 }
      if again.isOutOfControl { passed = nil }
    }
    if failures < replays { return .notReproduced(failed: failures, of: replays) }
    if let passed, let sequence = passed.outcome.sequence {
      let order: ReplayRequest.Order = passed.outcome.holdsBack ? .recorded : .translated
      let again = await replay(ReplayRequest(sequence, order: order))
      if !again.isOutOfControl, again.diagnostics.contains(where: { $0.isSameFailure(as: failed.first) }) {
        return .outlivesBody(passed: passed.number)
      }
    }
    return nondeterminism
  }

  /// Makes an execution that fails with a diagnostic as small as the budgets allow.
  ///
  /// Whether something goes on for ever costs the most jobs that an execution may have, so it is decided with fewer here,
  /// and with all of them once, in the replay that is shown: a candidate that ends then after all is none.
  private func shrink(_ failing: ChoiceSequence, _ failure: Diagnostic) async -> Shrunk {
    let isEndless = failure.isEndless || failure.kind == .hang
    let shrinker = Shrinker(
      seed: context.explorer.seed, budget: isEndless ? Self.endlessBudget : Self.budget,
      timeBudget: context.shrinkingTime)
    return await shrinker.shrink(failing) { candidate in
      let outcome = await replay(ReplayRequest(candidate, toSeeWhether: failure))
      return ShrinkOutcome(
        stillFails: outcome.rejection == nil && outcome.diagnostics.contains { $0.isSameFailure(as: failure) },
        consumed: outcome.sequence ?? candidate, duration: outcome.duration)
    }
  }

  /// Returns the same choices, with ranks as a replay counts them, as long as there are ranks other than those of FIFO order.
  private func inTheOrderOfReplays(_ failed: KeptExecution) async -> ChoiceSequence {
    if failed.outcome.holdsBack { return failed.sequence }
    var request = ReplayRequest(failed.sequence, order: .translated)
    request.mostSteps = SimulatedExecution.unfairSteps
    var sequence = failed.sequence
    if let translated = await replay(request).sequence { sequence.schedule = translated.schedule }
    return sequence
  }

  private func conclude(
    _ failed: KeptExecution,
    _ sequence: ChoiceSequence,
    _ replayed: ExecutionOutcome,
    _ shrinking: Exploration.Failure.Shrinking
  ) -> Exploration.Failure {
    let diagnostics = replayed.diagnostics.isEmpty ? failed.outcome.diagnostics : replayed.diagnostics
    let consumed = replayed.sequence ?? sequence
    var failure = Exploration.Failure(
      execution: failed.number,
      seed: context.explorer.seed,
      schedule: ReplayToken(consumed, fingerprint: context.fingerprint).text,
      diagnostics: diagnostics,
      draws: replayed.drawn.map(\.description),
      cancellations: replayed.cancelled,
      shrinking: shrinking
    )
    failure.sequence = consumed
    failure.log = replayed.log ?? EventLog()
    let more = replayed.warnings.filter { !warnings.contains($0) }
    failure.shownWarnings = warnings + more
    failure.remarks =
      warnings.map(\.description) + (lostControl ? [Remark.isOutOfControl] : []) + more.map(\.description)
      + [Remark.timePassed(in: failure.log)].compactMap(\.self)
    return failure
  }
}

/// A request to run the choices of an execution again.
struct ReplayRequest: Codable, Sendable {
  /// Runs the choices of an execution again, in this process or in one of its own.
  typealias Replay = @Sendable (ReplayRequest) async -> ExecutionOutcome

  enum Order: String, Codable {
    /// The order that the choices say.
    case recorded
    /// The same with ranks that count arrivals, which become those of a replay.
    case translated
    /// The same, but no task cancels another one.
    case uncancelled
    /// Each task as far as it can run.
    case toCompletion
    /// The order of the request's tasks.
    case ofTasks
  }

  var order = Order.recorded
  var sequence: ChoiceSequence
  var tasks = TaskOrder()
  var isLogged = false
  /// Whether it is an execution that no report shows, so that its output and its attachments are dropped.
  var isHidden = false
  /// The steps at which all functions that wait for each other are logged.
  var stacksAt: [Int] = []
  var mostSteps = Int.max
  /// How many seconds a job may run until it counts as a hang, where that is not the usual time.
  var hangTimeout: Int?

  init(_ sequence: ChoiceSequence, order: Order = .recorded, isLogged: Bool = false) {
    self.sequence = sequence
    self.order = order
    self.isLogged = isLogged
  }

  /// The most jobs of an execution that only decides how a livelock is shrunk.
  static let stepsOfCheapLivelock = 20_000

  /// A request to see whether an execution fails in the same way; a livelock is taken for one after fewer jobs.
  init(_ sequence: ChoiceSequence, toSeeWhether failure: Diagnostic) {
    self.init(sequence)
    if failure.isEndless { mostSteps = ReplayRequest.stepsOfCheapLivelock }
  }

  /// The strategy that follows the order.
  var strategy: SchedulingStrategy {
    switch order {
    case .recorded: ReplayStrategy(sequence)
    case .translated: ReplayStrategy(sequence, countsArrivals: true)
    case .uncancelled: ReplayStrategy(sequence, [.holdsBack, .ignoresCancellation])
    case .toCompletion: RunToCompletionStrategy()
    case .ofTasks: TaskOrderStrategy(tasks)
    }
  }

  /// The choices besides that order.
  var replayed: ChoiceSequence {
    var replayed = sequence
    if order == .toCompletion { replayed.preemption = [] }
    return replayed
  }
}
