// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The tasks of executions that were discarded, as after a deadlock.
///
/// What resumes one of them later is outside Swift Concurrency, and what its body borrowed may be gone. So the executors drop
/// them, and they never run again.
enum AbandonedTasks {
  // One relaxed load for every job of the process; the set is only asked once there is one.
  private static let exist = Atomic<Bool>(false)
  private static let ids = Mutex<Set<UInt64>>([])

  static func add(_ tasks: [UInt64]) {
    ids.withLock { $0.formUnion(tasks) }
    exist.store(true, ordering: .releasing)
  }

  static var areAny: Bool { exist.load(ordering: .relaxed) }

  static func contain(_ task: UInt64) -> Bool { ids.withLock { $0.contains(task) } }
}
