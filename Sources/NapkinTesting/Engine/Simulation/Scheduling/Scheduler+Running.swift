// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

// How a job is run, by the way in which it arrived.
extension Scheduler {
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
    caught.isOn = true
    napkin_enqueue(job.job, napkin_executor(identity: job.target, implementation: job.implementation))
    caught.isOn = false
    runCaught(insteadOf: job)
  }

  /// Runs the job that came of enqueueing a parked task; none did if a custom executor has the task.
  @inline(__always)
  private func runCaught(insteadOf job: borrowing ReadyJob) {
    guard let caught = caught.take() else {
      log?.entered(job)
      return
    }
    run(caught.job, onMain: caught.isOnMain)
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
    caught.isOn = true
    run(job.job, onMain: false)
    caught.isOn = false
    guard let caught = caught.take() else { return }
    steps &+= 1
    let isOnPool = order.isOnPool(job.task) || napkin_job_kind(caught.job) == UInt32(napkin_job_task)
    let actor = isOnPool ? 0 : napkin_drained_actor(caught.job)
    order.enter(caught.isOnMain ? main.identity : actor, by: job.task, goesOn: false)
    run(caught.job, onMain: caught.isOnMain)
  }
}

extension Scheduler {
  /// The job that is caught: while a parked task is enqueued where it wanted to go, the job that comes of it runs at once.
  struct Caught {
    var isOn = false
    private(set) var job: UnsafeMutableRawPointer?
    private var isOnMain = false

    /// Whether the job that comes now is to be caught.
    @inline(__always)
    var isWaited: Bool { isOn && job == nil }

    @inline(__always)
    mutating func put(_ job: UnsafeMutableRawPointer, onMain: Bool) { (self.job, isOnMain) = (job, onMain) }

    /// Takes the job out, if one was caught.
    @inline(__always)
    mutating func take() -> (job: UnsafeMutableRawPointer, isOnMain: Bool)? {
      guard let job else { return nil }
      self.job = nil
      return (job, isOnMain)
    }
  }
}
