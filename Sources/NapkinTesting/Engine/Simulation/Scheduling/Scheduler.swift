// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// Runs the jobs of one execution, one after the other on one thread, in an order that a strategy picks.
///
/// Each execution has a scheduler of its own, so that nothing of one is there in the next.
///
/// It is touched by the exploring thread alone: every call from the runtime has compared the thread first.
///
/// Properties that every step touches are `@exclusivity(unchecked)`: no other code can have access, and checking for it
/// costs a fifth of a step. The strategies do the same.
package final class Scheduler {
  /// The scheduler that the jobs of the exploring thread go to; nil between executions.
  // Read and written on the exploring thread only, see above; nested explorations save and restore it.
  static var current: Scheduler? { unretained?.takeUnretainedValue() }

  // The simulation holds it while it is here: an executor that took and gave back a reference would do so at every job.
  @exclusivity(unchecked) nonisolated(unsafe) static var unretained: Unmanaged<Scheduler>?

  /// Two timers this close together, in nanoseconds, are ready together, because `now` moves on while a body sets them.
  static let slack = 1_000_000

  /// The strategy that picks the next job, once it has begun an execution.
  @exclusivity(unchecked) var strategy: SchedulingStrategy {
    didSet {
      unretainedStrategy = .passUnretained(strategy)
      holdsBack = strategy.options.contains(.holdsBack)
      findOutIfWatched()
    }
  }

  // Without a reference to count.
  @exclusivity(unchecked) var unretainedStrategy: Unmanaged<SchedulingStrategy>

  // Whether ranks count in the order of levels, and the levels.
  @exclusivity(unchecked) private(set) var holdsBack: Bool
  @exclusivity(unchecked) var heldBack = HeldBack()
  @exclusivity(unchecked) var arrivals: Int32 = 0

  /// How many jobs have run.
  @exclusivity(unchecked) var steps = 0

  /// The time of this execution: it does not pass while a job is ready, and jumps to the next deadline when none is.
  ///
  /// The standard clocks return it, too, on the exploring thread.
  var now: Duration { .nanoseconds(napkin_time()) }

  var beginnings = ClockBeginnings()

  /// The part of this execution that the C functions keep.
  let inC = UnsafeMutablePointer<napkin_execution>.allocate(capacity: 1)

  @exclusivity(unchecked) private(set) var trace = Trace()

  @exclusivity(unchecked) var order = EntryOrder()

  /// The task whose job runs or ran last.
  @exclusivity(unchecked) var running = -1

  @exclusivity(unchecked) private(set) var cancellation: AimedCancellation?

  /// Cancels no task from now on.
  func stopCancelling() {
    if cancellation == nil { return }
    cancellation = nil
    findOutIfWatched()
  }

  /// The tasks that were cancelled so, each with the step before which it was.
  @exclusivity(unchecked) var cancelled: [(task: Int, step: Int)] = []

  /// The reasons why this execution proves less than it seems to; see ``Diagnostic``.
  @exclusivity(unchecked) private(set) var warnings: [Diagnostic] = []

  @exclusivity(unchecked) var problems: [Diagnostic] = []

  /// Adds a warning to the exploration: one for each subject, however many executions add it, and however often.
  func warn(_ warning: Diagnostic) { warnings.append(warning) }

  /// The log, where the execution is reported or explained.
  let log: SchedulerLog?
  /// The record of the ready jobs, where it is compared with another execution.
  let readiness: Readiness?

  @exclusivity(unchecked) var answers: AnswerOrder?

  /// The table of awaited calls, in an execution whose steps are looked at for that.
  let awaits: AwaitTable?

  // Whether there is a log, a cancellation to inject, readiness, answers or calls to look at, or a strategy that looks at each step.
  @exclusivity(unchecked) private(set) var isWatched = false
  private var watchesSteps: Bool { strategy.options.contains(.watchesSteps) }
  private func findOutIfWatched() {
    isWatched =
      log != nil || cancellation != nil || readiness != nil || answers != nil || awaits != nil || watchesSteps
  }

  @exclusivity(unchecked) var ready = ReadyQueue()
  @exclusivity(unchecked) var timers = Timers()
  @exclusivity(unchecked) private var isAtRest = false

  /// The half-run jobs, where steps can be split; nil where each job runs to its end.
  let halfRun: HalfRunJobs?

  /// The task that was resumed since all others had come to rest, from its first step on.
  @exclusivity(unchecked) private var settled = -1
  @exclusivity(unchecked) private var resting: [UnsafeContinuation<Void, Never>] = []
  @exclusivity(unchecked) var numbers = TaskNumbers()

  let inbox: Inbox

  var inJob = WaitsInJob()

  /// Follows code that calls the runtime by itself, where there can be any.
  @exclusivity(unchecked) var otherImages = OtherImages.canBeMet ? OtherImages() : nil

  var lastShared: UInt = 0

  /// The scheduler of the execution that this one runs inside of.
  var outer: Scheduler?

  let main = napkin_main_executor()

  /// Whether the next task that is enqueued on the main actor is the one whose layout is looked at.
  @exclusivity(unchecked) var isProbing = false

  // While a parked task is enqueued where it wanted to go, the job that comes of it is caught here and runs at once.
  @exclusivity(unchecked) var isCatching = false
  @exclusivity(unchecked) var caught: UnsafeMutableRawPointer?
  @exclusivity(unchecked) var isCaughtOnMain = false

  /// Creates the scheduler of an execution, all of whose jobs from other threads come by an inbox.
  init(_ request: ExecutionRequest, _ inbox: Inbox) {
    strategy = request.strategy
    unretainedStrategy = .passUnretained(request.strategy)
    holdsBack = request.strategy.options.contains(.holdsBack)
    order.isLesson = request.strategy.options.contains(.learns)
    (earlyTimers, busyTime) = (request.earlyTimers, request.busyTime)
    (cancellation, halfRun) = (request.cancellation, request.halfRun)
    (log, readiness, answers) = (request.log, request.readiness, request.answers)
    awaits = request.looksAtAwaits ? request.awaits : nil
    self.inbox = inbox
    inC.initialize(to: napkin_execution())
    inC.pointee.number = inbox.owner
    inC.pointee.keeps_creators = request.readiness != nil
    inC.pointee.holds_output = request.holdsOutput
    inC.pointee.awaits = request.awaits?.inC
    inC.pointee.split = request.halfRun?.counts
    findOutIfWatched()
  }

  deinit { inC.deallocate() }

  /// The actors that answer late; nil where there are none, and once the body is over.
  @exclusivity(unchecked) var lateAnswers: LateAnswers?

  /// The first priority that a task on its way to an actor had.
  @exclusivity(unchecked) var priority: UInt8 = 0

  @exclusivity(unchecked) var live = LiveTasks()

  /// Whether a task slept when the body was over, and was discarded.
  @exclusivity(unchecked) var hasDiscarded = false

  /// When time passes while a task is ready, where the strategy does not say.
  @exclusivity(unchecked) var earlyTimers = EarlyTimers.none

  /// How much time may still pass while a task is ready, in nanoseconds: less than this.
  @exclusivity(unchecked) var busyTime = Int64.max

  /// How often the strategy was asked.
  @exclusivity(unchecked) private(set) var picks = 0

  enum Stop { case nothingReady, stepLimit }

  /// Runs jobs until none is ready, or until `limit` jobs have run in this execution.
  func runReady(limit: Int) -> Stop {
    if let halfRun { return runHalfRun(halfRun, limit: limit) }
    while ready.count != 0 {
      if steps >= limit { return .stepLimit }
      step()
    }
    return .nothingReady
  }

  /// Resumes a task when no other is ready, and before time passes.
  func resumeAtRest(_ continuation: UnsafeContinuation<Void, Never>) {
    resting.append(continuation)
  }

  /// Makes the first task ready of those that wait for the others to settle; false if there is none.
  func resumeResting() -> Bool {
    guard !resting.isEmpty else { return false }
    goOnByItself()
    isAtRest = true
    settled = -1
    napkin_resume_at_rest(true)
    resting.removeFirst().resume()
    napkin_resume_at_rest(false)
    return true
  }

  /// Takes note that no step makes the jobs ready that become so now.
  func goOnByItself() {
    if watchesSteps { strategy.willRun(nil, before: ready) }
    answers?.goesOnByItself()
  }
}

