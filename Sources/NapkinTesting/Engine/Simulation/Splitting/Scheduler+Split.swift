// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

// Where a job can be half-run, the scheduler runs in the threads of the simulation: each runs jobs from the queue until it picks a
// half-run one, whose own thread goes on then. A job that is preempted chooses the thread that goes on.
//
// The jobs of the main actor run on the thread that has begun the execution, which is the main one, unless steps are split.
extension Scheduler {
  /// Lets the threads of the simulation run jobs until none is ready, or until `limit` jobs have run in this execution.
  @inline(never)
  func runSplit(_ split: SplitSteps, limit: Int) -> Stop {
    split.limit = limit
    if split.mainThread == nil { return runOnThreads(split) }
    while true {
      guard let job = split.takeChosen() ?? chooseNext(split) else {
        return ready.count == 0 ? .nothingReady : .stepLimit
      }
      if split.staysOnMain(job, main.identity) {
        perform(job, split)
      } else if let thread = thread(for: job, split) {
        napkin_run_split(thread)
      }
    }
  }

  /// The same where this thread runs no job.
  private func runOnThreads(_ split: SplitSteps) -> Stop {
    while true {
      wakeBlocked(split)
      if ready.count == 0 { return .nothingReady }
      if steps >= split.limit { return .stepLimit }
      guard let thread = napkin_idle_thread() else { return noThread() }
      napkin_run_split(thread)
    }
  }

  private func noThread<Result>() -> Result {
    preconditionFailure("NapkinTesting: no thread can be made to run a job in, while others wait for locks.")
  }

  /// Runs jobs in a thread of the simulation; returns the one whose half-run job was picked, nil if there is nothing to run.
  fileprivate func goOn(_ split: SplitSteps) -> OpaquePointer? {
    if split.chosen != nil, let job = split.takeChosen() { perform(job, split) }
    while let job = chooseNext(split) {
      if job.arrival == .preempted { return OpaquePointer(job.job) }
      if split.mainThread != nil, split.staysOnMain(job, main.identity) {
        split.chosen = job
        return nil
      }
      perform(job, split)
    }
    return nil
  }

  private func chooseNext(_ split: SplitSteps) -> ReadyJob? {
    while true {
      wakeBlocked(split)
      if ready.count == 0 || steps >= split.limit { return split.mainThread == nil ? nil : comeToRest(split) }
      if split.mainThread == nil, let job = chooseCancellation() { return job }
      let rank = chooseRank()
      if rank >= 0 { return take(rank) }
      letTimePass()
    }
  }

  /// The thread that has begun the execution comes to rest between two jobs alone, and not before one that went on by itself.
  ///
  /// A function of its own, since one that is not optimised clears the memory of all its variables at each call.
  @inline(never)
  private func comeToRest(_ split: SplitSteps) -> ReadyJob? {
    while true {
      if let rest = split.mainThread.flatMap(rank(ofRest:)) { return take(rest) }
      guard split.isAnyOut else { return nil }
      napkin_await_ring(napkin_rings(), Duration.milliseconds(1).wholeNanoseconds)
      wakeBlocked(split)
      if ready.count != 0, steps < split.limit { return chooseNext(split) }
    }
  }

  private func perform(_ job: ReadyJob, _ split: SplitSteps) {
    if job.target != 0 { split.arriveAll(from: job.target, at: arrivals) }
    napkin_others_are_ready(ready.count != 0)
    napkin_begin_slice(Int32(truncatingIfNeeded: job.task))
    // Jobs on an actor, the main one too, are in one order.
    let actor = UnsafeRawPointer(bitPattern: job.target)
    if split.mainThread != nil, let thread = napkin_this_split_thread() { napkin_set_thread_actor(thread, job.target) }
    if let actor { napkin_acquire(actor) }
    execute(job)
    if let actor { napkin_release_clocks(actor) }
    napkin_end_slice()
    if let thread = napkin_this_split_thread() { end(thread, split) }
  }

