// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import NapkinTestingCRuntime
internal import Synchronization

/// The tasks that another thread resumes, of the execution that runs or of one that ended before they did, as in a
/// deadlock.
///
/// Something outside Swift Concurrency resumes them, on a thread that nobody controls: while their execution runs, where
/// it would race with what is controlled, or when that is judged, and what its body borrowed may be gone. So the executors
/// drop them, and they never run again. That one came tells that the execution was not stuck but out of control.
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
    (exist.load(ordering: .relaxed) || napkin_owns_any()) && isAbandoned(job)
  }

  @inline(never)
  private static func isAbandoned(_ job: UnsafeMutableRawPointer) -> Bool {
    guard napkin_job_kind(job) == UInt32(napkin_job_task) else { return false }
    let id = napkin_job_task_id(job)
    if napkin_catch_stray(id) {
      add([id])
      return true
    }
    guard ids.withLock({ $0.contains(id) }) else { return false }
    arrival.signal()
    return true
  }

  /// Whether one of them was resumed from outside, or is in a moment.
  ///
  /// Real time it is, since that is what the outside runs in.
  static func isResumedFromOutside() -> Bool {
    if napkin_met_stray() { return true }
    // Those that came before this execution came to another one.
    while arrival.wait(timeout: .now()) == .success {}
    return arrival.wait(timeout: .now() + grace) == .success
  }
}
