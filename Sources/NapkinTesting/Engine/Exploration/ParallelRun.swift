// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Runs executions on the real thread pool, one after the other: for data races, which only threads show.
///
/// Run the tests under `--sanitize=thread` to have such a race named. Nothing here can be replayed or shrunk; the
/// drawn values are reported, and the rest is up to the threads.
struct ParallelRun: Sendable {
  let context: SearchContext
  /// The most executions to run.
  let executions: Int
  let body: @Sendable () async throws -> Void

  /// How long an execution may take before it counts as a hang; nothing else distinguishes a deadlock from a long wait here.
  private static let timeout = Duration.seconds(60)

  func run() async -> Exploration {
    let stopwatch = Stopwatch()
    let capture = IssueCapture()
    return await capture.around {
      let progress = await ProgressLine(
        executions: context.timeBudget == nil ? executions : nil, budget: context.timeBudget)
      var tally = SearchTally()
      var isCancelled = false
      while tally.failed.isEmpty, tally.executions < executions, !isCancelled,
        tally.executions == 0 || !isTimeUp(stopwatch)
      {
        await progress.show(executions: tally.executions, schedules: nil, elapsed: stopwatch.elapsed)
        let number = context.shard.number(at: tally.executions)
        let execution = ParallelExecution(random: SplitMix64(seed: context.explorer.seed, index: UInt64(number - 1)))
        let outcome = await run(execution, capture)
        _ = tally.add(outcome, number: number)
        isCancelled = Task.isCancelled
      }
      await progress.end()
      var result = tally.result(onThreads: context, since: stopwatch)
      if isCancelled, tally.executions < executions { result.diagnostics.append(.cancelled(after: tally.executions)) }
      return result
    }
  }

  private func isTimeUp(_ stopwatch: Stopwatch) -> Bool {
    (context.timeBudget ?? context.explorer.time).map { stopwatch.elapsed >= $0 } ?? false
  }

  private func run(_ execution: ParallelExecution, _ capture: IssueCapture) async -> ExecutionOutcome {
    let start = Stopwatch()
    capture.begin(execution)
    let ending = await CurrentExecution.$inherited.withValue(execution) { await waitForBody() }
    execution.end()
    capture.end()
    var outcome = execution.outcome(after: start.elapsed)
    // The body had data that it did not ask for.
    if outcome.rejection != nil { return outcome }
    switch ending {
    case .returned: break
    case .threw(let error):
      if outcome.diagnostics.isEmpty, !IssueCapture.cancelsTest(error) {
        outcome.diagnostics.append(Diagnostic(thrown: error))
      }
    case .stuck: outcome.diagnostics.append(.hang(after: Self.timeout))
    }
    return outcome
  }

  private enum Ending: Sendable {
    case returned, stuck
    case threw(any Error)
  }

  /// Waits for the body, or until the timeout.
  private func waitForBody() async -> Ending {
    let deadline = Deadline(after: Self.timeout)
    let (arrivals, continuation) = AsyncStream<Ending>.makeStream()
    deadline.whenOver { continuation.yield(.stuck) }
    let task = Task(name: "body") { [body] in
      do {
        try await body()
        continuation.yield(.returned)
      } catch {
        continuation.yield(.threw(error))
      }
    }
    // In a task of its own: a cancelled one would not wait.
    return await Task {
      for await arrival in arrivals {
        // The body may be borrowed, and its task holds it until that has ended.
        if case .stuck = arrival { return arrival }
        await task.value
        return arrival
      }
      return .stuck
    }.value
  }
}

/// One execution on the real thread pool: nothing of its schedule is controlled, and everything in it may be called at once.
final class ParallelExecution: ExecutionScope {
  private struct State: ~Copyable {
    var random: SplitMix64
    var diagnostics: [Diagnostic] = []
    var warnings: [Diagnostic] = []
    var rejection: Diagnostic?
    var drawn: [DrawnValue] = []
    var labels = ExecutionLabels()
    var endings: [@Sendable () -> Void] = []
  }

