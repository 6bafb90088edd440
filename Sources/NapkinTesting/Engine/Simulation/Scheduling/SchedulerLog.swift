// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// Turns the steps of a scheduler into events, with names for tasks and actors.
///
/// Only executions that are reported or explained have one: all the others pay a comparison with nil.
final class SchedulerLog {
  private(set) var log = EventLog()
  private var places: [UInt: Event.Place] = [:]
  private var seen: Set<Int> = []
  private var step = 0
  private var time = Duration.zero
  private var running: Int? {
    willSet { if let running { forgetIfEnded(running) } }
  }

  // The tasks that have not ended, by number, to be asked in the end where they wait; and where they ran last.
  private var tasks: [Int: KnownTask] = [:]
  private var lastRun: [Int: (place: Event.Place, step: Int, time: Duration)] = [:]

  // Where those that have not begun were created.
  private var creations: [Int: SourcePlace] = [:]

  /// The lines that created tasks.
  private(set) var starts: [Int: SourcePlace] = [:]

  // The jobs that a custom executor has taken over and not given back, with its type.
  private var away: [Int: String] = [:]

  // The body does not wait then, though another task runs.
  private var isBodyPreempted = false

  // For each task that has yielded, and has done nothing since then that the log has: the line, and the steps since then.
  private var yields: [Int: (line: String, steps: Int)] = [:]

  // The steps of which the log has all functions that wait.
  private let stackSteps: [Int]

  init(stacksAt steps: [Int] = []) {
    stackSteps = steps
    places[napkin_main_executor().identity] = .main
    places[0] = .global
  }

  /// A task has been created, which arrives by then unless it is started at once.
  func created(_ task: Int) {
    if seen.insert(task).inserted { begins(task, isNew: true) }
    nameCreated(task: task)
  }

  /// A job has been made that is no task of the runtime's.
  func started(_ task: Int, named name: UnsafePointer<CChar>) {
    if seen.insert(task).inserted { begins(task, isNew: true) }
    log.name(task: task, String(cString: name))
  }

  /// A task that was started at once waits for the first time, in the step of its creator.
  func suspended(_ task: UnsafeMutableRawPointer, _ number: Int) {
    guard tasks[number] == nil else { return }
    tasks[number] = KnownTask(task)
    if let running { lastRun[number] = lastRun[running] }
  }

  func arrived(_ job: borrowing ReadyJob) {
    away[job.task] = nil
    if seen.insert(job.task).inserted { begins(job.task, isNew: napkin_is_creating()) }
    if let running, running != job.task, tasks[job.task] != nil, job.arrival == .enqueued, !napkin_is_creating() {
      var event = Event(step: step, time: time, task: running, kind: .started(by: nil))
      event.source = Symbolicator.caller()
      log.resumptions[job.task] = event
      yields[running] = nil
    }
    // The first task of all is the body, and it may end in a deadlock before its name could be read.
    if job.task == 0 { log.name(task: 0, "body") }
    if tasks[job.task] == nil, isTask(job) { tasks[job.task] = KnownTask(job.job) }
  }

  /// Forgets a task that has ended in its step, before any other step.
  ///
  /// The task that waits for a child uses the child's memory again, and the value of a task must not live longer than
  /// without a log.
  private func forgetIfEnded(_ task: Int) {
    if let known = tasks[task], napkin_task_is_complete(known.task) { forget(task) }
  }

  private func forget(_ task: Int) { tasks.removeValue(forKey: task)?.release() }

  /// Takes note of a task; its creator is still on the stack if it is new.
  private func begins(_ task: Int, isNew: Bool) {
    append(.started(by: running), task: task)
    if let running { yields[running] = nil }
    guard isNew else { return }
    nameCreated(task: task)
    creations[task] = Symbolicator.caller()
    starts[task] = creations[task]
  }

  /// A job goes on that has waited in the kernel while others ran.
  func goesOn(_ task: Int) { running = task }

  func willRun(_ job: borrowing ReadyJob, rank: Int, of ready: Int, step: Int, now: Duration) {
    if let running { yields[running]?.steps += step - self.step }
    self.step = step
    time = now
    running = job.task
    lastRun[job.task] = (place(of: job.target), step, now)
    if stackSteps.contains(step), let task = isTask(job) ? job.job : tasks[job.task]?.task {
      log.stacks[step] = Symbolicator.stack(of: task)
    }
    if log.testFunction == nil { nameTest(before: job) }
    if job.task == 0 { isBodyPreempted = false }
    let source = source(of: job)
    log.append(
      .ran(place(of: job.target), rank: rank, ready: ready), step: step, time: now, task: job.task, source: source)
    if job.arrival == .yielded { countYield(of: job.task, at: source?.fileAndLine) }
  }

