// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime
internal import Synchronization

/// The jobs of an execution that are half-run: preempted at an access, or waiting for a lock.
///
/// Each keeps its thread, and the actor that it is on: until it has ended, no other job can be on that one.
final class SplitSteps {
  /// A job that has begun and not ended, in its thread.
  private struct HalfRun {
    var thread: OpaquePointer
    var actor: UInt
  }

  /// The C functions' counts of this execution.
  let counts: OpaquePointer

  /// How many jobs may run until the threads come to rest.
  var limit = 0

  /// The job that an idle thread begins with.
  var chosen: ReadyJob?

  /// The accesses at which tasks were preempted, as choices.
  private(set) var preemptions: [UInt64] = []

  /// Whether no job of the execution has been half-run while another one ran.
  private(set) var isWhole = true

  private var halfRun: [HalfRun] = []
  // The threads that wait, and whether for a limited time.
  private var blocked: [(thread: OpaquePointer, hasLimit: Bool)] = []

  // Jobs whose actor a half-run job is on, and whether they were ready before.
  private var kept: [(job: ReadyJob, wasReady: Bool)] = []
  private var actors: Set<UInt> = []

  /// Whether code that takes and gives back a Mutex says so.
  ///
  /// A copy of it is in each module, and the linker takes one: where that one has no calls, nothing is known of the order of tasks.
  static let seesMutexes: Bool = {
    let mutex = Mutex(0)
    let before = napkin_exchanges()
    mutex.withLock { $0 += 1 }
    return napkin_exchanges() - before >= 2
  }()

  /// The half-run jobs of an execution that begins, and is preempted at these accesses.
  init(_ counts: OpaquePointer, _ points: [napkin_point]) {
    self.counts = counts
    points.withUnsafeBufferPointer { napkin_begin_split(counts, $0.baseAddress, $0.count) }
  }

  /// The threads that wait for a lock without a limit, in the order in which they began to.
  var waiting: [OpaquePointer] { blocked.filter { !$0.hasLimit }.map(\.thread) }

  /// Whether one waits that has to come to an end: not one that the code under test has started, which may serve others.
  var keepsWaiting: Bool { waiting.contains { !napkin_may_wait($0) } }

  /// The half-run jobs are discarded: the execution has ended without them.
  func discard() {
    for job in halfRun { napkin_discard_thread(job.thread) }
  }

  /// Whether a job can be ready; one whose actor a half-run job is on is kept until that has ended.
  func admits(_ job: borrowing ReadyJob) -> Bool {
    napkin_others_are_ready(true)
    guard !actors.isEmpty, job.target != 0, actors.contains(job.target) else { return true }
    kept.append((copy job, false))
    return false
  }

  /// Says that the job of a thread is half-run, on an actor or on none.
  func begin(_ thread: OpaquePointer, on actor: UInt, _ ready: inout ReadyQueue) {
    isWhole = false
    if let index = halfRun.firstIndex(where: { $0.thread == thread }) { release(halfRun.remove(at: index).actor) }
    halfRun.append(HalfRun(thread: thread, actor: actor))
    guard actor != 0 else { return }
    actors.insert(actor)
    var rank = 0
    while rank < ready.count {
      if ready[rank].target == actor { kept.append((ready.remove(at: rank), true)) } else { rank += 1 }
    }
  }

  /// The job of a thread has ended; returns the jobs that can be on its actor now.
  func end(_ thread: OpaquePointer) -> [(job: ReadyJob, wasReady: Bool)] {
    guard let index = halfRun.firstIndex(where: { $0.thread == thread }) else { return [] }
    let actor = halfRun.remove(at: index).actor
    release(actor)
    guard actor != 0, !kept.isEmpty, !actors.contains(actor) else { return [] }
    let freed = kept.filter { $0.job.target == actor }
    kept.removeAll { $0.job.target == actor }
    return freed
  }

  private func release(_ actor: UInt) {
    if actor != 0, !halfRun.contains(where: { $0.actor == actor }) { actors.remove(actor) }
  }

  func block(_ thread: OpaquePointer, hasLimit: Bool) { blocked.append((thread, hasLimit)) }

  /// Takes out a thread that waited, and can go on.
  func unblock() -> OpaquePointer? {
    guard let index = blocked.firstIndex(where: { napkin_can_go_on($0.thread) }) else { return nil }
    return blocked.remove(at: index).thread
  }

  func add(_ preemption: UInt64) { preemptions.append(preemption) }
}

/// An access of a task as one number, which is not zero.
enum Preemption {
  private static let taskBits: UInt64 = 16

  static func value(task: Int32, number: Int64) -> UInt64 {
    UInt64(number) << taskBits | UInt64(UInt16(truncatingIfNeeded: task))
  }

  static func point(_ value: UInt64) -> napkin_point {
    napkin_point(task: Int32(value & ((1 << taskBits) - 1)), number: Int64(clamping: value >> taskBits))
  }
}
