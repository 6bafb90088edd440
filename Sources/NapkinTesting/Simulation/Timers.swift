// SPDX-License-Identifier: Apache-2.0

/// The jobs that wait for a time, as a binary heap: the earliest first, and of equals the one that was set first.
struct Timers: ~Copyable {
  struct Timer {
    var deadline: Duration
    var order: Int
    var job: UnsafeMutableRawPointer
    /// The task that sleeps, kept alive so that it can be cancelled when the body is over.
    var sleeper: UnsafeMutableRawPointer?
    var isOnMain: Bool
  }

  private var heap: [Timer] = []
  private var order = 0

  var count: Int { heap.count }
  var earliest: Duration? { heap.first?.deadline }

  mutating func insert(
    _ job: UnsafeMutableRawPointer, at deadline: Duration, sleeper: UnsafeMutableRawPointer?, isOnMain: Bool
  ) {
    order += 1
    heap.append(Timer(deadline: deadline, order: order, job: job, sleeper: sleeper, isOnMain: isOnMain))
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard precedes(child, parent) else { break }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  mutating func removeFirst() -> Timer {
    heap.swapAt(0, heap.count - 1)
    let first = heap.removeLast()
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && precedes(child, least) { least = child }
      if least == parent { return first }
      heap.swapAt(parent, least)
      parent = least
    }
  }

  /// The tasks that sleep, in the order in which they went to sleep.
  var sleepers: [UnsafeMutableRawPointer] {
    heap.sorted { $0.order < $1.order }.compactMap(\.sleeper)
  }

  mutating func removeAll() { order = 0 }

  private func precedes(_ left: Int, _ right: Int) -> Bool {
    let (left, right) = (heap[left], heap[right])
    return left.deadline != right.deadline ? left.deadline < right.deadline : left.order < right.order
  }
}
