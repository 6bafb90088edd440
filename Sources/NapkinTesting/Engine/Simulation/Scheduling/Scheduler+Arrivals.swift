// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// Called by the runtime, through the executors, the hop handler and the queue handler.
extension Scheduler {
  /// Takes a job that the exploring thread enqueues; false if it belongs to another test, and so to the runtime.
  @inline(__always)
  func enqueue(_ job: UnsafeMutableRawPointer, onMain: Bool) -> Bool {
    if caught.isWaited {
      caught.put(job, onMain: onMain)
      return true
    }
    return makeReady(job, onMain: onMain)
  }

  /// The same for a job that the running one enqueues, which can be stopped then.
  @inline(__always)
  func take(_ job: UnsafeMutableRawPointer, onMain: Bool) -> Bool {
    halfRun == nil ? enqueue(job, onMain: onMain) : takeUncounted(job, onMain: onMain)
  }

  @inline(never)
  private func takeUncounted(_ job: UnsafeMutableRawPointer, onMain: Bool) -> Bool {
    // A task that yields enqueues itself.
    let isOfJob =
      halfRun?.mainThread != nil && !caught.isOn && napkin_job_kind(job) != UInt32(napkin_job_continuation)
    if isOfJob { napkin_reach_call(Int32(napkin_access_starts)) }
    let counted = napkin_pause_accesses()
    let isTaken = enqueue(job, onMain: onMain)
    napkin_resume_accesses(counted)
    if isOfJob { napkin_reach_call(Int32(napkin_access_started)) }
    return isTaken
  }

  private func makeReady(_ job: UnsafeMutableRawPointer, onMain: Bool) -> Bool {
    if isProbing, onMain { napkin_end_probe(job) }
    if otherImages != nil { lookAtCurrent() }
    var arrival = ReadyJob.Arrival.enqueued
    let number: Int
    switch napkin_job_kind(job) {
    case UInt32(napkin_job_task):
      guard let own = ownNumber(ofArriving: job) else { return outer?.enqueueOwn(job, onMain: onMain) ?? false }
      if otherImages != nil { followArrival(of: own, job, onMain: onMain) }
      number = own
      if !napkin_is_creating(), ready.contains(job) || napkin_current_task() == job {
        reportDoubleResume(of: own)
        return true
      }
    case UInt32(napkin_job_continuation):
      number = numbers.number(of: napkin_current_task().map(napkin_job_task_id) ?? 0)
      arrival = .yielded
      awaits?.yields(number)
    case UInt32(napkin_job_actor_separate):
      if napkin_entry() == Int32(napkin_entry_is_elsewhere), caught.job == nil {
        caught.put(job, onMain: false)
        return true
      }
      // A job that has left the executor that enqueues was enqueued before.
      let source = napkin_current_executor().identity
      if source != 0 {
        ready.arriveAll(from: source, at: arrivals)
        halfRun?.arriveAll(from: source, at: arrivals)
      }
      switch napkin_empty_queue(job) {
      case Int32(napkin_queue_is_empty): return true
      case Int32(napkin_queue_is_shared):
        lendQueue(of: job)
        return true
      default:
        number = numbers.number(of: 0)
        arrival = .errand
      }
    default:
      number = numbers.number(of: 0)
    }
    add(ReadyJob(job: job, task: number, target: onMain ? main.identity : 0, implementation: 0, arrival: arrival))
    return true
  }

  /// Takes a job that an inner execution made ready, if its task is one of this one's.
  private func enqueueOwn(_ job: UnsafeMutableRawPointer, onMain: Bool) -> Bool {
    guard numbers.existingNumber(of: napkin_job_task_id(job)) != nil else {
      return outer?.enqueueOwn(job, onMain: onMain) ?? false
    }
    return makeReady(job, onMain: onMain)
  }

