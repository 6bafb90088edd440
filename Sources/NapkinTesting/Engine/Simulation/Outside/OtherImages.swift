// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// Follows code under test whose calls of the runtime do not come to this image, as that of a host app or of a framework does.
///
/// Its hops, and the tasks that it creates, are seen only by their effects: a task is on an actor that it has not been
/// seen to enter, or has no number although it is newer than the execution. On Apple's platforms its yields and sleeps take real
/// time, which the time of the execution must not outrun; they are seen by where in the runtime a task has stopped.
struct OtherImages {
  struct Waiter {
    let id: UInt64
    let sleeps: Bool
  }

  /// The executor that each task was seen to enter last.
  private var executors: [Int: UInt] = [:]

  /// The tasks by their numbers; one that is not running is alive for as long as it is waited for.
  private(set) var tasks: [Int: UnsafeMutableRawPointer] = [:]

  /// The tasks that yield or sleep in real time, by their numbers.
  private(set) var waiters: [Int: Waiter] = [:]

  /// How many of them have come back from other threads.
  private(set) var returned = 0

  /// The first task of the execution, by the runtime's number.
  private var first = UInt64.max

  /// The images that have been met.
  fileprivate(set) var names: Set<String> = []

  /// The real and the simulated time at which all time began to pass as real time does; nil where it does not.
  private var start: (real: Duration, simulated: Int64)?

  /// Whether code can be explored that calls the runtime by itself; tests load no other image while they run.
  static let canBeMet = napkin_has_other_images()

  /// A task of which nothing is known yet is on an executor.
  mutating func begins(_ task: Int, on executor: UInt) {
    if executors[task] == nil { executors[task] = executor }
  }

  mutating func enters(_ task: Int, _ executor: UInt) { executors[task] = executor }

  /// A task of the execution has been given a number.
  mutating func knows(_ id: UInt64) { first = min(first, id) }

  /// Whether a task without a number was created since the execution began, so that it is one of its own.
  ///
  /// It may have begun unseen, as a task that is started at once does.
  func isNew(_ id: UInt64) -> Bool { id > first }

  mutating func arrives(_ task: Int, _ job: UnsafeMutableRawPointer) {
    tasks[task] = job
    if waiters.removeValue(forKey: task) != nil, waiters.isEmpty { start = nil }
  }

  /// Another thread brings a task.
  mutating func isBrought(_ job: UnsafeMutableRawPointer) {
    if waiters.values.contains(where: { $0.id == napkin_job_task_id(job) }) { returned += 1 }
  }

  mutating func waits(_ task: Int, _ waiter: Waiter) {
    waiters[task] = waiter
    if start == nil { start = (Stopwatch.now, napkin_time()) }
  }

  /// The time of the execution, where it passes as real time does.
  var time: Int64? {
    start.map { $0.simulated + (Stopwatch.now - $0.real).wholeNanoseconds }
  }

  /// The type and the image of the actor that a task is on without having been seen to enter it; nil if there is none.
  ///
  /// The runtime's own functions leave an actor unseen as well, but enter none.
  func imageOfActor(_ executor: UInt, of task: Int, main: UInt) -> String? {
    guard executor != 0, executor != main, let seen = executors[task], seen != executor,
      let type = SchedulerLog.metatype(ofObjectAt: executor)
    else { return nil }
    return napkin_other_image_of(unsafeBitCast(type, to: UnsafeRawPointer.self)).map(Self.name)
  }

  /// The image of the innermost function that a suspended task waits in, apart from the runtime's; nil if it is the tests'.
  static func image(whereWaits task: UnsafeMutableRawPointer) -> String? { napkin_other_image_of_wait(task).map(name) }

  static func name(_ path: UnsafePointer<CChar>) -> String {
    String(cString: path).split(separator: "/").last.map(String.init) ?? String(cString: path)
  }
}

extension Scheduler {
  /// Follows a task from the executor that it is on to another one, or the same.
  @inline(never)
  func follow(_ task: Int, _ job: UnsafeMutableRawPointer, from source: UInt, to target: UInt) {
    if let image = otherImages?.imageOfActor(source, of: task, main: main.identity) { meet(image) }
    otherImages?.enters(task, target)
    otherImages?.arrives(task, job)
  }

  @inline(never)
  func followArrival(of task: Int, _ job: UnsafeMutableRawPointer, onMain: Bool) {
    otherImages?.begins(task, on: onMain ? main.identity : 0)
    otherImages?.arrives(task, job)
  }

  @inline(never)
  func lookAtCurrent() {
    guard let task = napkin_current_task(), let number = numbers.existingNumber(of: napkin_job_task_id(task)) else {
      return
    }
    let executor = napkin_current_executor().identity
    guard executor != 0 else { return }
    if let image = otherImages?.imageOfActor(executor, of: number, main: main.identity) { meet(image) }
    otherImages?.enters(number, executor)
  }