extension Scheduler {
  @inline(__always)
  func step() {
    let rank = chooseRank()
    if rank < 0 { return letTimePass() }
    execute(take(rank))
  }

  /// The rank of the job that is next; a negative number if time is to pass first.
  @inline(__always)
  func chooseRank() -> Int {
    if isWatched { watch() }
    let count = ready.count
    var rank = 0
    // A task that waits for the others to come to rest waits for work that needs no time, until it goes on.
    let hasTimer = !timers.isEmpty && resting.isEmpty && !isAtRest && otherImages?.waiters.isEmpty != false
    if count != 1 || hasTimer {
      let mayTimePass = hasTimer && isInBusyTime
      rank = hasTimer ? pickWithTimer(mayTimePass) : pick()
      // With a timer it is a choice for a replay in any case, whose limit of time may be another one.
      trace.append(rank: rank, count: mayTimePass ? count &+ 1 : count)
      if rank == count { return -1 }
    }
    return rank
  }

  /// Takes out the job at a rank, whose step begins.
  @inline(__always)
  func take(_ rank: Int) -> ReadyJob {
    let count = ready.count
    let job = ready.remove(at: rank)
    if holdsBack { heldBack.passOver(rank, in: &ready) }
    steps &+= 1
    running = job.task
    if job.arrival != .yielded { order.enter(job.target, by: job.task, goesOn: job.arrival == .enqueued) }
    if isAtRest { goOnFromRest(job) }
    napkin_beat()
    if isWatched { noteStep(job, rank: rank, of: count) }
    if job.target != 0, count != 1 { ready.arriveAll(from: job.target, at: arrivals) }
    return job
  }

