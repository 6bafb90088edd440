// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime
internal import Synchronization

/// Receives the jobs of an execution's tasks from other threads, until its scheduler has nothing else to run.
///
/// A task that a dispatch queue, a thread, the network or an executor of its own resumes comes back this way, and runs on the
/// exploring thread again. In which order tasks come back is up to those threads, so it cannot be replayed.
final class Inbox: Sendable {
  /// A job that another thread has made ready, or that is to wait for a time.
  fileprivate struct Arrival {
    var job: UInt
    var delay: Duration?
    var onMain = false
    /// The actor whose queue it was in; zero for none.
    var actor: UInt = 0
  }

  /// Something that is left to a dispatch queue when the time of the execution has come so far.
  private struct Later {
    /// In nanoseconds.
    var deadline: Int64
    var queue: UInt
    var block: UInt

    func send() {
      napkin_submit(UnsafeMutableRawPointer(bitPattern: queue)!, UnsafeMutableRawPointer(bitPattern: block)!)
    }
    func forget() {
      napkin_drop(UnsafeMutableRawPointer(bitPattern: queue)!, UnsafeMutableRawPointer(bitPattern: block)!)
    }
  }

  private struct State {
    var isOpen = true
    /// The execution, until it is over.
    var scope: (any ExecutionScope)?
    var arrivals: [Arrival] = []
    var later: [Later] = []
    /// How many errands were left to others that have not come to their end.
    var errands = 0
    var threads = 0
    /// The queues and threads that they were left to.
    var places: Set<String> = []
    var count = 0
    /// Whether one came though no errand was on its way.
    var hasComeUnannounced = false
  }

  private let state = Mutex(State())

  /// The number that the tasks of the execution belong to.
  let owner: UInt64

  // The inboxes of the executions that have begun and not ended. There is one, but for nested explorations
  // and those that wait while others run.
  private static let open = Mutex<[Inbox]>([])

  private static func of(_ execution: UInt64) -> Inbox? {
    open.withLock { $0.last { $0.owner == execution } }
  }

  /// The execution with a number, if it is not over.
  static func scope(of execution: UInt64) -> (any ExecutionScope)? {
    execution == 0 ? nil : of(execution)?.state.withLock { $0.scope }
  }

  /// Opens an inbox for an execution that begins: the tasks created while it runs are its own.
  init() {
    owner = napkin_begin_owning()
    Self.open.withLock { $0.append(self) }
  }

  /// Says which execution it is, until that is over.
  func serve(_ scope: any ExecutionScope) { state.withLock { $0.scope = scope } }

  /// Called by the executors where no scheduler takes the job: whether it was an execution's, and is taken.
  @inline(__always)
  static func receive(_ job: UnsafeMutableRawPointer, after delay: Duration? = nil, onMain: Bool) -> Bool {
    if napkin_is_hearing() { napkin_note_move(job) }
    return (napkin_owns_any() || AbandonedTasks.areAny) && takes(job, delay, onMain)
  }

  @inline(never)
  private static func takes(_ job: UnsafeMutableRawPointer, _ delay: Duration?, _ onMain: Bool) -> Bool {
    let task = task(of: job)
    guard task != 0 else { return false }
    return takes(Arrival(job: UInt(bitPattern: job), delay: delay, onMain: onMain), task)
  }

  /// Says that a thread of the pool will find a task of an execution in an actor's queue.
  static func expect(_ execution: UInt64) { of(execution)?.state.withLock { $0.errands += 1 } }

  static func receiveFromQueue(_ task: UnsafeMutableRawPointer, of actor: UInt) -> Bool {
    takes(Arrival(job: UInt(bitPattern: task), actor: actor), napkin_job_task_id(task))
  }

  private static func takes(_ arrival: Arrival, _ task: UInt64) -> Bool {
    let owner = napkin_owner_of_new(task)
    if owner != 0, let inbox = of(owner), inbox.put(arrival) { return true }
    return AbandonedTasks.areAny && AbandonedTasks.contain(task)
  }

  private static func task(of job: UnsafeMutableRawPointer) -> UInt64 {
    switch napkin_job_kind(job) {
    case UInt32(napkin_job_task): return napkin_job_task_id(job)
    case UInt32(napkin_job_continuation): return napkin_current_task().map(napkin_job_task_id) ?? 0
    case UInt32(napkin_job_actor_separate):
      napkin_lend_queue(job)
      return 0
    default: return 0
    }
  }

  private func put(_ arrival: Arrival) -> Bool {
    let isTaken = state.withLock { state in
      guard state.isOpen else { return false }
      state.arrivals.append(arrival)
      state.count += 1
      if state.errands == 0 { state.hasComeUnannounced = true }
      if arrival.actor != 0 { state.errands -= 1 }
      return true
    }
    if isTaken { napkin_ring() }
    return isTaken
  }
}