  /// Whether a task that has no number, and that the exploring thread enqueues, was created by another image.
  @inline(never)
  func isCreatedElsewhere(_ task: UnsafeMutableRawPointer) -> Bool {
    guard otherImages?.isNew(napkin_job_task_id(task)) == true, let current = napkin_current_task(),
      numbers.existingNumber(of: napkin_job_task_id(current)) != nil
        || otherImages?.isNew(napkin_job_task_id(current)) == true
    else { return false }
    if let path = napkin_calling_image() { meet(OtherImages.name(path)) }
    return true
  }

  /// Runs a job, and looks whether its task waits in real time then.
  @inline(never)
  func executeFollowed(_ job: ReadyJob) {
    // A job that ends a sleep, which may be a task of its own, outlives the task that sleeps where that one is cancelled.
    let isTask =
      job.arrival == .hopped || job.arrival == .enqueued && napkin_job_kind(job.job) == UInt32(napkin_job_task)
    let task = isTask ? job.job : job.arrival == .yielded ? otherImages?.tasks[job.task] : nil
    // A task that runs may end, and nothing else needs to hold it.
    if let task { napkin_retain(task) }
    executeAlone(job)
    guard let task else { return }
    if !napkin_task_is_complete(task) { lookAtWait(of: job.task, task) }
    napkin_release(task)
  }

  private func lookAtWait(of number: Int, _ task: UnsafeMutableRawPointer) {
    let kind = napkin_wait_of(task)
    guard kind != Int32(napkin_waits_for_nothing_real) else { return }
    if let image = OtherImages.image(whereWaits: task) { meet(image) }
    let sleeps = kind == Int32(napkin_waits_by_sleeping)
    otherImages?.waits(number, OtherImages.Waiter(id: napkin_job_task_id(task), sleeps: sleeps))
  }

  private func meet(_ image: String) {
    if otherImages?.names.insert(image).inserted == true { warn(.otherImage(image)) }
  }

  var yieldsElsewhere: Int { otherImages?.waiters.values.lazy.filter { !$0.sleeps }.count ?? 0 }

  /// How long it takes until something is due, in nanoseconds; nil where something is, or where no task sleeps in real time.
  func timeLeftElsewhere(_ errand: Int64?) -> Int64? {
    guard otherImages?.waiters.values.contains(where: \.sleeps) == true else { return nil }
    let left = min(timers.earliest ?? .max, errand ?? .max) - napkin_time()
    return left > 0 ? left : nil
  }

  /// Waits a moment, although a task is ready, for one that sleeps in real time; false where something is due, or none sleeps.
  func waitsBusily(_ errand: Int64?) -> Bool {
    let heard = napkin_rings()
    keepPace()
    guard let left = timeLeftElsewhere(errand) else { return false }
    napkin_await_ring(heard, min(left, OutsideWait.moment.wholeNanoseconds))
    return true
  }

  /// Lets as much time pass as really has, while a task waits in real time.
  func keepPace() {
    if let time = otherImages?.time { letTimePass(until: time) }
  }

  /// Discards the tasks that sleep in real time, like the timers: they never resume.
  func discardSleepsElsewhere() {
    guard let waiters = otherImages?.waiters, !waiters.isEmpty else { return }
    hasDiscarded = true
    AbandonedTasks.add(waiters.values.map(\.id))
  }
}

extension Diagnostic {
  fileprivate static let remedy = "\(oneImage); see the article \"Tests with a host app\"."
  static let oneImage = """
    compile the code under test into the tests' image: as a target of a package, or in Xcode in a unit test target whose Host \
    Application is None
    """

  fileprivate static func otherImage(_ image: String) -> Diagnostic {
    let time = Seam.isByHooks ? ", and its yields and sleeps take real time" : ""
    return Diagnostic(
      warning: .anotherImage(image),
      """
      The body runs code of another image, \(image), whose hops between actors are no scheduling points\(time): most races in it \
      are not found.
      """,
      likelyCause: "it is in a host app, a framework or another library, which calls the Swift runtime by itself.",
      suggestion: remedy)
  }

  /// A task sleeps in another image for longer than an execution waits.
  static func longSleep(in images: [String]) -> Diagnostic {
    Diagnostic(
      .hang,
      """
      Hang: a task sleeps in code of another image, \(images.joined(separator: ", ")), which takes real time, and nothing else \
      has gone on for \(OutsideWait.forRealSleeps.brief).
      """,
      likelyCause: "a sleep in a host app, a framework or another library is longer than that.", suggestion: remedy)
  }
}