  /// Takes a job that waits for a time; false if it belongs to another test.
  func enqueue(_ job: UnsafeMutableRawPointer, after delay: Duration, onMain: Bool) -> Bool {
    setTimer(after: delay, job: job, target: onMain ? main.identity : 0)
  }

  /// Ends the sleep of the current task after a time.
  func wake(_ sleep: Sleep, after delay: Duration) { _ = setTimer(after: delay, sleep: sleep) }

  private func setTimer(
    after delay: Duration, job: UnsafeMutableRawPointer? = nil, sleep: Sleep? = nil, target: UInt = 0
  ) -> Bool {
    guard let sleeper = napkin_current_task(), let task = numbers.existingNumber(of: napkin_job_task_id(sleeper)) else {
      return false
    }
    napkin_forget_questions()
    timers.insert(
      Timer(
        deadline: deadline(after: delay), job: job, sleep: sleep.map { .passRetained($0) }, task: task, target: target))
    return true
  }

  /// Takes a job of one of its tasks that another thread enqueued.
  func deliver(_ job: UnsafeMutableRawPointer, after delay: Duration?, onMain: Bool) {
    napkin_stop_looking_for_races()
    if napkin_job_kind(job) == UInt32(napkin_job_task), delay == nil { _ = number(ofOwn: napkin_job_task_id(job)) }
    guard let delay else {
      _ = makeReady(job, onMain: onMain)
      return
    }
    // The sleeping task is known on the other thread alone.
    timers.insert(
      Timer(
        deadline: deadline(after: delay), job: job, task: numbers.number(of: 0),
        target: onMain ? main.identity : 0))
  }

  /// Takes a task that leaves an executor for another one; false if it is not of this execution.
  @inline(__always)
  func hop(_ task: UnsafeMutableRawPointer, from source: UInt, to target: napkin_executor) -> Bool {
    guard let number = numbers.existingNumber(of: napkin_job_task_id(task)) else { return false }
    if otherImages != nil { follow(number, task, from: source, to: target.identity) }
    if lateAnswers != nil, delays(task, number, from: source, to: target) { return true }
    add(
      ReadyJob(
        job: task,
        task: number,
        target: target.identity,
        implementation: target.implementation,
        // The thread pool has no queue to be first in.
        source: target.identity == 0 ? 0 : source,
        // Its creator goes on only when a task that was started immediately has been enqueued.
        latest: napkin_is_starting() ? 0 : .max,
        priority: target.identity != 0 && target.implementation == 0 ? napkin_task_priority(task) : 0,
        arrival: .hopped
      )
    )
    return true
  }

  /// Takes a task that was in the queue of an actor, where it stays in front of later arrivals; false if it is not of
  /// this execution, nor of one that this is inside of.
  func takeFromQueue(_ task: UnsafeMutableRawPointer, of actor: napkin_executor) -> Bool {
    let id = napkin_job_task_id(task)
    guard let number = numbers.existingNumber(of: id) ?? (isOwn(id) ? number(ofOwn: id) : nil) else {
      return outer?.takeFromQueue(task, of: actor) ?? false
    }
    if otherImages != nil { follow(number, task, from: actor.identity, to: actor.identity) }
    add(
      ReadyJob(
        job: task,
        task: number,
        target: actor.identity,
        implementation: actor.implementation,
        priority: napkin_task_priority(task),
        arrival: .hopped
      )
    )
    return true
  }

  /// Whether a task that is in the queue of an actor is of this execution, or of one that this is inside of.
  func owns(_ task: UnsafeMutableRawPointer) -> Bool {
    let id = napkin_job_task_id(task)
    if numbers.existingNumber(of: id) != nil || isOwned(id) { return true }
    return outer?.owns(task) ?? false
  }

