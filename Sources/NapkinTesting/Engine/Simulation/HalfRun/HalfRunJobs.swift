// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// The jobs of an execution that are half-run: preempted at an access or a call, or waiting for a lock.
///
/// Each keeps its thread, and the actor that it is on: until it has ended, no other job can be on that one.
final class HalfRunJobs {
  /// A job that has begun and not ended, in its thread.
  private struct HalfRun {
    var thread: OpaquePointer
    var actor: UInt
  }

  let counts: OpaquePointer

  /// How many jobs may run until the threads come to rest.
  var limit = 0

  /// The job that an idle thread begins with, or the one that has begun the execution.
  var chosen: ReadyJob?

  func takeChosen() -> ReadyJob? {
    guard let chosen else { return nil }
    self.chosen = nil
    return chosen
  }

  /// Whether a job runs on the thread that has begun the execution.
  func staysOnMain(_ job: borrowing ReadyJob, _ main: UInt) -> Bool {
    let target = job.target
    return mainThread != nil && target == main
  }

  /// The thread that has begun the execution, if it runs jobs.
  let mainThread = Instrumentation.stopsAtCalls ? napkin_starting_thread() : nil

  /// The accesses at which tasks were preempted, as choices.
  private(set) var preemptions: [UInt64] = []

  /// Whether no job of the execution has been half-run while another one ran.
  private(set) var isWhole = true

  private var jobs: [HalfRun] = []
  // The threads that wait, and whether for a limited time.
  private var blocked: [(thread: OpaquePointer, hasLimit: Bool)] = []

  // Jobs whose actor a half-run job is on, and whether they were ready before.
  private var kept: [(job: ReadyJob, wasReady: Bool)] = []
  private var actors: Set<UInt> = []
  // The threads whose job goes on without being chosen.
  private var out: [OpaquePointer] = []
  // The tasks that such jobs have parked, which they may still be about to suspend.
  private var parked: [(thread: OpaquePointer, job: ReadyJob, wasReady: Bool)] = []
  // When jobs arrived that are in the own queue of such an actor; the scheduler gets them when the step has ended.
  private var queued: [UnsafeMutableRawPointer: Int32] = [:]

  // The numbers of the tasks whose continuation is known and was not resumed, and of those of which it was.
  private var unresumed: [UnsafeMutableRawPointer: Int] = [:]
  private var resumed: [UnsafeMutableRawPointer: Int] = [:]

  /// The half-run jobs of an execution that has begun.
  init(_ counts: OpaquePointer) { self.counts = counts }

  deinit { napkin_free_split(counts) }

  /// The threads that wait for a lock without a limit, in the order in which they began to.
  var waiting: [OpaquePointer] { blocked.filter { !$0.hasLimit }.map(\.thread) }

  /// Whether one waits that has to come to an end: not one that the code under test has started, which may serve others.
  var keepsWaiting: Bool { waiting.contains { !napkin_may_wait($0) } }

  var isAnyOut: Bool { out.contains { napkin_is_out($0) } }

  /// Whether a job has gone on without being chosen: the execution counts for nothing.
  var isLost: Bool { !out.isEmpty }

  /// The job of a thread goes on without being chosen, until it needs to be.
  func lose(_ thread: OpaquePointer, _ ready: inout ReadyQueue) {
    begin(thread, on: napkin_thread_actor(thread), &ready)
    forgetBlocked(thread)
    out.append(thread)
    block(thread, hasLimit: true)
    // It may wait for the lock of its own task, which it has parked: until it has suspended that, no other thread can run it.
    let task = Int(napkin_thread_task(thread))
    while let rank = (0..<ready.count).first(where: { ready[$0].task == task && ready[$0].arrival != .preempted }) {
      parked.append((thread, ready.remove(at: rank), true))
    }
    parked += kept.filter { $0.job.task == task }.map { (thread, $0.job, $0.wasReady) }
    kept.removeAll { $0.job.task == task }
  }

  func forgetBlocked(_ thread: OpaquePointer) { blocked.removeAll { $0.thread == thread } }

  func discard() {
    for job in jobs { napkin_discard_thread(job.thread) }
  }

  /// Whether a job can be ready; one whose actor a half-run job is on is kept until that has ended.
  func admits(_ job: borrowing ReadyJob) -> Bool {
    napkin_others_are_ready(true)
    let target = job.target
    return actors.isEmpty || target == 0 || !actors.contains(target)
  }

