// SPDX-License-Identifier: Apache-2.0

/// Names tasks alike in every execution: a task is the n-th child of the task that started it.
///
/// A task's number says when the task first appeared, which depends on the schedule, so a strategy that learns
/// across executions does so by name. Zero is no task's name: the parent of the tasks that no task started.
struct TaskNames: ~Copyable {
  // The names as a tree: of each one its parent, its first child, and its parent's next child.
  private var parents = Counts()
  private var firstChildren = Counts()
  private var nextSiblings = Counts()

  // Of this execution: the names by the tasks' numbers, and by name the child that was started last.
  private var names = Counts()
  private var lastChildren = Counts()

  /// One more than the largest name.
  private(set) var count = 1

  /// Forgets the tasks of the last execution, and keeps their names.
  mutating func begin() {
    names.removeAll()
    lastChildren.removeAll()
  }

  /// The name of a task; one that was not announced counts as started by none.
  @inline(__always)
  mutating func name(of task: Int) -> Int {
    let name = names[task]
    return name != 0 ? name : add(task, startedBy: nil)
  }

  /// Names a new task, after the one that started it.
  mutating func add(_ task: Int, startedBy starter: Int?) -> Int {
    var parent = 0
    if let starter { parent = self.name(of: starter) }
    let last = lastChildren[parent]
    var name = last == 0 ? firstChildren[parent] : nextSiblings[last]
    if name == 0 {
      name = count
      count += 1
      parents[name] = parent
      if last == 0 { firstChildren[parent] = name } else { nextSiblings[last] = name }
    }
    lastChildren[parent] = name
    names[task] = name
    return name
  }

  /// The name of the task that starts a task; a parent's name is less than its children's.
  func parent(of name: Int) -> Int { parents[name] }
}

/// Numbers at small indices, all of them zero at first.
///
/// Like ``ReadyQueue`` it manages its memory by hand, because it is asked at every step.
struct Counts: ~Copyable {
  private var storage: UnsafeMutablePointer<Int>
  private var capacity = 64

  /// One more than the largest index that was written to.
  private(set) var count = 0

  init() {
    storage = .allocate(capacity: capacity)
    storage.initialize(repeating: 0, count: capacity)
  }

  deinit { storage.deallocate() }

  subscript(index: Int) -> Int {
    get { index < count ? storage[index] : 0 }
    _modify {
      if index >= count { include(index) }
      yield &storage[index]
    }
  }

  mutating func removeAll() {
    storage.update(repeating: 0, count: count)
    count = 0
  }

  private mutating func include(_ index: Int) {
    if index >= capacity {
      let larger = max(index &+ 1, capacity &* 2)
      storage.grow(to: larger, keeping: capacity)
      (storage + capacity).initialize(repeating: 0, count: larger &- capacity)
      capacity = larger
    }
    count = index &+ 1
  }
}