  /// Says that a task of another test works on an actor of the execution.
  ///
  /// Work that the execution has left to other threads may be there, too: for it, and for tasks that it has started there.
  @inline(never)
  func warnOfSharing(actor identity: UInt) {
    guard identity != lastShared, !napkin_has_left_something() else { return }
    lastShared = identity
    let type = SchedulerLog.type(ofObjectAt: identity) ?? "An actor"
    warn(
      Diagnostic(
        warning: .sharedActor(type),
        "\(type) is in use by tasks that are not of this execution: another test that runs at the same time.",
        likelyCause: "it is a global actor, or is shared by a static property.",
        suggestion: "make a new actor for each execution, or mark the suites that share it .serialized."
      ))
  }

  /// Leaves an actor to the thread pool, since tasks of others are in its queue, too.
  func lendQueue(of job: UnsafeMutableRawPointer) {
    warnOfSharing(actor: napkin_drained_actor(job))
    napkin_lend_queue(job)
    Seam.passOn(job, onMain: false)
  }

  /// Numbers a task that the exploring thread has created.
  func created(_ task: UnsafeMutableRawPointer) {
    let number = number(ofOwn: napkin_job_task_id(task))
    // A task that is started immediately runs before any job of it arrives.
    log?.created(number)
    // A child ends before the task that waits for it. The value of a task must not live longer than without exploration.
    if napkin_created_returns_nothing(), !napkin_task_is_child(task) { live.add(task, number) }
  }

  /// Takes note that a task which was started at once has suspended for the first time.
  private func started(_ task: UnsafeMutableRawPointer) {
    guard let log, let number = numbers.existingNumber(of: napkin_job_task_id(task)) else { return }
    log.suspended(task, number)
  }

  @inline(__always)
  private func ownNumber(ofArriving task: UnsafeMutableRawPointer) -> Int? {
    let id = napkin_job_task_id(task)
    return numbers.existingNumber(of: id)
      ?? (napkin_is_creating() || otherImages != nil && isCreatedElsewhere(task) ? number(ofOwn: id) : nil)
  }

  /// Whether a task that has no number yet is of this execution: it is being created, or came back from another thread.
  private func isOwn(_ id: UInt64) -> Bool {
    napkin_is_creating() || isOwned(id)
  }

  private func isOwned(_ id: UInt64) -> Bool {
    napkin_owning() != 0 && napkin_owner(id) == napkin_owning() || otherImages?.isNew(id) == true
  }

  private func number(ofOwn id: UInt64) -> Int {
    let count = numbers.count
    let number = numbers.number(of: id)
    if numbers.count != count {
      napkin_own(id)
      let starter = napkin_current_task().flatMap { numbers.existingNumber(of: napkin_job_task_id($0)) }
      unretainedStrategy._withUnsafeGuaranteedRef { $0.started(number, by: starter) }
      order.created(number, by: starter ?? running)
      readiness?.created(number)
      otherImages?.knows(id)
    }
    return number
  }

  // Made in the queue's own memory: a job is as large as a cache line, and reading it whole right after it was written in
  // parts stalls a processor for as long as all the rest of this takes.
  @inline(__always)
  func add(_ job: consuming ReadyJob) {
    let place = ready.append(job)
    if halfRun != nil, !isAdmitted() { return }
    arrivals &+= 1
    place.pointee.order = arrivals
    if place.pointee.latest == 0 { place.pointee.latest = arrivals }
    arrive(at: place)
  }

  /// Makes a job ready that arrived before, while its actor was in the middle of a step.
  func addKept(_ job: ReadyJob) { arrive(at: ready.putBack(job)) }

  @inline(__always)
  private func arrive(at place: UnsafeMutablePointer<ReadyJob>) {
    if place.pointee.priority != priority, place.pointee.priority != 0 { noticePriority(place.pointee.priority) }
    unretainedStrategy._withUnsafeGuaranteedRef { $0.arrived(&place.pointee) }
    if isWatched { noteArrival(at: place) }
    if holdsBack {
      place.pointee.level = heldBack.level(of: place.pointee.task)
      ready.settleLast()
    }
  }