  /// Keeps a job that is not admitted, in the order of arrival, in which those of the actor's own queue are as well.
  func keep(_ job: consuming ReadyJob, main: UInt, _ arrivals: inout Int32) {
    var job = job
    // An actor with an executor of its own has no such queue, nor has the main one.
    if job.implementation == 0, job.target != main { noteQueue(of: job.target, &arrivals) }
    if let order = queued.removeValue(forKey: job.job) {
      job.order = order
    } else {
      arrivals &+= 1
      job.order = arrivals
    }
    if job.latest == 0 { job.latest = job.order }
    kept.append((job, false))
  }

  /// Numbers the jobs that a step has put into the queue of its actor so far: they come before later arrivals.
  private func noteQueue(of actor: UInt, _ arrivals: inout Int32) {
    var new: [UnsafeMutableRawPointer] = []
    var job = napkin_last_arrived(actor)
    while let next = job, queued[next] == nil {
      new.append(next)
      job = napkin_arrived_before(next)
    }
    for job in new.reversed() {
      arrivals &+= 1
      queued[job] = arrivals
    }
  }

  func arriveAll(from source: UInt, at time: Int32) {
    for index in kept.indices where kept[index].job.source == source && kept[index].job.latest == .max {
      kept[index].job.latest = time
    }
  }

  /// Says that the job of a thread is half-run, on an actor or on none.
  func begin(_ thread: OpaquePointer, on actor: UInt, _ ready: inout ReadyQueue) {
    isWhole = false
    if let index = jobs.firstIndex(where: { $0.thread == thread }) { release(jobs.remove(at: index).actor) }
    jobs.append(HalfRun(thread: thread, actor: actor))
    guard actor != 0 else { return }
    actors.insert(actor)
    var rank = 0
    while rank < ready.count {
      if ready[rank].target == actor { kept.append((ready.remove(at: rank), true)) } else { rank += 1 }
    }
  }

  /// The job of a thread has ended; returns the jobs that can be on its actor now, in the order of their arrival.
  func end(_ thread: OpaquePointer) -> [(job: ReadyJob, wasReady: Bool)] {
    guard let index = jobs.firstIndex(where: { $0.thread == thread }) else { return [] }
    let actor = jobs.remove(at: index).actor
    release(actor)
    var freed = takeFreed(actor)
    if !parked.isEmpty {
      let own = parked.filter { $0.thread == thread }.map { (job: $0.job, wasReady: $0.wasReady) }
      parked.removeAll { $0.thread == thread }
      freed += own.filter { !actors.contains($0.job.target) }
      kept += own.filter { actors.contains($0.job.target) }
    }
    return freed.sorted { $0.job.order < $1.job.order }
  }

  /// Takes out the jobs that can be on an actor, if no half-run job is on it.
  private func takeFreed(_ actor: UInt) -> [(job: ReadyJob, wasReady: Bool)] {
    guard actor != 0, !kept.isEmpty, !actors.contains(actor) else { return [] }
    if actors.isEmpty { queued.removeAll() }
    let freed = kept.filter { $0.job.target == actor }
    kept.removeAll { $0.job.target == actor }
    return freed
  }

  func hasContinuation(_ task: UnsafeMutableRawPointer, number: Int) {
    resumed[task] = nil
    unresumed[task] = number
  }

  /// Says that the continuation of a task is resumed; returns the task's number if it was before, when it may have ended since.
  func resumes(_ task: UnsafeMutableRawPointer) -> Int? {
    guard let number = unresumed.removeValue(forKey: task) else { return resumed[task] }
    resumed[task] = number
    return nil
  }

  private func release(_ actor: UInt) {
    if actor != 0, !jobs.contains(where: { $0.actor == actor }) { actors.remove(actor) }
  }

  func block(_ thread: OpaquePointer, hasLimit: Bool) { blocked.append((thread, hasLimit)) }

  /// Takes out a thread that waited, and can go on.
  func unblock() -> OpaquePointer? {
    guard let index = blocked.firstIndex(where: { napkin_can_go_on($0.thread) }) else { return nil }
    return blocked.remove(at: index).thread
  }

  func add(_ preemption: UInt64) { preemptions.append(preemption) }
}
