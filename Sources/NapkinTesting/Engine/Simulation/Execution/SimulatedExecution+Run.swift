// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime
internal import Synchronization

// The execution on the exploring thread, from its first job to its last: the main one, because `@MainActor` code has to be there.
extension SimulatedExecution {
  // Jobs until the schedule is made fair, so that a task that polls does not keep out the task that it waits for; and jobs
  // after the body is done until the tasks that it started have to be done, too.
  static let unfairSteps = 10_000
  private static let stepsAfterwards = 20_000

  /// Runs the body, or goes on with it, as far as nothing outside is waited for; nil if something is.
  ///
  /// It takes the thread, and gives it back as it was: an exploration may run inside another.
  func proceed(_ work: @escaping @Sendable () async throws -> Void) -> Ending? {
    scheduler.outer = Scheduler.current
    let outer = napkin_use_execution(scheduler.inC)
    let isNested = outer != nil
    let wasInJob = isNested && napkin_leave_job()
    napkin_set_hooks()
    napkin_explore_on_this_thread()
    defer {
      napkin_use_execution(outer)
      if wasInJob { napkin_return_to_job() }
      if !isNested { napkin_stop_exploring() }
    }
    if !hasStarted {
      hasStarted = true
      napkin_forget_output()
      start(work)
    }
    while true {
      if let ending = pump() {
        scheduler.finishHalfRun()
        return ending
      }
      guard isNested else { return nil }
      // The main actor belongs to the outer execution, so this thread waits.
      napkin_await_ring(outside.heard, outside.limit.wholeNanoseconds)
    }
  }

  private func start(_ work: @escaping @Sendable () async throws -> Void) {
    Task { @concurrent [body] in
      do {
        try await work()
        body.set(.returned)
      } catch {
        body.set(.threw(error))
      }
    }
  }

  /// Runs until the execution has ended; nil if it has to wait for jobs from other threads.
  private func pump() -> Ending? {
    let (scheduler, inbox) = (scheduler, inbox)
    while true {
      if scheduler.runReady(limit: min(Self.unfairSteps, stepLimit)) == .stepLimit, runFairly() == .stepLimit {
        if hasDeafTask { return .deaf }
        if scheduler.steps < stepLimit { return .outOfTime }
        return body.get() == nil ? .livelock : .straggler
      }
      let heard = napkin_rings()
      if inbox.deliver(to: scheduler) {
        outside.hasBrought()
        continue
      }
      if scheduler.isInLockCycle { return .deadlock }
      if scheduler.inJob.isStuck { return .stuck }
      if ending == nil, let ending = body.get() {
        settle(ending)
        continue
      }
      if ending != nil { scheduler.discardTimers() }
      let (lent, errand) = inbox.pending
      let errands = lent + scheduler.yieldsElsewhere
      if errands != 0, outside.waits(for: .errands(errands), heard) { return nil }
      if scheduler.resumeResting() { continue }
      if let ending { return scheduler.halfRun?.keepsWaiting ?? false ? .deadlock : ending }
      if let left = scheduler.timeLeftElsewhere(errand) {
        return outside.waitsInRealTime(for: left, heard) ? nil : .sleepElsewhere
      }
      let isStuck = scheduler.timers.earliest == nil && errand == nil
      if outside.waits(for: isStuck ? .anything : .whatCameBefore, heard) { return nil }
      if isStuck { return .deadlock }
      letTimePass(errand)
    }
  }

  /// Goes on in FIFO order, and lets time pass now and then although a task is ready.
  ///
  /// A strategy may keep a task out for ever; the runtime does not. So only an execution that does not end here either is
  /// a livelock.
  private func runFairly() -> Scheduler.Stop {
    let fair = FairStrategy(scheduler.live)
    scheduler.strategy = fair
    scheduler.earlyTimers.stop()
    while scheduler.runReady(limit: min(scheduler.steps + Self.unfairSteps, stepLimit)) == .stepLimit {
      if blame(fair.deafTasks(among: scheduler.live)) { return .stepLimit }
      if scheduler.steps >= stepLimit { return .stepLimit }
      if let timeLeft = request.timeLeft, start.elapsed >= timeLeft { return .stepLimit }
      if inbox.deliver(to: scheduler) {
        outside.hasBrought()
      } else if ending == nil {
        let errand = inbox.pending.next
        if scheduler.waitsBusily(errand) { continue }
        if scheduler.timers.earliest != nil || errand != nil { letTimePass(errand) }
      }
    }
    return .nothingReady
  }

  /// Lets time pass until the next timer, or until the next errand is to be left to its queue.
  private func letTimePass(_ errand: Int64?) {
    outside.timePasses()
    let errand = errand ?? .max
    if let timer = scheduler.timers.earliest, timer <= errand {
      _ = scheduler.advance()
    } else {
      scheduler.letTimePass(until: errand)
      inbox.sendNextErrand()
    }
  }

  /// Lets the tasks that the body left behind end: ready ones may go on for a while, and sleeps are discarded.
  private func settle(_ ending: Ending) {
    self.ending = ending
    stepLimit = scheduler.steps + Self.stepsAfterwards
    scheduler.strategy = FIFOStrategy()
    scheduler.stopCancelling()
    scheduler.earlyTimers.stop()
    for type in scheduler.lateAnswers?.unmet ?? [] { scheduler.warn(.neverCalled(type)) }
    scheduler.lateAnswers = nil
  }

  /// How far the body's own task is; set on the exploring thread, but the compiler wants it safe from all.
  final class BodyState: Sendable {
    private let ending = Mutex<Ending?>(nil)
    func set(_ ending: Ending) { self.ending.withLock { $0 = ending } }
    func get() -> Ending? { ending.withLock { $0 } }
  }
}

