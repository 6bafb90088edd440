// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime
internal import Synchronization

/// Gives the tasks of an execution, or its actors, small numbers in the order of their first appearance.
///
/// The runtime's numbers are counted for the whole process, so they differ from one execution to the next; these do not.
struct TaskNumbers: ~Copyable {
  private var keys: UnsafeMutablePointer<UInt64>
  private var values: UnsafeMutablePointer<Int>
  private var mask: Int

  /// How many numbers have been given.
  private(set) var count = 0

  // Few at first: they are all wiped after every execution.
  init(size: Int = 32) {
    mask = size &- 1
    keys = .allocate(capacity: size)
    values = .allocate(capacity: size)
    // A value is read where its key is found alone.
    keys.initialize(repeating: 0, count: size)
  }

  deinit {
    keys.deallocate()
    values.deallocate()
  }

  /// The number of the task that the runtime calls `id`; zero is a job without a task, which gets a number of its own.
  @inline(__always)
  mutating func number(of id: UInt64) -> Int {
    let slot = Int(truncatingIfNeeded: id) & mask
    // No task is called zero, and an empty slot is.
    return keys[slot] == id && id != 0 ? values[slot] : searchedNumber(of: id)
  }

  private mutating func searchedNumber(of id: UInt64) -> Int {
    if id == 0 {
      count &+= 1
      return count &- 1
    }
    var slot = slot(of: id)
    if keys[slot] != 0 { return values[slot] }
    if count &+ count > mask {
      grow()
      slot = self.slot(of: id)
    }
    keys[slot] = id
    values[slot] = count
    count &+= 1
    return count &- 1
  }

  /// The place of a number, or the free one that it would have.
  private func slot(of id: UInt64) -> Int {
    var slot = Int(truncatingIfNeeded: id) & mask
    while keys[slot] != 0, keys[slot] != id { slot = (slot &+ 1) & mask }
    return slot
  }

  /// The number of a task that has one already.
  func existingNumber(of id: UInt64) -> Int? {
    var slot = Int(truncatingIfNeeded: id) & mask
    while keys[slot] != 0 {
      if keys[slot] == id { return values[slot] }
      slot = (slot &+ 1) & mask
    }
    return nil
  }

  /// The runtime's numbers of the tasks, in no order.
  var ids: [UInt64] { (0...mask).map { keys[$0] }.filter { $0 != 0 } }

  private mutating func grow() {
    var larger = TaskNumbers(size: (mask &+ 1) &* 2)
    for old in 0...mask where keys[old] != 0 {
      let slot = larger.slot(of: keys[old])
      larger.keys[slot] = keys[old]
      larger.values[slot] = values[old]
    }
    larger.count = count
    self = larger
  }
}

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
