// SPDX-License-Identifier: Apache-2.0

/// Counts the executions of an exploration and their outcomes, whichever process ran them.
struct SearchTally {
  // Stored, since a function of this structure would be handed a copy at each execution, where code is not optimised.
  private(set) var executions = 0
  // The result so far, without a verdict.
  private var exploration = Exploration()
  private(set) var distinct = DistinctCounter()
  /// An execution left something to other threads, be it one that is not counted.
  var lostControl = false
  /// A step that was stopped had a lock.
  var hasLost: Bool {
    get { health.hasLost }
    set { health.hasLost = newValue }
  }
  private var health = HealthCheck()
  private var warnings = WarningTally()
  private var hasGoneFair = false
  /// Whether the order of the jobs is all that an execution could differ in.
  private(set) var isOrderAll = true
  // The first execution, with its choices, if it has passed.
  private var first: KeptExecution?

  /// The failure to report, if there is one.
  private(set) var failed: [KeptExecution] = []

  // Whether it is of executions that another process counts with others: nothing is decided of all of them here.
  private let isOfPart: Bool

  init(isOfPart: Bool = false) { self.isOfPart = isOfPart }

  /// Counts an execution, and keeps it if it failed; a discarded one fails if nine in ten are discarded.
  ///
  /// - Returns: Whether it failed.
  mutating func add(_ outcome: ExecutionOutcome, number: Int) -> Bool {
    count(outcome, number)
    if let rejection = outcome.rejection {
      health.discard(rejection)
      guard !isOfPart, let tooMany = health.tooMany(of: executions, rejection) else { return false }
      var outcome = outcome
      (outcome.diagnostics, outcome.holdsBack) = ([tooMany], true)
      failed.append(KeptExecution(number: number, outcome: outcome))
      return true
    }
    exploration.tally.add(outcome.labels)
    if !outcome.diagnostics.isEmpty { failed.append(KeptExecution(number: number, outcome: outcome)) }
    return !failed.isEmpty
  }

  private mutating func count(_ outcome: ExecutionOutcome, _ number: Int) {
    if outcome.isOutOfControl { lostControl = true }
    executions += 1
    exploration.steps += outcome.steps
    if let more = outcome.preemptions { exploration.preemptions = (exploration.preemptions ?? 0) + more }
    health.look(at: outcome, number: number, took: outcome.duration)
    distinct.insert(outcome.scheduleHash)
    if outcome.hasActors { exploration.entersActors = true }
    warnings.add(outcome.warnings)
    if let seen = outcome.answers { exploration.answers.add(seen) }
    if !outcome.awaits.isEmpty { exploration.answers.add(outcome.awaits) }
    if outcome.hasGoneFair { hasGoneFair = true }
    if outcome.hasMoreThanOrder { isOrderAll = false }
    if executions == 1, outcome.diagnostics.isEmpty, outcome.rejection == nil, outcome.sequence != nil {
      first = KeptExecution(number: number, outcome: outcome)
    }
    // At powers of two the curve is short, and long where it flattens.
    if executions & (executions - 1) == 0 {
      exploration.saturation.append(executions: executions, schedules: distinct.count)
    }
  }

