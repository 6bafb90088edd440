// SPDX-License-Identifier: Apache-2.0

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
  private let body: @Sendable () async throws -> Void
  private let capture: IssueCapture
  private let stopwatch = Stopwatch()
  @exclusivity(unchecked) private var outside = OutsideWait()

  /// The most jobs of an execution that only decides how a livelock is shrunk.
  nonisolated static let stepsOfCheapLivelock = 20_000

  /// The record of the ready jobs in the next execution, which keeps its choices then; nil where nothing is compared.
  var readiness: Readiness?

  /// Whether the choices of the next execution are kept, though it may pass.
  var keepsChoices = false

  /// Whether the exploration has one execution, which is shown then when it runs, and not when it is reported.
  var isSingle = false

  /// Whether a body has cancelled the test.
  private(set) var cancelsTest = false
  // Whether an execution that left tasks waiting has been described.
  private var hasReportedWaiting = false
  let preemptions = PreemptionPlan()
  @exclusivity(unchecked) private var answers = AnswerWatch()
  private lazy var awaits = AwaitTable()

  // The most jobs that an execution had, and the most times that one could let time pass while a task was ready.
  private var longest = 0
  private var mostEarlyTimers = 0

  // Jobs until the schedule is made fair, so that a task that polls does not keep out the task that it waits for; and jobs
  // after the body is done until the tasks that it started have to be done, too.
  nonisolated static let unfairSteps = 10_000
  private static let stepsAfterwards = 20_000

  nonisolated init(
    _ explorer: Explorer, capture: IssueCapture, body: @escaping @Sendable () async throws -> Void
  ) {
    self.explorer = explorer
    self.body = body
    self.capture = capture
  }

  /// An execution that has begun and is not over.
  final class Run {
    let explorer: Explorer
    let number: Int
    let execution: SimulatedExecution
    let scheduler: Scheduler
    let strategy: SchedulingStrategy
    /// The action at its end.
    let whenOver: ExecutionHooks.End
    let inbox: Inbox
    fileprivate let body = BodyState()
    let start: Stopwatch
    /// How the body ended, once it has and the tasks that it left behind run on.
    fileprivate var ending: Ending?
    var stepLimit: Int
    /// The time of the exploration at which it is cut short; nil for an execution that runs again.
    let deadline: Duration?
    /// Whether its body has been started.
    var hasStarted = false

    init(
      _ explorer: Explorer, number: Int, _ execution: SimulatedExecution, under strategy: SchedulingStrategy,
      whenOver: @escaping ExecutionHooks.End, _ inbox: Inbox, start: Stopwatch, stepLimit: Int, deadline: Duration?
    ) {
      self.explorer = explorer
      self.number = number
      self.execution = execution
      scheduler = execution.scheduler
      self.strategy = strategy
      self.whenOver = whenOver
      self.inbox = inbox
      self.start = start
      self.stepLimit = stepLimit
      self.deadline = deadline
    }
  }

  @exclusivity(unchecked) private var run: Run?

  /// Runs the body once, under a strategy that has begun, with data from a tape.
  ///
  /// Every execution pays for the work here, and some of them take no longer than a hundred counts of a reference.
  ///
  /// - Returns: How it went; nil if it waits for another thread, see ``waitForOutside()`` and ``proceed()``.
  func execute(
    under strategy: SchedulingStrategy,
    drawingFrom tape: ChoiceTape,
    number: Int,
    isLogged: Bool = false, isHidden: Bool = false, stacksAt: [Int] = [], mostSteps: Int = .max,
    timeLeft: Duration? = nil
  ) -> Outcome? {
    CrashReport.prepare()
    let start = Stopwatch()
    let scheduler = Scheduler(strategy: strategy)
    scheduler.order.isLesson = strategy.options.contains(.learns)
    if explorer.strategy.drawsTime {
      scheduler.earlyTimers = EarlyTimers(seed: explorer.seed, execution: number, expecting: mostEarlyTimers)
    }
    scheduler.busyTime = explorer.busyTime?.wholeNanoseconds ?? .max
    if isLogged { scheduler.log = SchedulerLog(stacksAt: stacksAt) }
    readiness?.removeAll()
    if let readiness { scheduler.readiness = readiness }
    preemptions.begin(scheduler, tape, explorer, number)
    watchAnswers(scheduler, strategy)
    if explorer.cancels || tape.hasCancellations {
      let random = SplitMix64(seed: ~explorer.seed, index: UInt64(number))
      scheduler.cancellation = AimedCancellation(tape: tape, random: random, steps: longest)
    }
    let execution = SimulatedExecution(
      scheduler: scheduler, tape: tape, isShown: !isHidden && isLogged != isSingle, holdsBack: scheduler.holdsBack,
      describesDraws: isLogged)
    let whenOver = ExecutionHooks.begin(execution, isLogged: isLogged && !isHidden)
    capture.begin(execution)
    let inbox = Inbox(of: execution)
    scheduler.inbox = inbox
    outside.begin()
    scheduler.inC.pointee.number = inbox.owner
    scheduler.inC.pointee.keeps_creators = scheduler.readiness != nil
    scheduler.inC.pointee.holds_output = RunSettings.holdsOutput && !execution.isShown
    scheduler.inC.pointee.split = scheduler.halfRun?.counts
    let run = Run(
      explorer, number: number, execution, under: strategy, whenOver: whenOver, inbox, start: start,
      stepLimit: min(mostSteps, explorer.steps),
      deadline: timeLeft.map { stopwatch.elapsed + $0 })
    self.run = run
    CrashReport.subjects.append(run)
    return proceed()
  }

  private func watchAnswers(_ scheduler: Scheduler, _ strategy: SchedulingStrategy) {
    // A step that is stopped moves calls and answers, which says nothing of a network.
    let isOn = answers.isOn(isExhaustive: explorer.strategy.isExhaustive)
    guard scheduler.halfRun == nil || Instrumentation.splitsSteps else { return }
    if isOn { scheduler.answers = AnswerOrder(main: scheduler.main.identity) }
    // A repetition is not counted, nor what it finds.
    guard answers.looksAtAwaits, !(strategy is ReplayStrategy) else { return }
    scheduler.inC.pointee.awaits = awaits.inC
    if napkin_begin_awaits(awaits.inC) { scheduler.awaits = awaits }
  }

  /// Goes on with the execution that waits; nil if it still does.
  func proceed() -> Outcome? {
    guard let run else { preconditionFailure("no execution has begun") }
    guard let ending = control(run) else { return nil }
    self.run = nil
    return end(run, ending)
  }

  /// Waits in real time until another thread brings something, or has for too long not; the main actor is free meanwhile.
  nonisolated func waitForOutside() async {
    let (heard, limit) = await (outside.heard, outside.limit)
    await OutsideWait.wait(after: heard, for: limit)
  }

  /// Gives standard output its buffer back, after one execution or many.
  func bufferOutput() { napkin_buffer_output(true) }

  private func end(_ run: Run, _ ending: Ending) -> Outcome {
    let (scheduler, inbox) = (run.scheduler, run.inbox)
    scheduler.stopCancelling()
    if !ending.isOrderly { AbandonedTasks.add(scheduler.numbers.ids) }
    inbox.close(givingBack: ending.isOrderly)
    CrashReport.subjects.removeAll { $0 === run }
    run.execution.end()
    capture.end()
    run.whenOver()
    let learns = scheduler.order.isLesson
    let isLost = scheduler.halfRun?.isLost ?? false
    // A lost one is run again.
    if !isLost { run.strategy.end(choices: scheduler.picks, lesson: learns ? run.execution.lesson : nil) }
    longest = max(longest, scheduler.steps)
    mostEarlyTimers = max(mostEarlyTimers, scheduler.earlyTimers.met)
    let returned = inbox.summary
    let isElsewhere = returned.count == scheduler.otherImages?.returned && returned.places.isEmpty
    if returned.count != 0, !isElsewhere {
      outside.brought(isUnannounced: returned.isUnannounced, leavesThreads: inbox.leavesThreads)
      run.execution.warn(.lostControl(to: returned.places))
    }
    var outcome = outcome(of: run, ending)
    preemptions.end(scheduler)
    answers.add(outcome.answers, schedule: outcome.scheduleHash)
    outcome.duration = run.start.elapsed
    outcome.isOutOfControl =
      isLost || returned.count != 0 || !returned.places.isEmpty || run.execution.hearsUnknownThread
    if ending.isOrderly, outcome.diagnostics.isEmpty, !outcome.isOutOfControl { lookForWaiting(scheduler, &outcome) }
    scheduler.live.removeAll()
    scheduler.timers = Timers()
    return outcome
  }

  /// Looks which tasks have not ended, though nothing is left that could resume them.
  private func lookForWaiting(_ scheduler: Scheduler, _ outcome: inout Outcome) {
    guard SelfTest.knowsCompletion, scheduler.cancelled.isEmpty, !scheduler.hasDiscarded else { return }
    let waiting = scheduler.live.waiting
    outcome.leftWaiting = waiting.count
    guard !waiting.isEmpty, !hasReportedWaiting else { return }
    hasReportedWaiting = true
    outcome.waiting = waiting.map { task, number in
      let place = Symbolicator.resumption(of: task)
      return "task \(number)" + (place.map { ", at \($0.located())" } ?? "")
    }
  }

  /// Takes the thread, runs everything, and gives the thread back as it was: an exploration may run inside another.
  private func control(_ run: Run) -> Ending? {
    let scheduler = run.scheduler
    let outer = (
      scheduler: Scheduler.unretained, CurrentExecution.explored,
      inC: napkin_use_execution(scheduler.inC)
    )
    let isNested = outer.scheduler != nil
    let wasInJob = isNested && napkin_leave_job()
    Scheduler.unretained = .passUnretained(scheduler)
    CurrentExecution.explored = run.execution
    napkin_set_hooks()
    scheduler.outer = outer.scheduler?.takeUnretainedValue()
    napkin_explore_on_this_thread()
    defer {
      (Scheduler.unretained, CurrentExecution.explored) = (outer.scheduler, outer.1)
      napkin_use_execution(outer.inC)
      if wasInJob { napkin_return_to_job() }
      if !isNested { napkin_stop_exploring() }
    }
    if !run.hasStarted {
      run.hasStarted = true
      napkin_forget_output()
      start(run.body)
    }
    while true {
      if let ending = pump(run) {
        scheduler.finishHalfRun()
        return ending
      }
      guard isNested else { return nil }
      // The main actor belongs to the outer execution, so this thread waits.
      napkin_await_ring(outside.heard, outside.limit.wholeNanoseconds)
    }
  }

  private func start(_ state: BodyState) {
    Task { @concurrent [body] in
      do {
        try await body()
        state.set(.returned)
      } catch {
        state.set(.threw(error))
      }
    }
  }

  /// Runs until the execution has ended; nil if it has to wait for jobs from other threads.
  private func pump(_ run: Run) -> Ending? {
    let (scheduler, inbox) = (run.scheduler, run.inbox)
    while true {
      if scheduler.runReady(limit: min(Self.unfairSteps, run.stepLimit)) == .stepLimit, runFairly(run) == .stepLimit {
        if run.execution.hasDeafTask { return .deaf }
        if scheduler.steps < run.stepLimit { return .outOfTime }
        return run.body.get() == nil ? .livelock : .straggler
      }
      let heard = napkin_rings()
      if inbox.deliver(to: scheduler) {
        outside.hasBrought()
        continue
      }
      if scheduler.isInLockCycle { return .deadlock }
      if scheduler.inJob.isStuck { return .stuck }
      if run.ending == nil, let ending = run.body.get() {
        settle(run, ending)
        continue
      }
      if run.ending != nil { scheduler.discardTimers() }
      let (lent, errand) = inbox.pending
      let errands = lent + scheduler.yieldsElsewhere
      if errands != 0, outside.waits(for: .errands(errands), heard) { return nil }
      if scheduler.resumeResting() { continue }
      if let ending = run.ending { return scheduler.halfRun?.keepsWaiting ?? false ? .deadlock : ending }
      if let left = scheduler.timeLeftElsewhere(errand) {
        return outside.waitsInRealTime(for: left, heard) ? nil : .sleepElsewhere
      }
      let isStuck = scheduler.timers.earliest == nil && errand == nil
      if outside.waits(for: isStuck ? .anything : .whatCameBefore, heard) { return nil }
      if isStuck { return .deadlock }
      letTimePass(run, errand)
    }
  }

  /// Goes on in FIFO order, and lets time pass now and then although a task is ready.
  ///
  /// A strategy may keep a task out for ever; the runtime does not. So only an execution that does not end here either is
  /// a livelock.
  private func runFairly(_ run: Run) -> Scheduler.Stop {
    let (scheduler, inbox) = (run.scheduler, run.inbox)
    let fair = FairStrategy(scheduler.live)
    scheduler.strategy = fair
    scheduler.earlyTimers.stop()
    while scheduler.runReady(limit: min(scheduler.steps + Self.unfairSteps, run.stepLimit)) == .stepLimit {
      if run.execution.blame(fair.deafTasks(among: scheduler.live)) { return .stepLimit }
      if scheduler.steps >= run.stepLimit { return .stepLimit }
      if let deadline = run.deadline, stopwatch.elapsed >= deadline { return .stepLimit }
      if inbox.deliver(to: scheduler) {
        outside.hasBrought()
      } else if run.ending == nil {
        let errand = inbox.pending.next
        if scheduler.waitsBusily(errand) { continue }
        if scheduler.timers.earliest != nil || errand != nil { letTimePass(run, errand) }
      }
    }
    return .nothingReady
  }

  /// Lets time pass until the next timer, or until the next errand is to be left to its queue.
  private func letTimePass(_ run: Run, _ errand: Int64?) {
    let scheduler = run.scheduler
    outside.timePasses()
    let errand = errand ?? .max
    if let timer = scheduler.timers.earliest, timer <= errand {
      _ = scheduler.advance()
    } else {
      scheduler.letTimePass(until: errand)
      run.inbox.sendNextErrand()
    }
  }

  /// Lets the tasks that the body left behind end: ready ones may go on for a while, and sleeps are discarded.
  private func settle(_ run: Run, _ ending: Ending) {
    let scheduler = run.scheduler
    run.ending = ending
    run.stepLimit = scheduler.steps + Self.stepsAfterwards
    scheduler.strategy = plain
    scheduler.stopCancelling()
    scheduler.earlyTimers.stop()
    for type in scheduler.lateAnswers?.unmet ?? [] { scheduler.warn(.neverCalled(type)) }
    scheduler.lateAnswers = nil
  }

  /// A deadlock; only an execution with a log names the tasks that wait, and the work that has not come back.
  private func stuck(_ run: Run) -> Diagnostic {
    let (scheduler, inbox) = (run.scheduler, run.inbox)
    if let deadlock = scheduler.lockDeadlock { return deadlock }
    guard let log = scheduler.log else { return .deadlock() }
    let places = inbox.pending.count == 0 ? [] : inbox.summary.places
    return .deadlock(waiting: SelfTest.knowsCompletion ? log.waiting : [], outside: log.tasksAway + places)
  }

  private func outcome(of run: Run, _ ending: Ending) -> Outcome {
    let (execution, scheduler) = (run.execution, run.scheduler)
    var diagnostics = execution.diagnostics
    switch ending {
    case .returned, .stuck, .deaf: break
    case .threw(let error):
      // A cancelled task may record it.
      let saysSo = error is CancellationError && scheduler.cancelled.contains { $0.task == 0 }
      cancelsTest = cancelsTest || IssueCapture.cancelsTest(error)
      if diagnostics.isEmpty, !saysSo, !cancelsTest { diagnostics.append(Diagnostic(thrown: error)) }
    case .deadlock: diagnostics.append(stuck(run))
    case .livelock: diagnostics.append(.livelock(steps: explorer.steps))
    case .straggler: diagnostics.append(.outlivingTask)
    case .sleepElsewhere: diagnostics.append(.longSleep(in: scheduler.otherImages?.names.sorted() ?? []))
    case .outOfTime: scheduler.warn(.outOfTime(after: scheduler.steps))
    }
    if let race = scheduler.takeRace() { diagnostics.append(race) }
    if !scheduler.problems.isEmpty { diagnostics.insert(contentsOf: scheduler.problems, at: 0) }
    diagnostics += execution.tape.problems
    var outcome = Outcome(execution)
    outcome.isLost = scheduler.halfRun?.isLost ?? false
    if outcome.isLost { outcome.warnings.append(.lostStop) }
    outcome.diagnostics = outcome.isLost ? [] : diagnostics
    outcome.hasGoneFair = scheduler.steps > Self.unfairSteps
    outcome.rejection = execution.tape.rejection
    outcome.hasMoreThanOrder = explorer.cancels || execution.tape.recorded.count != 0
    let isPreempted = scheduler.halfRun?.preemptions.isEmpty == false
    outcome.hadChoices = scheduler.picks != 0 || execution.tape.recorded.count != 0 || isPreempted
    if !diagnostics.isEmpty || scheduler.log != nil || keepsChoices { outcome.add(execution) }
    return outcome
  }

  /// How far the body's own task is; set on the exploring thread, but the compiler wants it safe from all.
  fileprivate final class BodyState: Sendable {
    private let ending = Mutex<Ending?>(nil)
    func set(_ ending: Ending) { self.ending.withLock { $0 = ending } }
    func get() -> Ending? { ending.withLock { $0 } }
  }
}
