// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// A job that waits for a time.
///
/// It holds its job and its sleep without a reference that is counted, since it is moved with others again and again.
struct Timer {
  /// In nanoseconds from the beginning of the execution.
  var deadline: Int64
  /// The job to run then; nil where a task is only resumed.
  var job: UnsafeMutableRawPointer?

  /// The sleep to end then; retained.
  var sleep: Unmanaged<Sleep>?

  /// The number of the task that sleeps.
  var task: Int

  /// The main executor's identity, or zero for the global one.
  var target: UInt = 0

  /// How the job gets to run, and the implementation that goes with the target where it is a hop.
  var implementation: UInt = 0
  var arrival = ReadyJob.Arrival.enqueued

  /// Counts up in the order of setting, which decides between equal deadlines.
  fileprivate(set) var order = 0
}

/// The timers of an execution: the earliest last, and of equals the one that was set first.
struct Timers: ~Copyable {
  private var timers: [Timer] = []

  /// The number of the timer that was set last.
  private(set) var last = 0

  /// The number of the one that was set first, of those that wait.
  var first: Int? { timers.lazy.map(\.order).min() }

  /// The number of the timer that a task has set last; nil where none of its own waits.
  func number(ofTimerOf task: Int) -> Int? { timers.lazy.filter { $0.task == task }.map(\.order).max() }

  /// When the next timer is due, in nanoseconds; nil if none is set.
  var earliest: Int64? { timers.last?.deadline }

  var isEmpty: Bool { timers.isEmpty }

  mutating func insert(_ timer: Timer) {
    last += 1
    var (place, end) = (0, timers.count)
    while place < end {
      let middle = (place + end) / 2
      if timers[middle].deadline > timer.deadline { place = middle + 1 } else { end = middle }
    }
    timers.insert(timer, at: place)
    timers[place].order = last
  }

  mutating func removeFirst() -> Timer { timers.removeLast() }

  // In the order in which they were set.
  deinit {
    if timers.isEmpty { return }
    for timer in timers.sorted(by: { $0.order < $1.order }) { timer.sleep?.release() }
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

extension Scheduler {
  /// The point in time after a delay, in nanoseconds; the last one if there is none.
  func deadline(after delay: Duration) -> Int64 {
    let (deadline, isTooLate) = napkin_time().addingReportingOverflow(delay.wholeNanoseconds)
    return isTooLate ? .max : deadline
  }

  /// Lets time pass until a moment at which no timer is due.
  func letTimePass(until moment: Int64) { napkin_set_time(max(napkin_time(), moment)) }

  /// Whether the next timer is due within the time that may still pass while a task is ready.
  var isInBusyTime: Bool { timeToNextTimer < busyTime }

  private var timeToNextTimer: Int64 { max(0, (timers.earliest ?? .max) - napkin_time()) }

  /// Fires the next timer although a task is ready: a real machine may be so slow, or so busy with other things.
  func letTimePass() {
    let time = timeToNextTimer
    if busyTime != .max { busyTime -= time }
    log?.timePassed(.nanoseconds(time), while: (0..<ready.count).map { ready[$0].task }, before: steps, at: now)
    _ = advance()
  }

  /// Discards the timers.
  ///
  /// The body is over, and its time does not pass any more: a sleeping task never resumes, as after the end of a process.
  func discardTimers() {
    discardSleepsElsewhere()
    guard !timers.isEmpty else { return }
    hasDiscarded = true
    timers = Timers()
  }

  /// Lets time pass until the next deadline, and makes the tasks ready that wait for it; false if there are none.
  func advance() -> Bool {
    guard let earliest = timers.earliest else { return false }
    goOnByItself()
    letTimePass(until: earliest)
    while let next = timers.earliest, next - earliest < Self.slack {
      let timer = timers.removeFirst()
      log?.timerFired(task: timer.task, at: now)
      timer.sleep?.takeRetainedValue().end()
      guard let job = timer.job else { continue }
      var ready = ReadyJob(
        job: job, task: timer.task, target: timer.target, implementation: timer.implementation, arrival: timer.arrival)
      if timer.arrival == .hopped, timer.target != 0, timer.implementation == 0 {
        ready.priority = napkin_task_priority(job)
      }
      add(ready)
    }
    return true
  }
}

/// Decides when time passes although a task is ready, so that a timeout also ends in the middle of work.
///
/// It does so in a quarter of the executions, a few times in each, at random points at which a task sleeps, as long as busy
/// time is left. In the others time does not pass while a task is ready, as on a fast machine.
struct EarlyTimers {
  private var random: SplitMix64
  private var left = 0
  private let expected: UInt64

  /// How often it was asked.
  private(set) var met = 0

  /// The most times in an execution: a task that polls with a sleep would otherwise starve all others.
  private static let limit = 3

  /// Time does not pass while a task is ready.
  static let none = EarlyTimers(seed: 0, execution: 0, expecting: 0)

  /// The early timers of an execution, which is likely to ask as often as this.
  init(seed: UInt64, execution number: Int, expecting count: Int) {
    expected = UInt64(max(4, count))
    random = SplitMix64(seed: seed ^ 0x7469_6D65, index: UInt64(number))
    if number & 3 == 3 { left = 1 + Int(random.next(below: UInt64(Self.limit))) }
  }

  /// Stops time from now on, since the body is over.
  mutating func stop() { left = 0 }

  /// Whether time passes now; asked where a task is ready and another one sleeps.
  mutating func fires() -> Bool {
    met += 1
    guard left > 0, random.next(below: expected) < UInt64(left) else { return false }
    left -= 1
    return true
  }
}