  /// The job of a thread has ended: others can be on its actor.
  private func end(_ thread: OpaquePointer, _ split: SplitSteps) {
    let freed = split.end(thread)
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
  fileprivate func starts(_ thread: OpaquePointer, _ split: SplitSteps) {
    napkin_set_thread_task(thread, Int32(truncatingIfNeeded: newTask()))
    split.begin(thread, on: 0, &ready)
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
  fileprivate func resumes(_ task: UnsafeMutableRawPointer, _ split: SplitSteps) -> Bool {
    guard let number = split.resumes(task) else { return true }
    reportDoubleResume(of: number, hasGoneOn: !ready.contains(task))
    return false
  }

  /// Lets another job run, since a thread that the code under test has started has come to its end.
  fileprivate func ends(_ thread: OpaquePointer, _ split: SplitSteps) -> OpaquePointer? {
    end(thread, split)
    return self.thread(for: chooseNext(split), split)
  }

  private func wakeBlocked(_ split: SplitSteps) {
    while let thread = split.unblock() { addRest(of: thread) }
  }

  private func addRest(of thread: OpaquePointer) {
    add(
      ReadyJob(
        job: UnsafeMutableRawPointer(thread), task: Int(napkin_thread_task(thread)), target: 0, implementation: 0,
        arrival: .preempted))
  }

  /// Says whether the job of a thread is preempted at an access, and which thread goes on then.
  fileprivate func preempts(_ thread: OpaquePointer, at access: napkin_access, _ split: SplitSteps) -> (
    Bool, OpaquePointer?
  ) {
    wakeBlocked(split)
    let actor = napkin_current_executor().identity
    // A loop that waits for another task does not end by itself when no more jobs may run.
    let mayGoOn = steps < split.limit || !access.is_planned
    guard canRunOthers(than: actor), mayGoOn, napkin_has_idle_thread() else { return (false, nil) }
    if access.is_planned { split.add(Preemption(task: access.task, number: access.number).choice) }
    // A stop counts by the order that comes of it.
    if Instrumentation.splitsSteps { order.preempted(Int(access.task), at: access.number) }
    log?.preempted(at: access)
    split.begin(thread, on: actor, &ready)
    let next = chooseNext(split)
    if holdsBack { heldBack.holdBack(Int(access.task)) }
    addRest(of: thread)
    return (true, self.thread(for: next, split))
  }

  private func canRunOthers(than actor: UInt) -> Bool {
    (0..<ready.count).contains { ready[$0].target == 0 || ready[$0].target != actor }
  }

  /// Lets another job run, since the one of a thread has to wait; nil if there is none.
  fileprivate func waits(_ thread: OpaquePointer, until deadline: Int64, _ split: SplitSteps) -> OpaquePointer? {
    // Time passes up to the end of the wait, if nothing else happens before; it has no job to make ready.
    if deadline != .max { timers.insert(Timer(deadline: deadline, task: Int(napkin_thread_task(thread)))) }
    split.begin(thread, on: napkin_current_executor().identity, &ready)
    split.block(thread, hasLimit: deadline != .max)
    return self.thread(for: chooseNext(split), split)
  }

  private func thread(for job: ReadyJob?, _ split: SplitSteps) -> OpaquePointer? {
    guard let job else { return nil }
    if job.arrival == .preempted { return OpaquePointer(job.job) }
    split.chosen = job
    if split.mainThread != nil, split.staysOnMain(job, main.identity) { return nil }
    guard let idle = napkin_idle_thread() else { return noThread() }
    return idle
  }

  private func rank(ofRest thread: OpaquePointer) -> Int? {
    (0..<ready.count).first { ready[$0].arrival == .preempted && OpaquePointer(ready[$0].job) == thread }
  }

  /// The job of a thread waits in the kernel; the half-run one of another goes on without being chosen.
  fileprivate func loses(_ thread: OpaquePointer, to other: OpaquePointer, _ split: SplitSteps) {
    split.lose(thread, &ready)
    split.forgetBlocked(other)
    if let rest = rank(ofRest: other) { _ = take(rest) }
  }

  /// Lets another job run while the one of this thread waits in the kernel; false if none can.
  func runOtherInThread(_ split: SplitSteps) -> Bool {
    let actor = napkin_current_executor().identity
    guard let thread = napkin_this_split_thread(), canRunOthers(than: actor), napkin_has_idle_thread() else {
      return false
    }
    split.begin(thread, on: actor, &ready)
    let next = chooseNext(split)
    addRest(of: thread)
    napkin_let_run(self.thread(for: next, split))
    return true
  }

  /// Runs what is half-run to the end of its step, before an execution ends that is not over.
  func finishHalfRun() {
    guard let split, Instrumentation.stopsAtCalls else { return }
    split.limit = 0
    while true {
      if let rank = (0..<ready.count).first(where: { ready[$0].arrival == .preempted }) {
        napkin_run_split(OpaquePointer(take(rank).job))
      } else if split.isAnyOut {
        napkin_await_ring(napkin_rings(), Duration.milliseconds(1).wholeNanoseconds)
        wakeBlocked(split)
      } else {
        return
      }
    }
  }

  private static func withSplit<Result>(_ body: (Scheduler, SplitSteps) -> Result?) -> Result? {
    guard let scheduler = Scheduler.current, let split = scheduler.split else { return nil }
    return body(scheduler, split)
  }

  /// Says which functions the threads of the simulation call.
  static func takeSplits() {
    napkin_take_splits(
      napkin_split_handlers(
        go_on: { Scheduler.withSplit { $0.goOn($1) } },
        preempts: { thread, access, next in
          Scheduler.withSplit { scheduler, split in
            let (preempts, other) = scheduler.preempts(thread, at: access.pointee, split)
            next.pointee = other
            return preempts
          } ?? false
        },
        waits: { thread, deadline in Scheduler.withSplit { $0.waits(thread, until: deadline, $1) } },
        starts: { thread in _ = Scheduler.withSplit { $0.starts(thread, $1) } },
        ends: { thread in Scheduler.withSplit { $0.ends(thread, $1) } },
        starts_job: { name, onMain, job in
          _ = Scheduler.withSplit { scheduler, _ in scheduler.starts(job, named: name, onMain: onMain) }
        },
        has_continuation: { task in
          _ = Scheduler.withSplit { scheduler, split in
            napkin_this_split_thread().map { split.hasContinuation(task, number: Int(napkin_thread_task($0))) }
          }
        },
        resumes: { task in Scheduler.withSplit { $0.resumes(task, $1) } ?? true },
        loses: { thread, other in _ = Scheduler.withSplit { $0.loses(thread, to: other, $1) } }))
  }
}