  private let state: Mutex<State>

  init(random: SplitMix64) { state = Mutex(State(random: random)) }

  /// The outcome of the execution, once it is over.
  func outcome(after duration: Duration) -> ExecutionOutcome {
    state.withLock { state in
      ExecutionOutcome(
        diagnostics: state.rejection == nil ? state.diagnostics : [], drawn: state.drawn, duration: duration,
        rejection: state.rejection, warnings: state.warnings, labels: state.labels)
    }
  }

  var isSimulated: Bool { false }
  var runsWholeSteps: Bool { false }
  var isLogged: Bool { false }
  var hasFailed: Bool {
    state.withLock { $0.diagnostics.contains { if case .violation = $0.kind { true } else { false } } }
  }

  // There is no timeline: the order of the threads' actions is not known here.
  func note(_ text: @autoclosure () -> String) {}
  func log(_ kind: Event.Kind, line: String?) {}

  // The pool's threads are scheduling points enough.
  nonisolated(nonsending) func schedulingPoint() async {}

  // The pool cannot be asked whether it has nothing to do, so the other tasks get a few milliseconds.
  nonisolated(nonsending) func quiescence() async {
    for _ in 0..<20 { await letTimePass(seconds: 1) }
  }

  func letThreadsRun() -> Bool { false }

  nonisolated(nonsending) func letTimePass(seconds: Int) async {
    try? await ContinuousClock().sleep(for: .microseconds(200))
  }

  // Not known there.
  nonisolated(nonsending) func tasksThatDoNotEnd(
    of isSuspect: @Sendable (SourcePlace) -> Bool
  ) async -> [UnendedTask] { [] }

  var unendedTasks: [UnendedTask] { [] }

  func fail(_ diagnostic: Diagnostic) {
    state.withLock { state in
      guard state.diagnostics.count < Diagnostic.mostBrokenRules, !state.diagnostics.contains(diagnostic) else {
        return
      }
      state.diagnostics.append(diagnostic)
    }
  }

  func hear(_ issue: HeardIssue) {
    state.withLock {
      if issue.isFailure {
        $0.diagnostics.append(Diagnostic(issue))
      } else {
        $0.warnings.append(issue.warning)
      }
    }
  }

  // Only the drawn values vary here, so no execution is gone back to.
  func target(_ score: Double) {}

  func label(_ name: String) { state.withLock { $0.labels.add(name) } }
  func countAction(_ action: Int, isSkipped: Bool) {
    state.withLock { $0.labels.actions.count(action, isSkipped: isSkipped) }
  }
  func reach(_ goal: Goal, isMet: Bool) { state.withLock { $0.labels.add(goal, isMet: isMet) } }

  // The pool's threads answer when they do.
  func delayAnswers<A: Actor>(of actor: A, within longest: Duration) {}
  func delayAnswers(ofAll type: any Actor.Type, within longest: Duration) {}

  func warn(_ warning: Diagnostic) { state.withLock { $0.warnings.append(warning) } }

  // A thread of its own has each of these tasks.
  func whenTasksGoOn(_ judge: @escaping @Sendable (Set<UInt64>) -> Bool) {}

  func whenOver(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.endings.append(action) } }

  /// Called once, when the body is over.
  func end() {
    let endings = state.withLock { state in
      defer { state.endings = [] }
      return state.endings
    }
    for ending in endings { ending() }
  }

  func draw<Value>(_ generator: Gen<Value>, _ label: String?, words: (Value) -> String) -> Value {
    // A generator may be the test's code, so none runs under the lock: each draw has a tape of its own.
    let tape = ChoiceTape(then: .random(state.withLock { $0.random.split() }))
    let value = generator.draw(from: tape)
    let drawn = DrawnValue(label: label, text: words(value))
    state.withLock { state in
      state.drawn.append(drawn)
      state.diagnostics += tape.problems
      if state.rejection == nil { state.rejection = tape.rejection }
    }
    return value
  }
}
