// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// Runs the jobs of one execution, one after the other on one thread, in an order that a strategy picks.
///
/// It is touched by the exploring thread alone: whoever comes from the runtime has compared the thread first.
///
/// What every step touches is `@exclusivity(unchecked)`: nobody else can have access, and looking whether somebody has
/// costs a fifth of a step. The strategies do the same.
package final class Scheduler {
  /// The scheduler that the jobs of the exploring thread go to; nil between executions.
  // Read and written on the exploring thread only, see above; nested explorations save and restore it.
  static var current: Scheduler? { unretained?.takeUnretainedValue() }

  // The simulation holds it while it is here: an executor that took and gave back a reference would do so at every job.
  @exclusivity(unchecked) nonisolated(unsafe) static var unretained: Unmanaged<Scheduler>?

  /// Two timers this close together are ready together, because `now` moves on while a body sets them.
  static let slack = Duration.milliseconds(1)

  /// Who picks, once it has begun an execution.
  @exclusivity(unchecked) var strategy: SchedulingStrategy {
    didSet {
      unretainedStrategy = .passUnretained(strategy)
      holdsBack = strategy.holdsBack
    }
  }

  // The same, without a reference to count.
  @exclusivity(unchecked) private var unretainedStrategy: Unmanaged<SchedulingStrategy>

  // Whether ranks count in the order of levels, and the levels.
  @exclusivity(unchecked) private var holdsBack = false
  @exclusivity(unchecked) private var heldBack = HeldBack()
  @exclusivity(unchecked) private var arrivals: Int32 = 0

  /// How many jobs have run.
  @exclusivity(unchecked) private(set) var steps = 0

  /// The time of this execution: it stands still while anybody is ready and jumps to the next deadline when nobody is.
  ///
  /// The standard clocks tell it, too, to whoever asks on the exploring thread.
  var now: Duration { .nanoseconds(napkin_time()) }

  /// What was picked where there was a choice.
  @exclusivity(unchecked) private(set) var trace = Trace()

  /// The task whose job runs or ran last.
  @exclusivity(unchecked) private(set) var running = -1

  /// Cancels tasks, when the exploration is to.
  @exclusivity(unchecked) var cancellation: AimedCancellation? {
    didSet { isWatched = log != nil || cancellation != nil }
  }

  /// The tasks that were cancelled so, each with the step before which it was.
  @exclusivity(unchecked) private(set) var cancelled: [(task: Int, step: Int)] = []

  /// What makes this execution prove less than it seems to; see ``ExplorationWarning``.
  @exclusivity(unchecked) private(set) var warnings: [ExplorationWarning] = []

  /// Adds a warning to the exploration: one for each `id`, however many executions add it, and however often.
  func warn(_ warning: ExplorationWarning) { warnings.append(warning) }

  /// Takes down what happens, when somebody is to read it.
  @exclusivity(unchecked) var log: SchedulerLog? {
    didSet { isWatched = log != nil || cancellation != nil }
  }

  // Whether there is a log or somebody who cancels.
  @exclusivity(unchecked) private var isWatched = false

  @exclusivity(unchecked) private var ready = ReadyQueue()
  @exclusivity(unchecked) private var timers = Timers()
  @exclusivity(unchecked) private var resting: [UnsafeContinuation<Void, Never>] = []
  @exclusivity(unchecked) private var numbers = TaskNumbers()

  // So many tasks were met, and the first of them was the body. The runtime counts up: what is older was there before,
  // and is here because a job of the execution resumed it.
  @exclusivity(unchecked) private var met = 0
  @exclusivity(unchecked) private var body: UInt64 = 0
  private let main = napkin_main_executor()

  /// Whether the next task that is enqueued on the main actor is the one whose layout is looked at.
  @exclusivity(unchecked) var isProbing = false

  // While a parked task is enqueued where it wanted to go, the job that comes of it is caught here and runs at once.
  @exclusivity(unchecked) private var isCatching = false
  @exclusivity(unchecked) private var caught: UnsafeMutableRawPointer?
  @exclusivity(unchecked) private var isCaughtOnMain = false

  init(strategy: SchedulingStrategy) {
    self.strategy = strategy
    unretainedStrategy = .passUnretained(strategy)
  }

  /// The tasks that the execution has made, as the runtime numbers them.
  var taskIDs: [UInt64] { numbers.ids.filter { $0 >= body } }

  /// Forgets the last execution.
  func reset() {
    steps = 0
    running = -1
    met = 0
    trace.removeAll()
    numbers.removeAll()
    heldBack.removeAll()
    arrivals = 0
    // Of an execution that was given up for not coming to an end; what is left of it never runs again.
    ready.removeAll()
    discardTimers()
    if !cancelled.isEmpty { cancelled.removeAll() }
    if !warnings.isEmpty { warnings.removeAll() }
    if !resting.isEmpty { resting.removeAll() }
  }

  /// Why the scheduler stopped.
  enum Stop { case nothingReady, stepLimit }

  /// Runs jobs until none is ready, or until `limit` jobs have run in this execution.
  func runReady(limit: Int) -> Stop {
    while ready.count != 0 {
      if steps >= limit { return .stepLimit }
      step()
    }
    return .nothingReady
  }

  /// When the next timer is due; nil if none is set.
  var nextTimer: Duration? { timers.earliest }

  /// Lets time pass until a moment at which no timer is due.
  func letTimePass(until moment: Duration) { napkin_set_time(max(now, moment).wholeNanoseconds) }

  /// Lets time pass until the next deadline, and makes everybody ready who waits for it; false if nobody does.
  func advance() -> Bool {
    guard let earliest = timers.earliest else { return false }
    napkin_set_time(max(now, earliest).wholeNanoseconds)
    while let next = timers.earliest, next - earliest < Self.slack {
      let timer = timers.removeFirst()
      if let sleeper = timer.sleeper { napkin_release(sleeper) }
      log?.timerFired(task: timer.task, at: now)
      timer.sleep?.end()
      guard let job = timer.job else { continue }
      add(ReadyJob(job: job, task: timer.task, target: timer.target, implementation: 0, arrival: .enqueued))
    }
    return true
  }

  /// Resumes a task when nobody else is ready, and before time passes.
  func resumeAtRest(_ continuation: UnsafeContinuation<Void, Never>) {
    resting.append(continuation)
  }

  /// Makes the first of those ready who wait for the others to come to rest; false if nobody does.
  func resumeResting() -> Bool {
    guard !resting.isEmpty else { return false }
    resting.removeFirst().resume()
    return true
  }

  /// Discards the timers.
  ///
  /// The body is over, and its time stands still: what sleeps never wakes, as after the end of a process.
  func discardTimers() {
    guard timers.earliest != nil else { return }
    for sleeper in timers.sleepers { napkin_release(sleeper) }
    timers.removeAll()
  }
}

