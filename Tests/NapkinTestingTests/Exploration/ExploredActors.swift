// SPDX-License-Identifier: Apache-2.0

/// A lock that a task waits for without blocking its thread; the tests of deadlocks take two of them.
actor TaskLock {
  private var isLocked = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func lock() async {
    if isLocked { await withCheckedContinuation { waiting.append($0) } } else { isLocked = true }
  }

  func unlock() {
    if waiting.isEmpty { isLocked = false } else { waiting.removeFirst().resume() }
  }

  /// Takes this lock and then another one, and releases both.
  func hold(and other: TaskLock) async {
    await lock()
    await other.lock()
    await other.unlock()
    unlock()
  }
}

/// A flag that the tests of polling wait for.
actor Flag {
  private(set) var isUp = false
  func raise() { isUp = true }
}
