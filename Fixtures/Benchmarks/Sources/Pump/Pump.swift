// SPDX-License-Identifier: Apache-2.0
@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) internal import _Concurrency
internal import PumpRuntime

/// Runs the jobs of the main thread first come, first served: it chooses nothing, records nothing and knows no task.
///
/// That is the least that a tool can do that takes the runtime's jobs one by one, hops between actors included.
package final class Pump {
  // The main thread alone touches it, which `napkin_is_exploring_thread` has compared before this code runs.
  nonisolated(unsafe) static var current: Pump?

  private struct Job {
    var job: UnsafeMutableRawPointer
    var target: napkin_executor
    var isHop: Bool
  }

  private struct Timer {
    var deadline: Duration
    var job: Job
  }

  private var ring: UnsafeMutablePointer<Job>
  private var mask = 1023
  private var head = 0
  private var count = 0
  private var timers: [Timer] = []
  private var now = Duration.zero
  private var isCatching = false
  private var caught: UnsafeMutableRawPointer?
  private let main = napkin_main_executor()
  private let global = napkin_executor(identity: 0, implementation: 0)

  /// How many jobs have run.
  package private(set) var steps = 0

  /// Whether the next task that is enqueued on the main actor is the one whose layout is looked at.
  var isProbing = false

  init() { ring = .allocate(capacity: mask + 1) }

  deinit { ring.deallocate() }

  /// Lets the runtime show where it keeps what a hop goes on with, as the engine does before its first execution.
  @MainActor
  package static func setUp() -> Pump {
    let pump = Pump()
    current = pump
    takeJobs()
    napkin_explore_on_this_thread()
    PumpProbe.run(on: pump)
    napkin_stop_exploring()
    return pump
  }

  // On no actor, or each call would be checked to be on that.
  private nonisolated static func takeJobs() {
    napkin_take_jobs(
      napkin_job_handlers(
        hops: { task, _, target in
          // The task is parked, and the pump enqueues it when its turn comes.
          Pump.current?.hop(task, to: target)
          return true
        },
        leaves_queue: { _, _ in false }, owns: { _ in false }, lends: { _ in }, creates: { _ in }, starts: { _ in },
        cancels: { _ in true }, waits_in_job: { Int32(napkin_wait_is_real) }, creates_detached: { _, _ in false }))
  }

  /// Takes the thread over, runs a body until no job is left, and gives the thread back.
  @MainActor
  package func batch(_ body: @escaping @Sendable () async -> Void) {
    napkin_explore_on_this_thread()
    run(body)
    napkin_stop_exploring()
  }

  /// Runs a body until no job is left.
  @MainActor
  func run(_ body: @escaping @Sendable () async -> Void) {
    now = .zero
    Task { @concurrent in await body() }
    repeat {
      while count != 0 { step() }
    } while advance()
  }

  func enqueue(_ job: UnsafeMutableRawPointer, onMain: Bool) {
    if isCatching, caught == nil {
      caught = job
    } else {
      if isProbing, onMain { napkin_end_probe(job) }
      append(Job(job: job, target: onMain ? main : global, isHop: false))
    }
  }

  func enqueue(_ job: UnsafeMutableRawPointer, after delay: Duration, onMain: Bool) {
    // The requested delay, which is a whole number of milliseconds in the bodies here: the clock has moved on since.
    let milliseconds = (delay / .milliseconds(1)).rounded()
    let deadline = now + .milliseconds(Int(milliseconds))
    let timer = Timer(deadline: deadline, job: Job(job: job, target: onMain ? main : global, isHop: false))
    let index = timers.firstIndex { $0.deadline > timer.deadline } ?? timers.count
    timers.insert(timer, at: index)
  }

  func hop(_ task: UnsafeMutableRawPointer, to target: napkin_executor) {
    append(Job(job: task, target: target, isHop: true))
  }

  private func append(_ job: Job) {
    precondition(count <= mask, "more jobs than the benchmarks' bodies have")
    (ring + ((head &+ count) & mask)).initialize(to: job)
    count &+= 1
  }

  private func step() {
    let job = (ring + head).move()
    head = (head &+ 1) & mask
    count &-= 1
    steps &+= 1
    guard job.isHop else { return napkin_run_job(job.job, job.target) }
    isCatching = true
    napkin_enqueue(job.job, job.target)
    isCatching = false
    guard let caught else { return }
    self.caught = nil
    napkin_run_job(caught, job.target.identity == main.identity ? main : global)
  }

  private func advance() -> Bool {
    guard let first = timers.first else { return false }
    now = first.deadline
    var due = 0
    while due < timers.count, timers[due].deadline - now < .milliseconds(1) {
      append(timers[due].job)
      due += 1
    }
    timers.removeFirst(due)
    return true
  }
}
