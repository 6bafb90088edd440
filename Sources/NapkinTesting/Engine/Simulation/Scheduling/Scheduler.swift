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
  static var current: Scheduler? { unretained?.takeUnretainedValue() }

  // Its execution holds it while it runs: an executor that took and gave back a reference would do so at every job.
  @inline(__always)
  static var unretained: Unmanaged<Scheduler>? {
    guard let scheduler = napkin_current.pointee.scheduler else { return nil }
    return .fromOpaque(scheduler)
  }

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

  // The strategy, without a reference to count.
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

  /// The half-run jobs, where steps can be split; nil where each job runs to its end.
  let halfRun: HalfRunJobs?

  @exclusivity(unchecked) private var rest = Rest()
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

  @exclusivity(unchecked) var caught = Caught()

  /// Creates the scheduler of an execution, all of whose jobs from other threads come by an inbox.
  init(_ request: ExecutionRequest, _ inbox: Inbox) {
    strategy = request.strategy
    unretainedStrategy = .passUnretained(request.strategy)
    holdsBack = request.strategy.options.contains(.holdsBack)
    order.isLesson = request.strategy.options.contains(.learns)
    earlyTimers = request.earlyTimers
    busyTime = request.busyTime
    cancellation = request.cancellation
    halfRun = request.halfRun
    log = request.log
    readiness = request.readiness
    if request.looksAtAnswers { answers = AnswerOrder(main: main.identity) }
    awaits = request.looksAtAwaits ? request.awaits : nil
    self.inbox = inbox
    inC.initialize(to: napkin_execution())
    inC.pointee.number = inbox.owner
    inC.pointee.keeps_creators = request.readiness != nil
    inC.pointee.holds_output = request.holdsOutput
    inC.pointee.awaits = request.awaits?.inC
    inC.pointee.split = request.halfRun?.counts
    inC.pointee.scheduler = Unmanaged.passUnretained(self).toOpaque()
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
    rest.waiting.append(continuation)
  }

  /// Makes the first task ready of those that wait for the others to settle; false if there is none.
  func resumeResting() -> Bool {
    guard !rest.waiting.isEmpty else { return false }
    goOnByItself()
    (rest.isOn, rest.settled) = (true, -1)
    napkin_resume_at_rest(true)
    rest.waiting.removeFirst().resume()
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
    let hasTimer = !timers.isEmpty && rest.waiting.isEmpty && !rest.isOn && otherImages?.waiters.isEmpty != false
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
    if rest.isOn { rest.goesOn(job) }
    napkin_beat()
    if isWatched { noteStep(job, rank: rank, of: count) }
    if job.target != 0, count != 1 { ready.arriveAll(from: job.target, at: arrivals) }
    return job
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

  /// The tasks that wait for the others to settle, before time passes.
  private struct Rest {
    var waiting: [UnsafeContinuation<Void, Never>] = []
    /// Whether one goes on, and no time passes until it has come back to its own actor.
    var isOn = false
    /// That task, from its first step on.
    var settled = -1

    @inline(never)
    mutating func goesOn(_ job: borrowing ReadyJob) {
      let (task, hasHopped) = (job.task, job.arrival == .hopped)
      if settled < 0 { settled = task } else { isOn = task == settled && hasHopped }
    }
  }
}

/// The picks of one execution where there was a choice.
struct Trace: ~Copyable {
  private var picks: UnsafeMutablePointer<UInt64>
  private var capacity = 256

  /// How many choices there were.
  private(set) var count = 0

  init() { picks = .allocate(capacity: capacity) }

  deinit { picks.deallocate() }

  @inline(__always)
  mutating func append(rank: Int, count ready: Int) {
    if count == capacity {
      picks.grow(to: capacity &* 2, keeping: count)
      capacity &*= 2
    }
    let pick = UInt64(truncatingIfNeeded: rank) << 32 | UInt64(truncatingIfNeeded: ready)
    picks[count] = pick
    count &+= 1
  }

  /// The picks as choices: ranks in the order of arrival, below the number of jobs that were ready.
  var choices: [Choice] {
    (0..<count).map { Choice(value: picks[$0] >> 32, bound: picks[$0] & 0xffff_ffff) }
  }
}
