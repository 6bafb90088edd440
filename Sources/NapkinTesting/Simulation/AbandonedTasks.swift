// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import NapkinTestingCRuntime
internal import Synchronization

/// The tasks of executions that ended before they did, as in a deadlock: they never run again.
///
/// Something outside Swift Concurrency may resume one after all, on a thread that nobody controls. By then its execution is
/// judged, and what its body borrowed may be gone, so the executors drop it. That it came tells, in hindsight, that the
/// execution was not stuck but out of control.
enum AbandonedTasks {
  // One relaxed load for every job of the process; the set is only asked once there is one.
  private static let exist = Atomic<Bool>(false)
  private static let ids = Mutex<Set<UInt64>>([])
  private static let arrival = DispatchSemaphore(value: 0)

  /// How long a stuck execution that is about to be told is watched for a resumption from outside.
  private static let grace = DispatchTimeInterval.milliseconds(400)

  static func add(_ tasks: [UInt64]) {
    ids.withLock { $0.formUnion(tasks) }
    exist.store(true, ordering: .releasing)
  }

  /// Whether a job that another thread enqueues belongs to a task that is given up.
  @inline(__always)
  static func contain(_ job: UnsafeMutableRawPointer) -> Bool {
    exist.load(ordering: .relaxed) && isAbandoned(job)
  }

  @inline(never)
  private static func isAbandoned(_ job: UnsafeMutableRawPointer) -> Bool {
    guard napkin_job_kind(job) == UInt32(napkin_job_task) else { return false }
    let id = napkin_job_task_id(job)
    guard ids.withLock({ $0.contains(id) }) else { return false }
    arrival.signal()
    return true
  }

  /// Waits a moment for one of them to be resumed from outside.
  ///
  /// Real time it is, since that is what the outside runs in.
  static func isResumedFromOutside() -> Bool {
    // Those that came before this execution came to another one.
    while arrival.wait(timeout: .now()) == .success {}
    return arrival.wait(timeout: .now() + grace) == .success
  }
}