  /// Counts the steps since a task has yielded at the same line before.
  private func countYield(of task: Int, at line: String?) {
    if let line, let before = yields[task], before.line == line { log.yields[line, default: 0] += before.steps }
    yields[task] = line.map { ($0, 0) }
  }

  /// Names the function of the test, which is the outermost that waits as soon as the body does.
  private func nameTest(before job: borrowing ReadyJob) {
    let body = job.task == 0 ? (isTask(job) ? job.job : nil) : isBodyPreempted ? nil : tasks[0]?.task
    log.testFunction = body.flatMap { Symbolicator.outermost(of: $0) }?.function
  }

  /// The place at which a task continues; for its first job, the closure that it was created with.
  private func source(of job: borrowing ReadyJob) -> SourcePlace? {
    let creation = creations.removeValue(forKey: job.task)
    if isTask(job) { return Symbolicator.resumption(of: job.job) ?? creation?.closure }
    if let creation { return creation.closure }
    // A task that has yielded is not its job, and waits like any other.
    return job.arrival == .yielded ? tasks[job.task].flatMap { Symbolicator.resumption(of: $0.task) } : nil
  }

  private func isTask(_ job: borrowing ReadyJob) -> Bool {
    if job.arrival == .preempted { return false }
    return napkin_job_kind(job.job) == UInt32(napkin_job_task)
  }

  /// The tasks that have begun and not ended, in words: which task, since when it waits, and where.
  var waiting: [Diagnostic.Wait] {
    tasks.filter { !napkin_task_is_complete($0.value.task) }.keys.sorted().map { task in
      guard let last = lastRun[task] else {
        return Diagnostic.Wait(text: "\(log.title(ofTask: task)) has not begun", isCancelled: false, isInCode: false)
      }
      let place = last.place == .global ? "" : " in \(log.title(of: last.place))"
      let waited = time - last.time
      let duration = waited == .zero ? "" : ", for \(waited)"
      let suspended = tasks[task]?.task
      let source = suspended.flatMap { Symbolicator.resumption(of: $0) }
      let line = source.map { $0.module == "Napkin" ? ", in Napkin" : ", at \($0.located())" } ?? ""
      let image = suspended.flatMap { OtherImages.image(whereWaits: $0) }.map { ", in code of another image, \($0)" }
      let isCancelled = tasks[task].map { napkin_task_is_cancelled($0.task) } == true
      let title = log.title(ofTask: task) + (isCancelled ? ", which is cancelled," : "")
      return Diagnostic.Wait(
        text: "\(title) waits since step \(last.step)\(place)\(duration)\(line)\(image ?? "")",
        isCancelled: isCancelled,
        isInCode: source.map { $0.module != "Napkin" && log.isNamed($0) } ?? false && !waitsForTasks(suspended))
    }
  }

  private func waitsForTasks(_ task: UnsafeMutableRawPointer?) -> Bool {
    var seen = napkin_heard_task()
    guard let task, napkin_look_at_task(&seen, UInt(bitPattern: task)) else { return false }
    return [napkin_waits_for_task, napkin_waits_for_group].contains(Int(seen.wait))
  }

  /// A task was enqueued where it wanted to go, and no job came of it.
  ///
  /// A default actor has it in its queue. A custom executor, which is one with an implementation of its own, runs it on a
  /// thread that is not controlled.
  func entered(_ job: borrowing ReadyJob) {
    // The low bits of an implementation are flags of the runtime.
    guard job.implementation & ~7 != 0, let executor = Self.type(ofObjectAt: job.target) else { return }
    away[job.task] = executor
    // It may end there, unseen.
    if tasks[job.task]?.isChild == true { forget(job.task) }
  }

  /// The tasks on an executor that is not controlled, in words.
  var tasksAway: [String] {
    away.keys.sorted().compactMap { task in away[task].map { "\(log.title(ofTask: task)) on \($0)" } }
  }

  deinit {
    for task in tasks.values { task.release() }
  }