  /// The result of the exploration, with its failures shrunk and explained.
  func result(
    of context: SearchContext, isExhausted: Bool, processWarnings: [Diagnostic], since stopwatch: Stopwatch,
    replay: @escaping ReplayRequest.Replay
  ) async -> Exploration {
    let nondeterminism = processWarnings.first { $0.subject == .notDeterministic }
    // Where another thread decides, an execution that passed and fails now says nothing of the ones between.
    let passed = lostControl ? nil : first
    let reduction = FailureReduction(
      context: context, warnings: processWarnings, lostControl: lostControl, replay: replay,
      passed: passed, nondeterminism: nondeterminism)
    var failures = await reduction.failures(of: failed)
    if failures.isEmpty { failures = [nothingLeft(context)].compactMap(\.self) }
    if failures.isEmpty { failures = context.missedGoals(of: exploration.tally) }
    var result = exploration
    result.executions = executions
    result.discardedExecutions = health.discarded
    result.distinctSchedules = distinct.count
    result.isExhaustive = failed.isEmpty && isExhausted && isOrderAll && !lostControl && !hasGoneFair
    if case .exhaustive(_, let assumed) = context.explorer.strategy.kind { result.assumption = assumed }
    result.duration = stopwatch.elapsed
    result.saturation.append(executions: executions, schedules: distinct.count)
    result.saturation.estimatedUnseenProbability = unseen(context, result.isExhaustive)
    result.knownIssues = warnings.knownIssues(of: executions)
    for index in failures.indices { failures[index].distinctSchedules = distinct.count }
    result.failures = failures
    result.diagnostics =
      failures.compactMap(\.doubt).filter { !processWarnings.contains($0) }
      + processWarnings + warnings.warnings(of: executions)
      + (failures.isEmpty ? context.goalsLeftOpen(by: result.tally) : [])
      + (failed.isEmpty ? health.warnings(of: executions, by: context) : [])
    if let busyWait = await busyWait(replay) { result.diagnostics.append(busyWait) }
    return result
  }

  /// Runs the values of the first execution in two orders where executions have many steps.
  ///
  /// A loop that yields until another task has done something takes more rounds in one order than in another, and any other loop
  /// as many. A short exploration would take a quarter longer, so none is looked at.
  private func busyWait(_ replay: ReplayRequest.Replay) async -> Diagnostic? {
    guard failed.isEmpty, !lostControl, executions > DeterminismCheck.most,
      exploration.steps / executions >= Diagnostic.stepsOfBusyWait, var sequence = first?.sequence
    else { return nil }
    (sequence.schedule, sequence.preemption) = ([], [])
    // A log costs as much as hundreds of executions, so the numbers of steps come first.
    for isLogged in [false, true] {
      var outcomes: [ExecutionOutcome] = []
      for order in [ReplayRequest.Order.recorded, .toCompletion] {
        var request = ReplayRequest(sequence, order: order, isLogged: isLogged)
        request.isHidden = true
        outcomes.append(await replay(request))
      }
      let areLike = outcomes.allSatisfy { $0.diagnostics.isEmpty && $0.rejection == nil && !$0.isOutOfControl }
      guard areLike, outcomes[0].steps != outcomes[1].steps else { return nil }
      let yields = outcomes.map { $0.log?.yields ?? [:] }
      let most = yields[0].max { ($0.value, $1.key) < ($1.value, $0.key) }
      if let most, most.value != yields[1][most.key] {
        return .busyWait(of: most.value, among: outcomes[0].steps, at: most.key)
      }
    }
    return nil
  }

  /// The result of executions on threads: none can be replayed, and their schedules are not known.
  func result(onThreads context: SearchContext, since stopwatch: Stopwatch) -> Exploration {
    var failures = failed.map { failed in
      var failure = Exploration.Failure(
        execution: failed.number, seed: context.explorer.seed, schedule: "", diagnostics: failed.outcome.diagnostics,
        draws: failed.outcome.rejection == nil ? failed.outcome.drawn.map(\.description) : [])
      failure.remarks = [Remark.isParallel]
      return failure
    }
    if failures.isEmpty { failures = [nothingLeft(context)].compactMap(\.self) }
    let doubts = context.goalsLeftOpen(by: exploration.tally) + [health.manyRejected(of: executions, by: context)]
    return Exploration(
      executions: executions, preemptions: Instrumentation.splitsSteps ? 0 : nil, duration: stopwatch.elapsed,
      discardedExecutions: health.discarded, tally: exploration.tally,
      diagnostics: warnings.warnings(of: executions) + (failures.isEmpty ? doubts.compactMap(\.self) : []),
      failures: failures.isEmpty ? context.missedGoals(of: exploration.tally) : failures,
      knownIssues: warnings.knownIssues(of: executions))
  }

  private func nothingLeft(_ context: SearchContext) -> Exploration.Failure? {
    health.nothingLeft(of: executions, by: context).map { context.failure(of: $0) }
  }

