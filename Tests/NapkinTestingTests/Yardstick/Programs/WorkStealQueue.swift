// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

extension YardstickProgram {
  /// `WSQ` of SCTBench, after Frigo, Leiserson and Randall, "The implementation of the Cilk-5 multithreaded language"
  /// (PLDI 1998): without the spare slot a push may overwrite the item that a thief is about to take.
  static let workStealQueue = workStealQueue(spare: 1, name: "WorkStealQueue", depth: 3, published: "48 / 12 / .")

  static let soundWorkStealQueue = workStealQueue(spare: 0, name: "WorkStealQueue, sound", depth: nil)

  private static func workStealQueue(spare: Int, name: String, depth: Int?, published: String = "") -> Self {
    Self(name: name, depth: depth, published: published) {
      let queue = WorkStealQueue(spare: spare)
      let ledger = Ledger()
      try await finish([
        Task {
          for round in 0..<2 {
            await queue.push(2 * round)
            await queue.push(2 * round + 1)
            try ledger.take(await queue.pop())
          }
          for _ in 0..<2 { try ledger.take(await queue.pop()) }
        },
        Task {
          for _ in 0..<2 { try ledger.take(await queue.steal()) }
        },
      ])
    }
  }
}

/// How often each item was taken: not part of the program, so no visit.
private final class Ledger: Sendable {
  private let times = Mutex([0, 0, 0, 0])

  func take(_ item: Int?) throws {
    guard let item else { return }
    let count = times.withLock { times in
      times[item] += 1
      return times[item]
    }
    try demand(count == 1, "item \(item) was taken \(count) times")
  }
}

/// A deque: the owner pushes and pops at the tail, thieves steal at the head under a lock.
private final class WorkStealQueue: Sendable {
  private let head = Variable(0)
  private let tail = Variable(0)
  private let lock = QueueLock()
  private let slots = Mutex([-1, -1])
  private let spare: Int

  init(spare: Int) { self.spare = spare }

  func push(_ item: Int) async {
    let end = await tail.get()
    let mask = slots.withLock { $0.count - 1 }
    if end < (await head.get()) + mask + spare {
      slots.withLock { $0[end & mask] = item }
      await tail.set(end + 1)
    } else {
      await lock.lock()
      await grow()
      let end = await tail.get()
      slots.withLock { $0[end & ($0.count - 1)] = item }
      await tail.set(end + 1)
      await lock.unlock()
    }
  }

  func pop() async -> Int? {
    let end = await tail.get() - 1
    await tail.set(end)
    if await head.get() <= end { return item(end) }
    await tail.set(end + 1)
    // The last item may be about to be stolen: once more, with the thieves kept out.
    await lock.lock()
    var found: Int?
    if await head.get() <= end {
      await tail.set(end)
      found = item(end)
    }
    await lock.unlock()
    return found
  }

  func steal() async -> Int? {
    await lock.lock()
    let start = await head.get()
    await head.set(start + 1)
    var found: Int?
    if start < (await tail.get()) {
      found = item(start)
    } else {
      await head.set(start)
    }
    await lock.unlock()
    return found
  }

  private func item(_ index: Int) -> Int { slots.withLock { $0[index & ($0.count - 1)] } }

  private func grow() async {
    let start = await head.get()
    let end = await tail.get()
    slots.withLock { slots in
      var larger = Array(repeating: -1, count: slots.count * 2)
      for index in start..<max(start, end) { larger[index & (larger.count - 1)] = slots[index & (slots.count - 1)] }
      slots = larger
    }
  }
}

private actor QueueLock {
  private var isTaken = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  func lock() async {
    if isTaken { await withCheckedContinuation { waiters.append($0) } } else { isTaken = true }
  }

  func unlock() {
    if waiters.isEmpty { isTaken = false } else { waiters.removeFirst().resume() }
  }
}