  /// Whether the last job may be ready where steps are split; takes it out if not.
  @inline(never)
  private func isAdmitted() -> Bool {
    guard let halfRun, !halfRun.admits(ready[ready.count &- 1]) else { return true }
    halfRun.keep(ready.remove(at: ready.count &- 1), main: main.identity, &arrivals)
    return false
  }

  @inline(never)
  private func noticePriority(_ other: UInt8) {
    if priority == 0 { priority = other } else { ready.hasPriorities = true }
  }

  /// Says that a task was resumed twice, and runs it once.
  @inline(never)
  func reportDoubleResume(of task: Int, hasGoneOn: Bool = false) {
    guard problems.isEmpty else { return }
    let place = log == nil ? nil : Symbolicator.caller()
    var problem = Diagnostic.doubleResume(
      of: log?.log.title(ofTask: task), hasGoneOn: hasGoneOn, before: log?.log.resumption(of: task), at: place)
    problem.subject = .resumption
    log?.append(.issue(problem.description))
    problems.append(problem)
  }

  /// Whether a task is to be cancelled by another one, or with nil all tasks of a group.
  private func takeCancelled(_ task: UnsafeMutableRawPointer?) -> Bool {
    if strategy.options.contains(.ignoresCancellation) { return false }
    guard let log else { return true }
    guard let task else {
      log.cancels(nil)
      return true
    }
    // A task that has ended, or was cancelled before, is not changed by it.
    if napkin_task_is_complete(task) || napkin_task_is_cancelled(task) { return true }
    if let number = numbers.existingNumber(of: napkin_job_task_id(task)) { log.cancels(number) }
    return true
  }

  @inline(never)
  private func noteArrival(at place: UnsafeMutablePointer<ReadyJob>) {
    if let log {
      // The runtime returns a task's name while the task runs: here, if it is the one that made this job ready.
      if let id = napkin_current_task().map(napkin_job_task_id), let task = numbers.existingNumber(of: id) {
        log.nameRunning(task: task)
      }
      log.arrived(place.pointee)
    }
    answers?.arrives(place.pointee.task)
    guard place.pointee.arrival != .preempted else { return }
    cancellation?.arrived(place.pointee)
  }
}

extension Scheduler {
  /// Says which functions the runtime's calls come to.
  static func takeJobs() {
    napkin_take_jobs(
      napkin_job_handlers(
        hops: { task, source, target in
          Scheduler.unretained?._withUnsafeGuaranteedRef {
            $0.halfRun == nil ? $0.hop(task, from: source, to: target) : hopUncounted($0, task, source, target)
          } ?? false
        },
        leaves_queue: { task, actor in
          guard napkin_is_exploring_thread() else { return Inbox.receiveFromQueue(task, of: actor.identity) }
          return Scheduler.unretained?._withUnsafeGuaranteedRef { $0.takeFromQueue(task, of: actor) } ?? false
        },
        owns: { task in Scheduler.unretained?._withUnsafeGuaranteedRef { $0.owns(task) } ?? false },
        lends: { Inbox.expect($0) },
        creates: { task in Scheduler.unretained?._withUnsafeGuaranteedRef { $0.created(task) } },
        starts: { task in Scheduler.unretained?._withUnsafeGuaranteedRef { $0.started(task) } },
        cancels: { task in Scheduler.unretained?._withUnsafeGuaranteedRef { $0.takeCancelled(task) } ?? true },
        waits_in_job: { Scheduler.current?.waitInJob() ?? Int32(napkin_wait_is_real) },
        creates_detached: { create, context in Carried.task { create(context) } }))
  }
}

@inline(never)
private func hopUncounted(
  _ scheduler: Scheduler, _ task: UnsafeMutableRawPointer, _ source: UInt, _ target: napkin_executor
) -> Bool {
  let counted = napkin_pause_accesses()
  defer { napkin_resume_accesses(counted) }
  return scheduler.hop(task, from: source, to: target)
}
