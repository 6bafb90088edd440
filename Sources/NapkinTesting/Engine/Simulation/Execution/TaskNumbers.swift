// SPDX-License-Identifier: Apache-2.0

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
