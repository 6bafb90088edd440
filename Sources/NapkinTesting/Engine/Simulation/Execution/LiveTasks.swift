// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime
internal import Synchronization

/// Tasks of an execution that may not have ended, kept alive until it is over.
struct LiveTasks: ~Copyable {
  private(set) var tasks: [(task: UnsafeMutableRawPointer, number: Int)] = []
  private var limit = Self.least

  private static let least = 64

  deinit { for (task, _) in tasks { napkin_release(task) } }

  /// Adds a task; one that has ended may be released from now on.
  mutating func add(_ task: UnsafeMutableRawPointer, _ number: Int) {
    // Most executions have fewer, and then allocate once.
    if tasks.isEmpty { tasks.reserveCapacity(16) }
    if tasks.count == limit {
      removeEnded()
      limit = max(Self.least, tasks.count * 2)
    }
    napkin_retain(task)
    tasks.append((task, number))
  }

  /// Gives all of them back, when the execution is over.
  mutating func removeAll() { self = LiveTasks() }

  /// The tasks that have not ended.
  var waiting: [(task: UnsafeMutableRawPointer, number: Int)] { tasks.filter { !napkin_task_is_complete($0.task) } }

  mutating func removeEnded() {
    tasks.removeAll { task, _ in
      guard napkin_task_is_complete(task) else { return false }
      napkin_release(task)
      return true
    }
  }
}

/// The tasks of executions that were discarded, as after a deadlock.
///
/// Code outside Swift Concurrency may resume one of them later, when things that its body borrowed are gone. So the
/// executors drop them, and they never run again.
package enum AbandonedTasks {
  // One relaxed load for every job of the process; the set is only asked once there is one.
  private static let exist = Atomic<Bool>(false)
  private static let ids = Mutex<Set<UInt64>>([])

  static func add(_ tasks: [UInt64]) {
    ids.withLock { $0.formUnion(tasks) }
    exist.store(true, ordering: .releasing)
  }

  /// Whether an execution of this process has left tasks behind.
  package static var areAny: Bool { exist.load(ordering: .relaxed) }

  static func contain(_ task: UInt64) -> Bool { ids.withLock { $0.contains(task) } }
}
