// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import NapkinTesting
import Synchronization
import Testing

/// A loop that takes a lock to see what another task does.
@Suite struct SpinTests {
  enum Way: String, CaseIterable, Codable, Sendable {
    case mutex, lock, queue, ownLock, twoLocks

    /// Waits in a loop until another task has set something, with a number of accesses more in each round, under the lock.
    func run(accesses: Int) async {
      let state = State()
      async let first: Void = wait(for: state, accesses)
      async let second: Void = set(state)
      _ = await (first, second)
    }

    private func wait(for state: State, _ accesses: Int) {
      switch self {
      case .mutex: while !state.mutex.withLock({ state.look(accesses, $0 > 0) }) {}
      case .lock: while !state.lock.withLock({ state.look(accesses, state.isSet) }) {}
      case .queue: while !state.queue.sync(execute: { state.look(accesses, state.isSet) }) {}
      case .ownLock: while !state.withOwnLock({ state.look(accesses, state.isSet) }) {}
      case .twoLocks:
        while !state.lock.withLock({ state.mutex.withLock { state.look(accesses, $0 > 0) } }) {}
      }
    }

    private func set(_ state: State) {
      switch self {
      case .mutex: state.mutex.withLock { $0 = 1 }
      case .lock: state.lock.withLock { state.isSet = true }
      case .queue: state.queue.sync { state.isSet = true }
      case .ownLock: state.withOwnLock { state.isSet = true }
      case .twoLocks: state.lock.withLock { state.mutex.withLock { $0 = 1 } }
      }
    }
  }

  @Test(.timeLimit(.minutes(5)), arguments: Way.allCases, 0..<8)
  func `a loop around a lock ends in every execution`(_ way: Way, _ accesses: Int) async {
    await #expect(processExitsWith: .success) { [way = way as Way, accesses = accesses as Int] in
      let explorer = Explorer(executions: 20, seed: 3, shrinks: false, steps: 200)
      let exploration = await explorer.run { await way.run(accesses: accesses) }
      precondition(exploration.failure == nil && exploration.executions == 20)
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `a loop that waits in a lock for another task lets that one go on`() async {
    await #expect(processExitsWith: .success) {
      let exploration = await Explorer(executions: 20, seed: 3, shrinks: false, steps: 200).run {
        let state = State()
        let flag = Flag()
        async let first: Void = state.lock.withLock { while !flag.isReady.load(ordering: .acquiring) {} }
        async let second: Void = flag.isReady.store(true, ordering: .releasing)
        _ = await (first, second)
      }
      precondition(exploration.failure == nil)
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `two loops around a lock that wait for each other are a livelock`() async {
    await #expect(processExitsWith: .success) {
      let exploration = await Explorer(executions: 20, seed: 3, shrinks: false, steps: 60).run {
        let state = State()
        async let first: Void = { while !state.mutex.withLock({ $0 > 0 }) {} }()
        async let second: Void = { while !state.mutex.withLock({ $0 > 1 }) {} }()
        _ = await (first, second)
      }
      precondition(exploration.failure?.diagnostics.map(\.kind) == [.livelock])
    }
  }
}

private final class State: @unchecked Sendable {
  let mutex = Mutex(0)
  let lock = NSLock()
  let queue = DispatchQueue(label: "state")
  private let isTaken = Atomic(false)
  var isSet = false
  private var looks = 0

  func look(_ accesses: Int, _ isSet: Bool) -> Bool {
    for _ in 0..<accesses { looks += 1 }
    return isSet
  }

  func withOwnLock<Result>(_ body: () -> Result) -> Result {
    while isTaken.exchange(true, ordering: .acquiring) {}
    defer { isTaken.store(false, ordering: .releasing) }
    return body()
  }
}
