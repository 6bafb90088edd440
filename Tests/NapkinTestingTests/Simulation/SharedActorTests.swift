// SPDX-License-Identifier: Apache-2.0

import Foundation
import NapkinTesting
import Synchronization
import Testing

@globalActor private actor Database {
  static let shared = Database()
}

@Database private final class Rows {
  nonisolated init() {}
  private var numbers: [Int] = []
  fileprivate var waiting: [CheckedContinuation<Void, Never>] = []

  func add(_ number: Int) async {
    numbers.append(number)
    await Task.yield()
  }

  var count: Int { numbers.count }

  func wait() async { await withCheckedContinuation { waiting.append($0) } }

  func wakeAll() {
    for continuation in waiting { continuation.resume() }
    waiting = []
  }
}

/// Two tests that run side by side and share an actor: neither disturbs the other.
@Suite struct SharedActorTests {
  @Test func `an explored test keeps its tasks`() async {
    let result = await Explorer(executions: 100).run {
      let rows = Rows()
      async let one: Void = rows.add(1)
      async let other: Void = rows.add(2)
      let third = Task { @Database in await rows.add(3) }
      _ = await (one, other, third.value)
      #expect(await rows.count == 3)
    }
    #expect(result.failure == nil, "\(result.failure?.messages ?? [])")
  }

  @Test(arguments: 0..<8) func `an ordinary test keeps its tasks and its time`(_ number: Int) async throws {
    let rows = Rows()
    try await withThrowingTaskGroup { group in
      for number in 0..<20 {
        group.addTask {
          try await Task.sleep(for: .milliseconds(2))
          await rows.add(number)
          try await Task { @Database in
            let start = ContinuousClock.now
            try await Task.sleep(for: .milliseconds(5))
            #expect(start.duration(to: .now) >= .milliseconds(5))
          }.value
        }
      }
      try await group.waitForAll()
    }
    #expect(await rows.count == 20)
  }

  @Test func `a task of another test that an execution resumes stays with its test`() async throws {
    let rows = Rows()
    let waiter = Task.detached { try await rows.waitAndAdd(1) }
    while await !rows.hasWaiter { await Task.yield() }
    let result = await Explorer(executions: 20).run {
      await rows.wakeAll()
      await Task.yield()
    }
    #expect(result.failure == nil, "\(result.failure?.messages ?? [])")
    try await waiter.value
    #expect(await rows.count == 1)
  }

  @Test func `tasks of two tests in one queue go to their tests`() async throws {
    let rows = Rows()
    let waiters = (0..<3).map { number in Task.detached { try await rows.waitAndAdd(number) } }
    while await rows.waiterCount < 3 { await Task.yield() }
    let result = await Explorer(executions: 1).run {
      let own = await rows.wakeAllAndStart { #expect(Execution.isSimulated) }
      await own.value
    }
    #expect(result.failure == nil, "\(result.failure?.messages ?? [])")
    for waiter in waiters { try await waiter.value }
    #expect(await rows.count == 3)
  }

  @Test func `a warning names the actor that another test works on`() async throws {
    var isNamed = false
    // On a busy machine the execution may come to the actor after a short time is over.
    for seconds in [0.02, 1, 30] where !isNamed {
      let cabinet = Cabinet()
      let isHeld = Mutex(false)
      let isWanted = Mutex(false)
      let other = Task.detached {
        await cabinet.hold {
          isHeld.withLock { $0 = true }
          while !isWanted.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.001) }
          Thread.sleep(forTimeInterval: seconds)
        }
      }
      while !isHeld.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
      let result = await Explorer(executions: 1).run {
        isWanted.withLock { $0 = true }
        await cabinet.open()
      }
      await other.value
      #expect(result.failure == nil, "\(result.failure?.messages ?? [])")
      isNamed = result.warnings.contains { $0.hasPrefix("Cabinet is in use by tasks that are not of this") }
    }
    #expect(isNamed)
  }
}

extension Rows {
  fileprivate func waitAndAdd(_ number: Int) async throws {
    await wait()
    #expect(!Execution.isSimulated)
    try await Task.sleep(for: .milliseconds(1))
    await add(number)
  }

  fileprivate var hasWaiter: Bool { !waiting.isEmpty }

  fileprivate var waiterCount: Int { waiting.count }

  fileprivate func wakeAllAndStart(_ work: @escaping @Sendable () -> Void) -> Task<Void, Never> {
    wakeAll()
    return Task { @Database in work() }
  }
}

// Not the one of the other tests here: an exploration waits for it, and lets no other one run meanwhile.
private actor Cabinet {
  func hold(_ work: @Sendable () -> Void) { work() }
  @_optimize(none) func open() {}
}
