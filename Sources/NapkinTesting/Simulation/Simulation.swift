// SPDX-License-Identifier: Apache-2.0

internal import Napkin
internal import NapkinTestingCRuntime
internal import Synchronization
internal import Testing

/// Runs executions of one body, one at a time, each on the main thread from its first job to its last.
///
/// The main thread it is because `@MainActor` code has to be there. Between two executions the main actor is free.
@MainActor
final class Simulation {
  private let explorer: Explorer
  private let plain = FIFOStrategy()
  private lazy var scheduler = Scheduler(strategy: plain)
  private let body: @Sendable () async throws -> Void
  private let capture: IssueCapture
  private let limits: Limits

  // The most jobs that an execution had, by which cancellations are aimed.
  private var longest = 0

  /// Where an execution is stopped that does not stop by itself.
  struct Limits: Sendable {
    /// Jobs until the body has to be done.
    var steps = 200_000
    /// Jobs after the body is done until what it started has to be done, too.
    var stepsAfterwards = 20_000
  }

  nonisolated init(
    _ explorer: Explorer, capture: IssueCapture, limits: Limits = Limits(),
    body: @escaping @Sendable () async throws -> Void
  ) {
    self.explorer = explorer
    self.body = body
    self.capture = capture
    self.limits = limits
  }

  /// How an execution went.
  struct Outcome: Sendable {
    var problems: [Problem]
    var steps: Int
    var choices: Int
    var scheduleHash: UInt64
    /// Every decision, for a failed execution only: the others are not looked at again.
    var sequence: ChoiceSequence?
    var log: EventLog?
    var drawn: [String] = []
    /// Who was cancelled, and when.
    var cancelled: [String] = []
    /// Why the execution is to be discarded, if it is: a generator gave up, so the body had data that it did not ask for.
    var rejection: Diagnostic?
    /// What makes the execution prove less than it seems to.
    var warnings: [ExplorationWarning] = []
    /// Whether there was anything to vary.
    var hadChoices = false
  }

  /// Runs the body once, under a strategy that has begun, with data from a tape.
  ///
  /// What is done here is done for every execution, and some of them take no longer than a hundred counts of a reference.
  func execute(
    under strategy: SchedulingStrategy,
    drawingFrom tape: ChoiceTape,
    number: Int,
    isLogged: Bool = false
  ) -> Outcome {
    Farewell.prepare()
    let scheduler = scheduler
    let outer = Farewell.subject
    Farewell.subject = Farewell.Subject(explorer: explorer, execution: number, scheduler: scheduler, tape: tape)
    defer { Farewell.subject = outer }
    scheduler.reset()
    scheduler.strategy = strategy.member
    scheduler.log = isLogged ? SchedulerLog() : nil
    if explorer.cancels || tape.hasCancellations {
      let random = SplitMix64(seed: ~explorer.seed, index: UInt64(number))
      scheduler.cancellation = AimedCancellation(tape: tape, random: random, steps: longest)
    }
    defer { scheduler.cancellation = nil }
    let execution = SimulatedExecution(scheduler: scheduler, tape: tape)
    let watch = isLogged ? TreeWatch(of: execution) : nil
    if let watch { LifecycleObservation.add(watch) }
    defer { if let watch { LifecycleObservation.remove(watch) } }
    Remains.startOver()
    let outerOwner = napkin_begin_owning()
    let ending = control(execution)
    if !ending.isOrderly { AbandonedTasks.add(scheduler.taskIDs) }
    napkin_end_owning(outerOwner)
    execution.end()
    Remains.startOver()
    strategy.end(choices: scheduler.trace.count)
    longest = max(longest, scheduler.steps)
    return outcome(of: execution, ending)
  }

  private enum Ending {
    case returned, deadlock, livelock, straggler
    case threw(any Error)

    /// Whether every task of the body had its chance to end.
    var isOrderly: Bool {
      switch self {
      case .returned, .threw: true
      case .deadlock, .livelock, .straggler: false
      }
    }
  }