  /// Runs a job to its end, or to where it is preempted.
  @inline(__always)
  func execute(_ job: ReadyJob) {
    if otherImages == nil { executeAlone(job) } else { executeFollowed(job) }
  }

  @inline(__always)
  func executeAlone(_ job: ReadyJob) {
    switch job.arrival {
    case .enqueued: run(job.job, onMain: job.target == main.identity)
    case .hopped: runHopped(job)
    case .yielded: runYielded(job)
    case .errand, .preempted: runErrand(job.job)
    }
    if ready.hasPriorities, job.target != 0 { ready.makeDue(on: job.target) }
  }

  /// Lets time pass again, once the task that waited for the others has come back to its own actor.
  @inline(never)
  private func goOnFromRest(_ job: ReadyJob) {
    if settled < 0 { settled = job.task } else { isAtRest = job.task == settled && job.arrival == .hopped }
  }

  @inline(__always)
  private func pick() -> Int {
    picks &+= 1
    let picked = unretainedStrategy._withUnsafeGuaranteedRef { $0.pick(&ready, after: running) }
    let rank = ready.first(insteadOf: min(max(picked, 0), ready.count &- 1))
    order.pick(ready[rank].task)
    return rank
  }

  /// A rank, or the one behind all jobs, which lets time pass.
  @inline(never)
  private func pickWithTimer(_ mayTimePass: Bool) -> Int {
    if strategy.options.contains(.letsTimePass) {
      picks &+= 1
      ready.hasTimer = mayTimePass
      let picked = strategy.pick(&ready, after: running)
      ready.hasTimer = false
      if mayTimePass, picked >= ready.count { return ready.count }
      return ready.first(insteadOf: min(max(picked, 0), ready.count &- 1))
    }
    if mayTimePass, earlyTimers.fires() { return ready.count }
    return ready.count == 1 ? 0 : pick()
  }

