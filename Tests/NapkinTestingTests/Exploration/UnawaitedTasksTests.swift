// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

extension AsyncLock {
  /// Takes this lock and then another one, and releases both.
  fileprivate func hold(and other: AsyncLock) async {
    await lock()
    await other.lock()
    await other.unlock()
    unlock()
  }
}

@Suite struct UnawaitedTasksTests {
  private func warnings(_ result: Exploration) -> [String] {
    result.warnings.filter { $0.hasPrefix("Deadlock: in execution ") }
  }

  @Test func `a deadlock of tasks that no task awaits is a warning that names them`() async throws {
    let result = await Explorer(executions: 200, seed: 1).run {
      let (left, right) = (AsyncLock(), AsyncLock())
      Task { await left.hold(and: right) }
      Task { await right.hold(and: left) }
    }
    #expect(result.failure == nil)
    let warning = try #require(warnings(result).first)
    #expect(warnings(result).count == 1)
    #expect(warning.contains("Waiting: task 1"))
    #expect(warning.contains("; task 2"))
    #expect(warning.contains("in other executions all of them end"))
    #expect(warning.contains("of 200 executions."))
  }

  @Test func `a task that listens to a stream in every execution is no deadlock`() async {
    // A continuation that nothing holds ends its stream.
    let kept = Recorder<AsyncStream<Int>.Continuation>()
    let result = await Explorer(executions: 100).run {
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      kept.record(continuation)
      Task { for await _ in stream {} }
      async let one: Void = Task.yield()
      continuation.yield(1)
      await one
    }
    #expect(result.failure == nil)
    #expect(warnings(result).isEmpty)
  }

  @Test func `a task that waits for one that sleeps when the body returns is no deadlock`() async {
    let result = await Explorer(executions: 100).run {
      let sleeper = Task { try? await Task.sleep(for: .seconds(1)) }
      Task { await sleeper.value }
      async let one: Void = Task.yield()
      await Task.yield()
      await one
    }
    #expect(result.failure == nil)
    #expect(warnings(result).isEmpty)
  }

  @Test func `a task that an aimed cancellation leaves waiting is no deadlock`() async {
    let result = await Explorer(executions: 200, seed: 1, cancels: true).run {
      let lock = AsyncLock()
      await lock.lock()
      Task { await lock.lock() }
      try? await Task.sleep(for: .seconds(1))
      if !Task.isCancelled { await lock.unlock() }
    }
    #expect(result.failure == nil)
    #expect(warnings(result).isEmpty)
  }

  @Test func `what a task returned lives no longer than its task`() async {
    let result = await Explorer(executions: 10).run {
      weak var object: Object?
      do {
        let made = await Task { Object() }.value
        object = made
      }
      await Task.yield()
      if object != nil { throw LivesOn() }
    }
    #expect(result.failure == nil)
  }
}

private final class Object: Sendable {}
private struct LivesOn: Error {}