  func preempted(at access: napkin_access) {
    let kind = Self.access(access)
    if running == 0 { isBodyPreempted = true }
    // A wrapper of a lock says little: the line is that of the code that uses it.
    let isLock = kind == .lock || kind == .unlock
    let place =
      isLock
      ? LockPlace.use(Symbolicator.callers())?.user
      : Symbolicator.place(ofAccess: access.caller) ?? Symbolicator.caller()
    log.append(.preempted(kind), step: step, time: time, task: running, source: place)
  }

  private static func access(_ access: napkin_access) -> Event.Access {
    guard access.is_planned else { return .spin }
    switch access.kind {
    case Int32(napkin_access_read), Int32(napkin_access_atomic_read): return .read
    case Int32(napkin_access_lock): return .lock
    case Int32(napkin_access_unlock): return .unlock
    case Int32(napkin_access_cancel): return .cancel
    case Int32(napkin_access_cancelled): return .cancelled
    case Int32(napkin_access_asked): return .asked
    case Int32(napkin_access_started): return .started
    case Int32(napkin_access_starts): return .starts
    case Int32(napkin_access_hop): return .hop
    case Int32(napkin_access_handler): return .handler
    default: return .write
    }
  }

  func cancelled(task: Int) { append(.cancelled, task: task) }

  /// A job of the kit's begins to cancel a task, which has an event already.
  func cancels(_ cancelled: Int, by task: Int) {
    seen.insert(task)
    running = task
    log.name(task: task, "cancellation of \(log.title(ofTask: cancelled))")
  }

  /// The running task is about to cancel another one, or with nil those of its group.
  ///
  /// The end of an active scope is an event of its interactor, and has no line here.
  func cancels(_ task: Int?) {
    let place = Symbolicator.caller()
    guard place?.module != "Napkin" else { return }
    if let running { yields[running] = nil }
    log.append(.cancels(task), step: step, time: time, task: running, source: place)
  }

  func timerFired(task: Int, at now: Duration) {
    time = now
    running = nil
    append(.timerFired, task: task)
  }

  /// Time passes before a step, although tasks are ready.
  func timePassed(_ duration: Duration, while ready: [Int], before step: Int, at now: Duration) {
    log.append(.timePassed(duration, while: Set(ready).sorted()), step: step, time: now, task: nil)
  }

  func append(_ kind: Event.Kind, line: String? = nil, path: String? = nil) {
    if let running { yields[running] = nil }
    log.append(kind, step: step, time: time, task: running, line: line, path: path)
  }

  /// Names the task that is being created, or has just been.
  private func nameCreated(task: Int) {
    if let name = napkin_created_name() { log.name(task: task, String(cString: name)) }
  }

  /// Asks for the name of a task while it runs, which is the only time when the runtime returns it.
  func nameRunning(task: Int) {
    guard log.taskNames[task] == nil, let name = napkin_current_task_name() else { return }
    log.name(task: task, String(cString: name))
  }

  private func append(_ kind: Event.Kind, task: Int?) {
    log.append(kind, step: step, time: time, task: task)
  }

  /// Numbers the actors as they appear; the actor is alive, since a job that wants to run on it holds it.
  private func place(of identity: UInt) -> Event.Place {
    if let place = places[identity] { return place }
    let place = Event.Place.actor(places.count - 1)
    places[identity] = place
    if let type = Self.type(ofObjectAt: identity) { log.name(place: place, type) }
    return place
  }

  static func type(ofObjectAt identity: UInt) -> String? {
    metatype(ofObjectAt: identity).map { String(describing: $0) }
  }

  static func metatype(ofObjectAt identity: UInt) -> AnyClass? {
    guard let pointer = UnsafeRawPointer(bitPattern: identity) else { return nil }
    return Swift.type(of: Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue())
  }
}

/// A task that has not ended.
///
/// It is kept alive; a discarding group releases a child as soon as that has ended. The child of an `async let` is not kept: the
/// task that waits for it has it in its own memory, where a reference would not be counted.
private struct KnownTask {
  let task: UnsafeMutableRawPointer
  let isChild: Bool
  private let isKept: Bool

  /// Nil for a child that could end in the step of another task, unseen.
  init?(_ task: UnsafeMutableRawPointer) {
    (self.task, isChild) = (task, napkin_task_is_child(task))
    if isChild, !napkin_knows_queues() { return nil }
    isKept = !isChild || napkin_task_is_in_group(task)
    if isKept { napkin_retain(task) }
  }

  func release() {
    if isKept { napkin_release(task) }
  }
}