  /// The probability of a new schedule; unknown where executions are not drawn at random.
  private func unseen(_ context: SearchContext, _ isExhaustive: Bool) -> Double? {
    if isExhaustive { return 0 }
    switch context.explorer.strategy.kind {
    case .fifo, .replay, .exhaustive, .guided, .parallel: return nil
    default: return executions < 2 ? nil : distinct.unseen
    }
  }
}

/// An execution that failed, before it is shrunk; or the first one, which has passed.
struct KeptExecution: Sendable {
  /// The number of the execution, counted from one.
  let number: Int
  /// The result of the execution, with its choices.
  var outcome: ExecutionOutcome

  var first: Diagnostic { outcome.diagnostics[0] }
  var sequence: ChoiceSequence { outcome.sequence ?? ChoiceSequence() }
}

/// Counts the warnings of executions, each once by its subject, in the order in which they were first added.
struct WarningTally {
  private var warnings: [(warning: Diagnostic, executions: Int)] = []

  /// Counts the warnings of one execution.
  mutating func add(_ added: [Diagnostic]) {
    guard !added.isEmpty else { return }
    var seen: Set<Diagnostic.Subject?> = []
    for warning in added where seen.insert(warning.subject).inserted {
      if let position = warnings.firstIndex(where: { $0.warning.subject == warning.subject }) {
        warnings[position].executions += 1
      } else {
        warnings.append((warning, 1))
      }
    }
  }

  /// The warnings, each with the number of executions that added it, unless all did.
  func warnings(of executions: Int) -> [Diagnostic] { counted(of: executions).filter { $0.kind != .knownIssue } }

  /// The known issues, each with that number, too.
  func knownIssues(of executions: Int) -> [Diagnostic] { counted(of: executions).filter { $0.kind == .knownIssue } }

  private func counted(of executions: Int) -> [Diagnostic] {
    warnings.compactMap { warning, count in
      // Some count only if all of several executions added them.
      if case .neverCalled = warning.subject, count < max(executions, 2) { return nil }
      return count < executions ? warning.seen(in: count, of: executions) : warning
    }
  }
}

/// Counts different 64-bit hashes in bounded memory: exactly at first, then by estimate.
///
/// It keeps the smallest `capacity` hashes. While there are fewer, their number is the answer; after that the largest of
/// them shows how dense all of them lie. Bar-Yossef et al., "Counting distinct elements in a data stream" (RANDOM 2002);
/// the standard error is 1 / √capacity.
package struct DistinctCounter {
  private static let capacity = 65_536

  private var smallest: Set<UInt64> = []
  private var limit = UInt64.max

  // The schedules that were counted more than once, and how often all of them together were.
  private var repeated: Set<UInt64> = []
  private var total = 0

  package init() {}

  /// Counts a hash; one that was counted before adds nothing to `count`.
  package mutating func insert(_ hash: UInt64) {
    guard hash < limit else { return }
    total &+= 1
    guard smallest.insert(hash).inserted else {
      repeated.insert(hash)
      return
    }
    // Half of twice the capacity is thrown out at once, so that an insertion costs the same on average as a look-up.
    if smallest.count >= 2 * Self.capacity { shed() }
  }

  /// How many different hashes there were, or about how many.
  package var count: Int {
    if limit == .max { return smallest.count }
    return Int(Double(smallest.count) / (Double(limit) / Double(UInt64.max)))
  }

  /// The share of hashes to come that will be new, as Good and Turing estimate it: the share of those that came once.
  ///
  /// Good, "The population frequencies of species and the estimation of population parameters", 1953. The hashes that are
  /// kept are as good as drawn at random, so they represent all. It is nil before anything was counted.
  package var unseen: Double? {
    total == 0 ? nil : Double(smallest.count - repeated.count) / Double(total)
  }

  private mutating func shed() {
    let sorted = smallest.sorted()
    limit = sorted[Self.capacity]
    // As good as drawn at random, those that stay were counted as often as those that go.
    total = total * Self.capacity / smallest.count
    smallest = Set(sorted[..<Self.capacity])
    repeated = repeated.filter { $0 < limit }
  }
}