  /// Takes the thread, runs everything, and gives the thread back as it was: an exploration may run inside another.
  private func control(_ execution: SimulatedExecution) -> Ending {
    let scheduler = execution.scheduler
    let outer = (scheduler: Scheduler.unretained, CurrentExecution.explored, time: napkin_time())
    if outer.scheduler == nil { napkin_begin_time() } else { napkin_set_time(0) }
    Scheduler.unretained = .passUnretained(scheduler)
    CurrentExecution.explored = execution
    napkin_explore_on_this_thread(takeHop)
    defer {
      (Scheduler.unretained, CurrentExecution.explored) = (outer.scheduler, outer.1)
      napkin_set_time(outer.time)
      if outer.scheduler == nil { napkin_stop_exploring() }
    }
    RuntimeProbe.run()
    let state = BodyState()
    Task { @concurrent [body] in
      do {
        try await body()
        state.set(.returned)
      } catch {
        state.set(.threw(error))
      }
    }
    return pump(scheduler, until: state)
  }

  private func pump(_ scheduler: Scheduler, until state: BodyState) -> Ending {
    while true {
      if scheduler.runReady(limit: limits.steps) == .stepLimit { return state.get() == nil ? .livelock : .straggler }
      if let ending = state.get() { return settle(scheduler) ? ending : .straggler }
      if !scheduler.resumeResting(), !scheduler.advance() { return .deadlock }
    }
  }

  /// Lets what the body left behind come to its end: who sleeps is cancelled, and who goes on may do so for a while.
  private func settle(_ scheduler: Scheduler) -> Bool {
    let limit = scheduler.steps + limits.stepsAfterwards
    scheduler.strategy = plain
    scheduler.cancellation = nil
    scheduler.cancelSleepers()
    repeat {
      if scheduler.runReady(limit: limit) == .stepLimit { return false }
      scheduler.cancelSleepers()
    } while scheduler.resumeResting() || scheduler.advance()
    return true
  }

  /// A deadlock, unless somebody outside turns up; that is only waited for in the one execution that is told.
  private func stuck() -> Problem {
    guard let log = scheduler.log else { return .deadlock() }
    let waiting = RuntimeProbe.knowsCompletion ? log.waiting : []
    let away = log.tasksAway
    if !away.isEmpty { return .lostControl(away: away, waiting: waiting) }
    return AbandonedTasks.isResumedFromOutside() ? .lostControl(waiting: waiting) : .deadlock(waiting: waiting)
  }

  private func outcome(of execution: SimulatedExecution, _ ending: Ending) -> Outcome {
    let scheduler = execution.scheduler
    var problems = execution.problems
    for issue in capture.take() where issue.isFailure { problems.append(Problem(issue)) }
    switch ending {
    case .returned: break
    case .threw(let error):
      // Whoever is cancelled may say so.
      let saysSo = error is CancellationError && scheduler.cancelled.contains { $0.task == 0 }
      if problems.isEmpty, !saysSo { problems.append(Problem(thrown: error)) }
    case .deadlock: problems.append(stuck())
    case .livelock: problems.append(.livelock(steps: limits.steps))
    case .straggler: problems.append(.straggler)
    }
    for problem in execution.tape.problems { problems.append(Problem(problem)) }
    let trace = (count: scheduler.trace.count, hash: scheduler.trace.hash)
    var outcome = Outcome(
      problems: problems,
      steps: scheduler.steps,
      choices: trace.count,
      scheduleHash: trace.hash
    )
    outcome.rejection = execution.tape.rejection
    outcome.warnings = scheduler.warnings
    outcome.hadChoices = trace.count != 0 || execution.tape.recorded.count != 0
    if !problems.isEmpty || scheduler.log != nil {
      var sequence = execution.tape.recorded
      sequence.schedule = scheduler.trace.choices
      outcome.sequence = sequence
      outcome.log = scheduler.log?.log
      outcome.drawn = execution.drawn
      outcome.cancelled = scheduler.cancelled.map { task, step in
        "\(scheduler.log?.log.title(ofTask: task) ?? "task \(task)"), after step \(step)"
      }
    }
    return outcome
  }

  /// How far the body's own task is; set on the exploring thread, but the compiler wants it safe from all.
  private final class BodyState: Sendable {
    private let ending = Mutex<Ending?>(nil)
    func set(_ ending: Ending) { self.ending.withLock { $0 = ending } }
    func get() -> Ending? { ending.withLock { $0 } }
  }
}

/// What a hop calls: the task is parked, and the scheduler decides when it goes on.
private let takeHop: napkin_hop_handler = { task, source, target in
  Scheduler.unretained?._withUnsafeGuaranteedRef { $0.hop(task, from: source, to: target) }
}