// What the runtime calls, through the executors and through the hop handler.
extension Scheduler {
  @inline(__always)
  func enqueue(_ job: UnsafeMutableRawPointer, onMain: Bool) {
    if isCatching, caught == nil {
      caught = job
      isCaughtOnMain = onMain
    } else {
      makeReady(job, onMain: onMain)
    }
  }

  private func makeReady(_ job: UnsafeMutableRawPointer, onMain: Bool) {
    if isProbing, onMain { _ = napkin_end_probe(job) }
    var arrival = ReadyJob.Arrival.enqueued
    var target = onMain ? main.identity : 0
    let id: UInt64
    switch napkin_job_kind(job) {
    case UInt32(napkin_job_task):
      id = napkin_job_task_id(job)
    case UInt32(napkin_job_continuation):
      id = napkin_current_task().map(napkin_job_task_id) ?? 0
      arrival = .yielded
    case UInt32(napkin_job_actor_separate):
      target = napkin_drained_actor(job)
      id = target == 0 ? 0 : napkin_first_job_of_actor(target).map(napkin_job_task_id) ?? 0
    default:
      id = 0
    }
    add(ReadyJob(job: job, task: number(of: id), target: target, implementation: 0, arrival: arrival))
  }

  func enqueue(_ job: UnsafeMutableRawPointer, after delay: Duration, onMain: Bool) {
    setTimer(after: delay, job: job, target: onMain ? main.identity : 0)
  }

  /// Ends the sleep of the current task after a time.
  func wake(_ sleep: Sleep, after delay: Duration) { setTimer(after: delay, sleep: sleep) }

  private func setTimer(
    after delay: Duration, job: UnsafeMutableRawPointer? = nil, sleep: Sleep? = nil, target: UInt = 0
  ) {
    napkin_forget_questions()
    let sleeper = napkin_current_task()
    if let sleeper { napkin_retain(sleeper) }
    let deadline = now + (napkin_simulates_clocks() ? delay : delay.asRequested)
    let task = numbers.number(of: sleeper.map(napkin_job_task_id) ?? 0)
    timers.insert(Timer(deadline: deadline, job: job, sleep: sleep, task: task, sleeper: sleeper, target: target))
  }

  @inline(__always)
  func hop(_ task: UnsafeMutableRawPointer, from source: UInt, to target: napkin_executor) {
    add(
      ReadyJob(
        job: task,
        task: number(of: napkin_job_task_id(task)),
        target: target.identity,
        implementation: target.implementation,
        // The global executor has no queue to be first in.
        source: target.identity == 0 ? 0 : source,
        arrival: .hopped
      )
    )
  }

  /// The number of a task, which is the execution's own from here on if it is younger than the body.
  @inline(__always)
  private func number(of id: UInt64) -> Int {
    let number = numbers.number(of: id)
    if number >= met { meet(id, number) }
    return number
  }

  private func meet(_ id: UInt64, _ number: Int) {
    met = number &+ 1
    if number == 0 { body = id }
    if id >= body { napkin_own(id) }
  }

  // Made in the queue's own memory: a job is as large as a cache line, and reading it whole right after it was written in
  // parts stalls a processor for as long as all the rest of this takes.
  @inline(__always)
  private func add(_ job: consuming ReadyJob) {
    let place = ready.append(job)
    unretainedStrategy._withUnsafeGuaranteedRef { $0.arrived(&place.pointee) }
    if isWatched { tell(of: place) }
    if holdsBack {
      arrivals &+= 1
      place.pointee.order = arrivals
      place.pointee.level = heldBack.level(of: place.pointee.task)
      ready.settleLast()
    }
  }

