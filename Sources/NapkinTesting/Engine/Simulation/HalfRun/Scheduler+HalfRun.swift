// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

// Where a job can be half-run, the scheduler runs in the threads of the simulation: each runs jobs from the queue until it picks a
// half-run one, whose own thread goes on then. A job that is preempted chooses the thread that goes on.
//
// The jobs of the main actor run on the thread that has begun the execution, which is the main one, unless steps are split.
extension Scheduler {
  /// Lets the threads of the simulation run jobs until none is ready, or until `limit` jobs have run in this execution.
  @inline(never)
  func runHalfRun(_ halfRun: HalfRunJobs, limit: Int) -> Stop {
    halfRun.limit = limit
    if halfRun.mainThread == nil { return runOnThreads(halfRun) }
    while true {
      guard let job = halfRun.takeChosen() ?? chooseNext(halfRun) else {
        return ready.count == 0 ? .nothingReady : .stepLimit
      }
      if halfRun.staysOnMain(job, main.identity) {
        perform(job, halfRun)
      } else if let thread = thread(for: job, halfRun) {
        napkin_run_split(thread)
      }
    }
  }

  /// The same where this thread runs no job.
  private func runOnThreads(_ halfRun: HalfRunJobs) -> Stop {
    while true {
      wakeBlocked(halfRun)
      if ready.count == 0 { return .nothingReady }
      if steps >= halfRun.limit { return .stepLimit }
      guard let thread = napkin_idle_thread() else { return noThread() }
      napkin_run_split(thread)
    }
  }

  private func noThread<Result>() -> Result {
    preconditionFailure("NapkinTesting: no thread can be made to run a job in, while others wait for locks.")
  }

  /// Runs jobs in a thread of the simulation; returns the one whose half-run job was picked, nil if there is nothing to run.
  fileprivate func goOn(_ halfRun: HalfRunJobs) -> OpaquePointer? {
    if halfRun.chosen != nil, let job = halfRun.takeChosen() { perform(job, halfRun) }
    while let job = chooseNext(halfRun) {
      if job.arrival == .preempted { return OpaquePointer(job.job) }
      if halfRun.mainThread != nil, halfRun.staysOnMain(job, main.identity) {
        halfRun.chosen = job
        return nil
      }
      perform(job, halfRun)
    }
    return nil
  }

  private func chooseNext(_ halfRun: HalfRunJobs) -> ReadyJob? {
    while true {
      wakeBlocked(halfRun)
      if ready.count == 0 || steps >= halfRun.limit { return halfRun.mainThread == nil ? nil : comeToRest(halfRun) }
      if halfRun.mainThread == nil, let job = chooseCancellation() { return job }
      let rank = chooseRank()
      if rank >= 0 { return take(rank) }
      letTimePass()
    }
  }

  /// The thread that has begun the execution comes to rest between two jobs alone, and not before one that went on by itself.
  ///
  /// A function of its own, since one that is not optimised clears the memory of all its variables at each call.
  @inline(never)
  private func comeToRest(_ halfRun: HalfRunJobs) -> ReadyJob? {
    while true {
      if let rest = halfRun.mainThread.flatMap(rank(ofRest:)) { return take(rest) }
      guard halfRun.isAnyOut else { return nil }
      napkin_await_ring(napkin_rings(), Duration.milliseconds(1).wholeNanoseconds)
      wakeBlocked(halfRun)
      if ready.count != 0, steps < halfRun.limit { return chooseNext(halfRun) }
    }
  }

  private func perform(_ job: ReadyJob, _ halfRun: HalfRunJobs) {
    if job.target != 0 { halfRun.arriveAll(from: job.target, at: arrivals) }
    napkin_others_are_ready(ready.count != 0)
    // A thread that takes this one's turn reads it from the beginning of the slice on.
    if halfRun.mainThread != nil, let thread = napkin_this_split_thread() {
      napkin_set_thread_actor(thread, job.target)
    }
    napkin_begin_slice(Int32(truncatingIfNeeded: job.task))
    // Jobs on an actor, the main one too, are in one order.
    let actor = UnsafeRawPointer(bitPattern: job.target)
    if let actor { napkin_acquire(actor) }
    execute(job)
    if let actor { napkin_release_clocks(actor) }
    napkin_end_slice()
    if let thread = napkin_this_split_thread() { end(thread, halfRun) }
  }