// The exploring thread's side.
extension Inbox {
  /// Closes it, when the execution has ended; if its jobs are given back, later ones run where they come.
  func close(givingBack: Bool) {
    napkin_end_owning(owner)
    Self.open.withLock { $0.removeAll { $0 === self } }
    let (arrivals, later) = state.withLock { state in
      defer { (state.arrivals, state.later, state.isOpen, state.scope) = ([], [], false, nil) }
      return (state.arrivals, state.later)
    }
    if givingBack { for arrival in arrivals { arrival.giveBack() } }
    for later in later { later.forget() }
  }

  /// Makes the jobs ready that have come; false if there are none.
  func deliver(to scheduler: Scheduler) -> Bool {
    scheduler.keepPace()
    let arrivals = state.withLock { state in
      guard !state.arrivals.isEmpty else { return [Arrival]() }
      defer { state.arrivals.removeAll(keepingCapacity: true) }
      return state.arrivals
    }
    for arrival in arrivals {
      guard let job = UnsafeMutableRawPointer(bitPattern: arrival.job) else { continue }
      scheduler.otherImages?.isBrought(job)
      if arrival.actor != 0 {
        _ = scheduler.takeFromQueue(job, of: napkin_executor(identity: arrival.actor, implementation: 0))
      } else {
        scheduler.deliver(job, after: arrival.delay, onMain: arrival.onMain)
      }
    }
    return !arrivals.isEmpty
  }

  /// How many errands are on their way, and when the next one is to be left to its queue, in nanoseconds of the execution.
  var pending: (count: Int, next: Int64?) { state.withLock { ($0.errands, $0.later.first?.deadline) } }

  /// Whether a thread that was started may not have ended.
  var leavesThreads: Bool { state.withLock { $0.threads != 0 && $0.errands != 0 } }

  /// Leaves the errands to their queues whose time has come: the next one, and those that are due together with it.
  func sendNextErrand() {
    let due = state.withLock { state in
      let end = (state.later.first?.deadline ?? 0) + Int64(Scheduler.slack)
      let due = state.later.prefix { $0.deadline <= end }
      state.later.removeFirst(due.count)
      return due
    }
    for errand in due { errand.send() }
  }

  /// The number of jobs that came back in this execution, and the queues and threads that they had been left to.
  var summary: (count: Int, isUnannounced: Bool, places: [String]) {
    state.withLock { ($0.count, $0.hasComeUnannounced, $0.places.sorted()) }
  }
}

// Work that an execution leaves to others, as the C functions that replace dispatch's report it.
extension Inbox {
  static func watchOutside() {
    napkin_watch_outside(
      napkin_outside(
        leaves: { execution, kind, name, isSeen in
          guard let inbox = Inbox.of(execution) else { return }
          napkin_leaves_something()
          let place = Inbox.place(kind, String(cString: name))
          inbox.state.withLock { state in
            state.places.insert(place)
            if kind == Int32(napkin_left_to_thread) { state.threads += 1 }
            if isSeen { state.errands += 1 }
          }
        },
        leaves_later: { nanoseconds, queue, block in
          guard let scheduler = Scheduler.current, let inbox = Inbox.of(napkin_owning()) else { return }
          let later = Later(
            deadline: scheduler.deadline(after: .nanoseconds(nanoseconds)), queue: UInt(bitPattern: queue),
            block: UInt(bitPattern: block))
          inbox.state.withLock { state in
            let index = state.later.firstIndex { $0.deadline > later.deadline } ?? state.later.count
            state.later.insert(later, at: index)
          }
        },
        is_done: { execution in
          guard let inbox = Inbox.of(execution) else { return }
          inbox.state.withLock { $0.errands -= 1 }
          napkin_ring()
        },
        arms_timer: { Scheduler.current?.warn(.realTimer(at: Symbolicator.caller())) },
        carries: { Carried.here.map { Unmanaged.passRetained($0).toOpaque() } },
        does: { carried, work, context in
          Unmanaged<Carried>.fromOpaque(carried).takeUnretainedValue().bound { work(context) }
        }))
  }

  private static func place(_ kind: Int32, _ name: String) -> String {
    if kind == Int32(napkin_left_to_thread) { return "a thread" }
    switch name {
    case "": return "a dispatch queue without a label"
    case "com.apple.main-thread": return "the main queue"
    case let name where name.hasPrefix("com.apple.root."): return "a global dispatch queue"
    default: return "the dispatch queue \"\(name)\""
    }
  }
}

extension Inbox.Arrival {
  fileprivate func giveBack() {
    guard delay == nil, let job = UnsafeMutableRawPointer(bitPattern: job) else { return }
    if actor != 0 { return napkin_enqueue(job, napkin_executor(identity: actor, implementation: 0)) }
    Seam.passOn(job, onMain: onMain)
  }
}
