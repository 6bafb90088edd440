// SPDX-License-Identifier: Apache-2.0

/// The order in which tasks enter each actor, as one number, which distinguishes the behaviour of two executions.
///
/// Two executions have the same number if each actor is entered by the same tasks in the same order, however the steps on
/// different actors interleave; but for a chance of 2⁻⁶⁴. It is the hash of a trace in the sense of Mazurkiewicz, "Trace
/// theory" (1987), in which two steps depend on each other where they are of one task or on one actor. As long as no actor
/// is entered, the thread pool counts as one: bodies without actors share their state there.
///
/// Like ``ReadyQueue`` it manages its memory by hand, because it is asked at every step.
struct EntryOrder: ~Copyable {
  /// A fact that an execution shows to a strategy that learns: an entry into an actor, and the one before it.
  struct Feature {
    /// The entry, its task, and the entry that it came after; or that, and the same of the task's entry before.
    var hash: UInt64
    /// How many picks there had been.
    var picks: Int32
  }

  private struct TaskState {
    /// The task's creator and its number among the tasks of that one, hashed: the same in every execution.
    var name: UInt64
    var entries: UInt64 = 0
    var steps: UInt64 = 0
    var children: UInt64 = 0
    /// Where it runs; one that is no actor's, before it has run.
    var place = UInt.max
    /// The hash of its last entry and of the actor's entry before.
    var lastPair: UInt64 = 0
  }

  private struct Actor {
    var lastTask = -1
    var lastEntry: UInt64 = 0
    var hash: UInt64 = 0
  }

  private var tasks: UnsafeMutablePointer<TaskState>
  private var taskCapacity = 64
  private var taskCount = 0

  private var actors: UnsafeMutablePointer<Actor>
  private var actorCapacity = 32
  private var actorNumbers = TaskNumbers()

  private var pool = Actor()
  private var sum: UInt64 = 0

  /// Whether a strategy learns from this execution.
  var isLesson = false {
    didSet {
      guard isLesson else { return }
      features.reserveCapacity(Self.usual)
      picked.reserveCapacity(Self.usual)
    }
  }

  // Room for the facts of most executions, since to grow by doubling costs more than to note them.
  private static let usual = 256

  /// The facts that the execution has shown, and the tasks that were picked, if a strategy learns from it.
  private(set) var features: [Feature] = []
  private(set) var picked: [Int32] = []

  init() {
    tasks = .allocate(capacity: taskCapacity)
    actors = .allocate(capacity: actorCapacity)
  }

  deinit {
    tasks.deallocate()
    actors.deallocate()
  }

  /// Whether a task has entered an actor.
  var hasActors: Bool { actorNumbers.count != 0 }

  /// The order so far.
  var hash: UInt64 { Self.mix(hasActors ? sum : sum &+ pool.hash) }

  /// Takes note of a new task, and of the one that made it; a negative number is none.
  mutating func created(_ task: Int, by creator: Int) {
    include(task)
    guard creator >= 0, creator < taskCount, creator != task else { return }
    tasks[creator].children &+= 1
    tasks[task].name = Self.mix(tasks[creator].name &+ tasks[creator].children)
  }

  /// Takes note of a task that was cancelled from outside.
  mutating func cancelled(_ task: Int) {
    include(task)
    sum &+= Self.mix(~tasks[task].name &- tasks[task].entries)
  }

  /// Takes note of a task that was preempted at an access.
  mutating func preempted(_ task: Int, at number: Int64) {
    include(task)
    sum &+= Self.mix(tasks[task].name ^ UInt64(bitPattern: number) &* 0x9E37_79B9_7F4A_7C15)
  }

  /// Takes note of a step in an actor, or on the thread pool if the place is zero.
  ///
  /// A task goes on if it was suspended there, and not to let others go first.
  @inline(__always)
  mutating func enter(_ place: UInt, by task: Int, goesOn: Bool) {
    if task >= taskCount { include(task) }
    let state = tasks + task
    // Whether a task had to wait is no difference, if no other task came meanwhile.
    let goesOn = goesOn && state.pointee.place == place
    state.pointee.place = place
    if place != 0 {
      let actor = self.actor(place)
      if goesOn, actor.pointee.lastTask == task { return }
      if !goesOn { state.pointee.entries &+= 1 }
      let before = actor.pointee.hash
      let entry = state.pointee.name ^ state.pointee.entries &* 0x9E37_79B9_7F4A_7C15
      if isLesson { add(entry, after: actor.pointee.lastTask == task ? 0 : actor.pointee.lastEntry, of: task) }
      actor.pointee.lastEntry = entry
      actor.pointee.lastTask = task
      actor.pointee.hash = Self.mix(actor.pointee.hash ^ entry)
      sum &+= actor.pointee.hash &- before
    } else if !hasActors {
      if goesOn, pool.lastTask == task { return }
      if !goesOn { state.pointee.steps &+= 1 }
      pool.lastTask = task
      pool.hash = Self.mix(pool.hash ^ state.pointee.name ^ state.pointee.steps &* 0x9E37_79B9_7F4A_7C15)
    }
  }

  /// Whether a task has left the actor, if it was on one.
  @inline(__always)
  func isOnPool(_ task: Int) -> Bool { task < taskCount && tasks[task].place == 0 }

  /// Takes note of a pick.
  @inline(__always)
  mutating func pick(_ task: Int) {
    if isLesson { picked.append(Int32(truncatingIfNeeded: task)) }
  }

  /// Takes note of a label, or of a goal that the execution came by: facts that a strategy goes back to.
  mutating func show(label name: String, isMet: Bool) {
    guard isLesson else { return }
    let word = name.utf8.stableNumber
    features.append(
      Feature(hash: Self.mix(isMet ? word : ~word), picks: Int32(truncatingIfNeeded: picked.count)))
  }

  @inline(never)
  private mutating func add(_ entry: UInt64, after previous: UInt64, of task: Int) {
    let pair = Self.mix(entry ^ previous &* 3)
    let picks = Int32(truncatingIfNeeded: picked.count)
    if previous != 0 { features.append(Feature(hash: pair, picks: picks)) }
    features.append(Feature(hash: Self.mix(pair ^ tasks[task].lastPair &* 5), picks: picks))
    tasks[task].lastPair = pair
  }

  @inline(__always)
  private mutating func actor(_ identity: UInt) -> UnsafeMutablePointer<Actor> {
    let known = actorNumbers.count
    // The low bits of an address distinguish no two objects.
    let number = actorNumbers.number(of: UInt64(identity >> 4))
    if number == known { include(actor: number) }
    return actors + number
  }

  @inline(never)
  private mutating func include(actor number: Int) {
    if number == actorCapacity {
      actors.grow(to: actorCapacity &* 2, keeping: number)
      actorCapacity &*= 2
    }
    (actors + number).initialize(to: Actor())
  }

  /// Makes room for a task; one whose creator is not known is named by its number.
  @inline(never)
  private mutating func include(_ task: Int) {
    guard task >= taskCount else { return }
    if task >= taskCapacity {
      taskCapacity = max(task &+ 1, taskCapacity &* 2)
      tasks.grow(to: taskCapacity, keeping: taskCount)
    }
    while taskCount <= task {
      (tasks + taskCount).initialize(to: TaskState(name: Self.mix(UInt64(taskCount) &+ 1)))
      taskCount &+= 1
    }
  }

  @inline(__always)
  private static func mix(_ word: UInt64) -> UInt64 {
    var word = word &* 0xBF58_476D_1CE4_E5B9
    word ^= word >> 32
    word &*= 0x94D0_49BB_1331_11EB
    return word ^ word >> 29
  }
}