extension CurrentExecution {
  /// The execution of the calling code, or nil in an ordinary test.
  ///
  /// On the exploring thread it is found without a task-local, so that `Task.detached` and `deinit` find it too.
  package static var scope: (any ExecutionScope)? {
    napkin_is_exploring_thread() ? explored : inherited
  }

  /// The execution that the exploring thread runs.
  static var explored: SimulatedExecution? {
    guard let execution = napkin_current.pointee.execution else { return nil }
    return Unmanaged<SimulatedExecution>.fromOpaque(execution).takeUnretainedValue()
  }

  /// The execution that takes the issues of the calling code.
  package static var hearing: (any ExecutionScope)? { known ?? IssueCapture.ofThread }

  /// The execution of the calling code, or the one that is known to have left the work to this thread.
  static var known: (any ExecutionScope)? { scope ?? Inbox.scope(of: napkin_owning_here()) }

  /// A point at which the scheduler may run other tasks first; no effect outside an exploration.
  package nonisolated(nonsending) static func schedulingPoint() async {
    await scope?.schedulingPoint()
  }
}

// The execution when it is over.
@MainActor
extension SimulatedExecution {
  /// Ends it: no job of it runs any more, and later ones run where they come.
  func close(_ ending: Ending) {
    scheduler.stopCancelling()
    if !ending.isOrderly { AbandonedTasks.add(scheduler.numbers.ids) }
    inbox.close(givingBack: ending.isOrderly)
    end()
  }

  /// How it went, once it is closed.
  func outcome(_ ending: Ending) -> ExecutionOutcome {
    let (scheduler, tape) = (scheduler, tape)
    let returned = inbox.summary
    let isElsewhere = returned.count == scheduler.otherImages?.returned && returned.places.isEmpty
    if returned.count != 0, !isElsewhere {
      outside.brought(isUnannounced: returned.isUnannounced, leavesThreads: inbox.leavesThreads)
      warn(.lostControl(to: returned.places))
    }
    // The verdict may bring warnings.
    let diagnostics = verdict(ending)
    var outcome = ExecutionOutcome(self)
    outcome.isLost = scheduler.halfRun?.isLost ?? false
    if outcome.isLost { outcome.warnings.append(.lostStop) }
    outcome.diagnostics = outcome.isLost ? [] : diagnostics
    outcome.hasGoneFair = scheduler.steps > Self.unfairSteps
    outcome.rejection = tape.rejection
    outcome.hasMoreThanOrder = request.cancels || tape.recorded.count != 0
    let isPreempted = scheduler.halfRun?.preemptions.isEmpty == false
    outcome.hadChoices = scheduler.picks != 0 || tape.recorded.count != 0 || isPreempted
    if !diagnostics.isEmpty || isLogged || request.keepsChoices { outcome.add(self) }
    outcome.duration = start.elapsed
    outcome.isOutOfControl = outcome.isLost || returned.count != 0 || !returned.places.isEmpty || hearsUnknownThread
    return outcome
  }

  /// Gives its tasks back, after a look at those that an orderly execution has left waiting.
  func drop(_ ending: Ending, _ outcome: inout ExecutionOutcome) {
    if ending.isOrderly, outcome.diagnostics.isEmpty, !outcome.isOutOfControl { lookForWaiting(&outcome) }
    scheduler.live.removeAll()
    scheduler.timers = Timers()
  }

  private func verdict(_ ending: Ending) -> [Diagnostic] {
    var diagnostics = diagnostics
    switch ending {
    case .returned, .stuck, .deaf: break
    case .threw(let error):
      // A cancelled task may record it.
      let saysSo = error is CancellationError && scheduler.cancelled.contains { $0.task == 0 }
      let cancelsTest = IssueCapture.cancelsTest(error)
      if diagnostics.isEmpty, !saysSo, !cancelsTest { diagnostics.append(Diagnostic(thrown: error)) }
    case .deadlock: diagnostics.append(deadlock)
    case .livelock: diagnostics.append(.livelock(steps: request.steps))
    case .straggler: diagnostics.append(.outlivingTask)
    case .sleepElsewhere: diagnostics.append(.longSleep(in: scheduler.otherImages?.names.sorted() ?? []))
    case .outOfTime: scheduler.warn(.outOfTime(after: scheduler.steps))
    }
    if let race = scheduler.takeRace() { diagnostics.append(race) }
    if !scheduler.problems.isEmpty { diagnostics.insert(contentsOf: scheduler.problems, at: 0) }
    return diagnostics + tape.problems
  }

  /// A deadlock; only an execution with a log names the tasks that wait, and the work that has not come back.
  private var deadlock: Diagnostic {
    if let deadlock = scheduler.lockDeadlock { return deadlock }
    guard let log = scheduler.log else { return .deadlock() }
    let places = inbox.pending.count == 0 ? [] : inbox.summary.places
    return .deadlock(waiting: SelfTest.knowsCompletion ? log.waiting : [], outside: log.tasksAway + places)
  }

  /// Looks which tasks have not ended, though nothing is left that could resume them.
  private func lookForWaiting(_ outcome: inout ExecutionOutcome) {
    guard SelfTest.knowsCompletion, scheduler.cancelled.isEmpty, !scheduler.hasDiscarded else { return }
    let waiting = scheduler.live.waiting
    outcome.leftWaiting = waiting.count
    guard request.namesWaiting else { return }
    outcome.waiting = waiting.map { task, number in
      let place = Symbolicator.resumption(of: task)
      return "task \(number)" + (place.map { ", at \($0.located())" } ?? "")
    }
  }
}