  @inline(never)
  private func tell(of place: UnsafeMutablePointer<ReadyJob>) {
    if let log {
      // The runtime tells a task's name while the task runs: here, if it is the one that made this job ready.
      if let id = napkin_current_task().map(napkin_job_task_id), let task = numbers.existingNumber(of: id) {
        log.nameRunning(task: task)
      }
      log.arrived(place.pointee)
    }
    cancellation?.arrived(place.pointee)
  }
}

extension Scheduler {
  /// Runs two tasks up to their first hop, which is to one actor, and enqueues both there before either runs on.
  func probeQueue() {
    step()
    step()
    guard ready.count == 2, ready[0].target == ready[1].target, ready[0].target != 0 else { return }
    let first = ready.remove(at: 0)
    let second = ready.remove(at: 0)
    isCatching = true
    napkin_enqueue(first.job, napkin_executor(identity: first.target, implementation: first.implementation))
    isCatching = false
    napkin_enqueue(second.job, napkin_executor(identity: second.target, implementation: second.implementation))
    _ = napkin_probe_arrived_jobs(first.target, first.job, second.job)
    guard let caught else { return }
    self.caught = nil
    run(caught, onMain: false)
    _ = runReady(limit: 100)
  }

  @inline(__always)
  private func step() {
    if isWatched { cancelIfAimed() }
    let count = ready.count
    var rank = 0
    if count != 1 {
      let wish = unretainedStrategy._withUnsafeGuaranteedRef { $0.pick(&ready, after: running) }
      rank = firstOnItsWay(min(max(wish, 0), count &- 1))
      trace.append(rank: rank, count: count)
    }
    let job = ready.remove(at: rank)
    if holdsBack { heldBack.passOver(rank, in: &ready) }
    steps &+= 1
    running = job.task
    napkin_beat()
    if isWatched { tell(ofRunning: job, rank: rank, of: count) }
    switch job.arrival {
    case .enqueued: run(job.job, onMain: job.target == main.identity)
    case .hopped: runHopped(job)
    case .yielded: runYielded(job)
    }
  }

  @inline(never)
  private func cancelIfAimed() {
    guard let task = cancellation?.fire() else { return }
    cancelled.append((task, steps))
    log?.cancelled(task: task)
  }

  @inline(never)
  private func tell(ofRunning job: ReadyJob, rank: Int, of count: Int) {
    log?.willRun(job, rank: rank, of: count, step: steps, now: now)
  }

  /// The job at a rank, or one that left the same actor for the same actor before it.
  ///
  /// Whoever leaves an actor is in the other one's queue before the next one leaves, so nobody can overtake there: what a
  /// view sends by `dispatch`, say, arrives in order.
  @inline(__always)
  private func firstOnItsWay(_ rank: Int) -> Int {
    ready[rank].source == 0 ? rank : first(from: ready[rank].source, to: ready[rank].target)
  }

  private func first(from source: UInt, to target: UInt) -> Int {
    var first = -1
    for rank in 0..<ready.count where ready[rank].source == source && ready[rank].target == target {
      // Ranks are in the order of arrival, unless tasks that were passed over stay behind.
      if first < 0 || ready[rank].order < ready[first].order { first = rank }
    }
    return first
  }

  @inline(__always)
  private func run(_ job: UnsafeMutableRawPointer, onMain: Bool) {
    napkin_run_job(job, onMain ? main : napkin_executor(identity: 0, implementation: 0))
  }

  /// Enqueues a parked task where it wanted to go, and runs what the runtime makes of that.
  ///
  /// On an actor that has other work queued the task joins the queue, and no job comes of it: it runs when that
  /// actor's turn comes.
  @inline(__always)
  private func runHopped(_ job: ReadyJob) {
    isCatching = true
    napkin_enqueue(job.job, napkin_executor(identity: job.target, implementation: job.implementation))
    isCatching = false
    guard let caught else {
      if isWatched { log?.entered(job) }
      return
    }
    self.caught = nil
    run(caught, onMain: isCaughtOnMain)
  }

  /// Runs the runtime's errand for a task that yielded, and then the task itself, which is all that the errand makes ready.
  ///
  /// Nothing that a program could tell lies between the two, so a choice there would only dilute the others.
  @inline(__always)
  private func runYielded(_ job: ReadyJob) {
    isCatching = true
    run(job.job, onMain: false)
    isCatching = false
    guard let caught else { return }
    self.caught = nil
    steps &+= 1
    run(caught, onMain: isCaughtOnMain)
  }
}

extension Duration {
  /// The duration in nanoseconds, the next whole one up; some three hundred years at most.
  var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    guard seconds < Int64.max / 1_000_000_000 - 1 else { return .max / 2 }
    return seconds * 1_000_000_000 + (attoseconds + 999_999_999) / 1_000_000_000
  }
}