  /// The job of a thread has ended: others can be on its actor.
  private func end(_ thread: OpaquePointer, _ halfRun: HalfRunJobs) {
    let freed = halfRun.end(thread)
    for freed in freed {
      guard freed.wasReady else {
        addKept(freed.job)
        continue
      }
      _ = ready.putBack(freed.job)
      if holdsBack { ready.settleLast() }
    }
    if ready.hasPriorities, let actor = freed.first?.job.target { ready.makeDue(on: actor) }
  }

  /// Makes a thread that the code under test has started a task, which is half-run from its beginning.
  fileprivate func starts(_ thread: OpaquePointer, _ halfRun: HalfRunJobs) {
    napkin_set_thread_task(thread, Int32(truncatingIfNeeded: newTask()))
    halfRun.begin(thread, on: 0, &ready)
    addRest(of: thread)
  }

  /// Makes a job ready that is one of the schedule's tasks, and none of the runtime's.
  fileprivate func starts(_ job: UnsafeMutableRawPointer, named name: UnsafePointer<CChar>, onMain: Bool) {
    let task = newTask()
    log?.started(task, named: name)
    add(
      ReadyJob(
        job: job, task: task, target: onMain ? main.identity : 0, implementation: 0, arrival: .enqueued))
  }

  func newTask() -> Int {
    let task = numbers.number(of: 0)
    unretainedStrategy._withUnsafeGuaranteedRef { $0.started(task, by: running) }
    order.created(task, by: running)
    return task
  }

  /// Says whether a task's continuation may be resumed; it was before if not, and the task may have gone on since.
  fileprivate func resumes(_ task: UnsafeMutableRawPointer, _ halfRun: HalfRunJobs) -> Bool {
    guard let number = halfRun.resumes(task) else { return true }
    reportDoubleResume(of: number, hasGoneOn: !ready.contains(task))
    return false
  }

  /// Lets another job run, since a thread that the code under test has started has come to its end.
  fileprivate func ends(_ thread: OpaquePointer, _ halfRun: HalfRunJobs) -> OpaquePointer? {
    end(thread, halfRun)
    return self.thread(for: chooseNext(halfRun), halfRun)
  }

  private func wakeBlocked(_ halfRun: HalfRunJobs) {
    while let thread = halfRun.unblock() { addRest(of: thread) }
  }

  private func addRest(of thread: OpaquePointer) {
    add(
      ReadyJob(
        job: UnsafeMutableRawPointer(thread), task: Int(napkin_thread_task(thread)), target: 0, implementation: 0,
        arrival: .preempted))
  }

  /// Says whether the job of a thread is preempted at an access, and which thread goes on then.
  fileprivate func preempts(_ thread: OpaquePointer, at access: napkin_access, _ halfRun: HalfRunJobs) -> (
    Bool, OpaquePointer?
  ) {
    wakeBlocked(halfRun)
    let actor = napkin_current_executor().identity
    // A loop that waits for another task does not end by itself when no more jobs may run.
    let mayGoOn = steps < halfRun.limit || !access.is_planned
    guard canRunOthers(than: actor), mayGoOn, napkin_has_idle_thread() else { return (false, nil) }
    if access.is_planned { halfRun.add(Preemption(task: access.task, number: access.number).choice) }
    // A stop counts by the order that comes of it.
    if Instrumentation.splitsSteps { order.preempted(Int(access.task), at: access.number) }
    log?.preempted(at: access)
    halfRun.begin(thread, on: actor, &ready)
    let next = chooseNext(halfRun)
    if holdsBack { heldBack.holdBack(Int(access.task)) }
    addRest(of: thread)
    return (true, self.thread(for: next, halfRun))
  }

  private func canRunOthers(than actor: UInt) -> Bool {
    (0..<ready.count).contains { ready[$0].target == 0 || ready[$0].target != actor }
  }