  @inline(never)
  private func watch() {
    // Where steps are split, a job of its own does that.
    if halfRun == nil || halfRun?.mainThread != nil { cancelIfAimed() }
    readiness?.look(at: ready, main: main.identity)
  }

  @inline(never)
  private func noteStep(_ job: ReadyJob, rank: Int, of count: Int) {
    log?.willRun(job, rank: rank, of: count, step: steps, now: now)
    if answers != nil { noteAnswer(job) }
    awaits?.begins(job)
    if watchesSteps { strategy.willRun(job, before: ready) }
  }

  @inline(__always)
  func run(_ job: UnsafeMutableRawPointer, onMain: Bool) {
    napkin_run_job(job, onMain ? main : napkin_executor(identity: 0, implementation: 0))
  }

  /// Runs a parked task where it wanted to go.
  @inline(__always)
  private func runHopped(_ job: borrowing ReadyJob) {
    if job.implementation == 0, job.target != 0, napkin_knows_queues() {
      let entry = napkin_enter(job.job, napkin_executor(identity: job.target, implementation: 0))
      if entry != Int32(napkin_entry_is_over) { enterElsewhere(job, entry) }
      return
    }
    isCatching = true
    napkin_enqueue(job.job, napkin_executor(identity: job.target, implementation: job.implementation))
    isCatching = false
    runCaught(insteadOf: job)
  }

  /// Runs the job that came of enqueueing a parked task; none did if a custom executor has the task.
  @inline(__always)
  private func runCaught(insteadOf job: borrowing ReadyJob) {
    guard let caught else {
      log?.entered(job)
      return
    }
    self.caught = nil
    run(caught, onMain: isCaughtOnMain)
  }

  /// Waits until an actor is free that was not.
  ///
  /// It has errands of the runtime in its queue, or a thread works for it at the moment. That one sends the task back, and it
  /// enters again.
  @inline(never)
  private func enterElsewhere(_ job: ReadyJob, _ entry: Int32) {
    var entry = entry
    while true {
      switch entry {
      case Int32(napkin_entry_is_over): return
      case Int32(napkin_entry_is_elsewhere): return runCaught(insteadOf: job)
      case Int32(napkin_entry_was_sent_back):
        warnOfSharing(actor: job.target)
        entry = napkin_enter(job.job, napkin_executor(identity: job.target, implementation: 0))
      default:
        if let rank = rankOfErrand(for: job.target) {
          runErrand(ready.remove(at: rank).job)
        } else if !inbox.deliver(to: self) {
          // Another thread works for the actor.
          warnOfSharing(actor: job.target)
          napkin_yield_thread()
        }
        entry = napkin_entry()
      }
    }
  }

  /// Runs a job of the runtime's own in an actor's queue, which is no task.
  private func runErrand(_ job: UnsafeMutableRawPointer) {
    if !napkin_run_errand(job) { lendQueue(of: job) }
  }

  /// The rank of the job that drains an actor and was not used up at once.
  private func rankOfErrand(for actor: UInt) -> Int? {
    (0..<ready.count).first { rank in
      ready[rank].arrival == .errand && napkin_drained_actor(ready[rank].job) == actor
    }
  }

  /// Runs the runtime's errand for a task that yielded, and then the task itself, which is all that the errand makes ready.
  ///
  /// A program cannot observe a difference between the two, so a choice there would only dilute the others.
  @inline(__always)
  private func runYielded(_ job: borrowing ReadyJob) {
    isCatching = true
    run(job.job, onMain: false)
    isCatching = false
    guard let caught else { return }
    self.caught = nil
    steps &+= 1
    let isOnPool = order.isOnPool(job.task) || napkin_job_kind(caught) == UInt32(napkin_job_task)
    let actor = isOnPool ? 0 : napkin_drained_actor(caught)
    order.enter(isCaughtOnMain ? main.identity : actor, by: job.task, goesOn: false)
    run(caught, onMain: isCaughtOnMain)
  }
}
