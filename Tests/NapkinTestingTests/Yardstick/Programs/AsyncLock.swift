// SPDX-License-Identifier: Apache-2.0

/// A lock that a task waits for without blocking its thread.
actor AsyncLock {
  private var isTaken = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  func lock() async {
    if !isTaken {
      isTaken = true
      return
    }
    await withCheckedContinuation { waiters.append($0) }
  }

  func unlock() {
    if waiters.isEmpty {
      isTaken = false
    } else {
      waiters.removeFirst().resume()
    }
  }
}