  /// Lets another job run, since the one of a thread has to wait; nil if there is none.
  fileprivate func waits(_ thread: OpaquePointer, until deadline: Int64, _ halfRun: HalfRunJobs) -> OpaquePointer? {
    // Time passes up to the end of the wait, if nothing else happens before; it has no job to make ready.
    if deadline != .max { timers.insert(Timer(deadline: deadline, task: Int(napkin_thread_task(thread)))) }
    halfRun.begin(thread, on: napkin_current_executor().identity, &ready)
    halfRun.block(thread, hasLimit: deadline != .max)
    return self.thread(for: chooseNext(halfRun), halfRun)
  }

  private func thread(for job: ReadyJob?, _ halfRun: HalfRunJobs) -> OpaquePointer? {
    guard let job else { return nil }
    if job.arrival == .preempted { return OpaquePointer(job.job) }
    halfRun.chosen = job
    if halfRun.mainThread != nil, halfRun.staysOnMain(job, main.identity) { return nil }
    guard let idle = napkin_idle_thread() else { return noThread() }
    return idle
  }

  private func rank(ofRest thread: OpaquePointer) -> Int? {
    (0..<ready.count).first { ready[$0].arrival == .preempted && OpaquePointer(ready[$0].job) == thread }
  }

  /// The job of a thread waits in the kernel; the half-run one of another goes on without being chosen.
  fileprivate func loses(_ thread: OpaquePointer, to other: OpaquePointer, _ halfRun: HalfRunJobs) {
    halfRun.lose(thread, &ready)
    halfRun.forgetBlocked(other)
    if let rest = rank(ofRest: other) { _ = take(rest) }
  }

  /// Lets another job run while the one of this thread waits in the kernel; false if none can.
  func runOtherInThread(_ halfRun: HalfRunJobs) -> Bool {
    let actor = napkin_current_executor().identity
    guard let thread = napkin_this_split_thread(), canRunOthers(than: actor), napkin_has_idle_thread() else {
      return false
    }
    halfRun.begin(thread, on: actor, &ready)
    let next = chooseNext(halfRun)
    addRest(of: thread)
    napkin_let_run(self.thread(for: next, halfRun))
    return true
  }

  /// Runs what is half-run to the end of its step, before an execution ends that is not over.
  func finishHalfRun() {
    guard let halfRun, Instrumentation.stopsAtCalls else { return }
    halfRun.limit = 0
    while true {
      if let rank = (0..<ready.count).first(where: { ready[$0].arrival == .preempted }) {
        napkin_run_split(OpaquePointer(take(rank).job))
      } else if halfRun.isAnyOut {
        napkin_await_ring(napkin_rings(), Duration.milliseconds(1).wholeNanoseconds)
        wakeBlocked(halfRun)
      } else {
        return
      }
    }
  }

  private static func withHalfRun<Result>(_ body: (Scheduler, HalfRunJobs) -> Result?) -> Result? {
    guard let scheduler = Scheduler.current, let halfRun = scheduler.halfRun else { return nil }
    return body(scheduler, halfRun)
  }

  /// Says which functions the threads of the simulation call.
  static func takeHalfRun() {
    napkin_take_splits(
      napkin_split_handlers(
        go_on: { Scheduler.withHalfRun { $0.goOn($1) } },
        preempts: { thread, access, next in
          Scheduler.withHalfRun { scheduler, halfRun in
            let (preempts, other) = scheduler.preempts(thread, at: access.pointee, halfRun)
            next.pointee = other
            return preempts
          } ?? false
        },
        waits: { thread, deadline in Scheduler.withHalfRun { $0.waits(thread, until: deadline, $1) } },
        starts: { thread in _ = Scheduler.withHalfRun { $0.starts(thread, $1) } },
        ends: { thread in Scheduler.withHalfRun { $0.ends(thread, $1) } },
        starts_job: { name, onMain, job in
          _ = Scheduler.withHalfRun { scheduler, _ in scheduler.starts(job, named: name, onMain: onMain) }
        },
        has_continuation: { task in
          _ = Scheduler.withHalfRun { scheduler, halfRun in
            napkin_this_split_thread().map { halfRun.hasContinuation(task, number: Int(napkin_thread_task($0))) }
          }
        },
        resumes: { task in Scheduler.withHalfRun { $0.resumes(task, $1) } ?? true },
        loses: { thread, other in _ = Scheduler.withHalfRun { $0.loses(thread, to: other, $1) } }))
  }
}
