// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Synchronization
import Testing

/// Time passes while a task is ready, but not for long.
@Suite struct BusyTimeTests {
  private static let strategies: [Explorer.Strategy] = [.portfolio, .random, .pct(depth: 3), .exhaustive()]

  /// Work in two halves, and a timeout that may cancel it between them.
  private static func transfer(timeout: Duration) -> @Sendable () async throws -> Void {
    {
      let sum = Mutex(0)
      let work = Task(name: "transfer") {
        sum.withLock { $0 -= 5 }
        await Task.yield()
        try Task.checkCancellation()
        sum.withLock { $0 += 5 }
      }
      let limit = Task {
        try await Task.sleep(for: timeout)
        work.cancel()
      }
      _ = await work.result
      limit.cancel()
      #expect(sum.withLock { $0 } == 0)
    }
  }

  /// Three tasks that sleep, with nothing between, and record in which order they wake.
  private static let alarms: @Sendable () async throws -> Void = {
    let woken = Recorder<Int>()
    await withTaskGroup { group in
      for seconds in [3, 1, 2] {
        group.addTask {
          try? await Task.sleep(for: .seconds(seconds))
          woken.record(seconds)
        }
      }
    }
    #expect(woken.events == [1, 2, 3])
  }

  @Test(arguments: strategies)
  func `a sleep of a thousand seconds ends after a ready task has cancelled it`(
    _ strategy: Explorer.Strategy
  ) async {
    let result = await Explorer(executions: 2_000, strategy: strategy).run {
      let nap = Task { try await Task.sleep(for: .seconds(1_000)) }
      let canceller = Task { nap.cancel() }
      let ending = await nap.result
      await canceller.value
      #expect(throws: CancellationError.self) { try ending.get() }
    }
    #expect(result.failure == nil, "\(result.failure?.messages ?? [])")
  }

  @Test(arguments: strategies)
  func `sleeps of one, two and three seconds end in their order`(_ strategy: Explorer.Strategy) async {
    let result = await Explorer(executions: 2_000, strategy: strategy).run(Self.alarms)
    #expect(result.failure == nil, "\(result.failure?.messages ?? [])")
  }

  @Test(arguments: strategies)
  func `a timeout of some hundred milliseconds ends in the middle of work`(_ strategy: Explorer.Strategy) async throws {
    let body = Self.transfer(timeout: .milliseconds(400))
    let failure = try #require(await Explorer(executions: 2_000, strategy: strategy).run(body).failure)
    #expect(failure.report.contains("400 ms pass while transfer"), "\(failure.report)")
    let again = await Explorer(strategy: .replay(failure.schedule)).run(body)
    #expect(again.failure?.messages == failure.messages)
  }

  @Test func `all the time that passes while a task is ready is limited together`() async {
    let result = await Explorer(executions: 2_000, strategy: .exhaustive(), busyTime: .seconds(1)).run {
      let naps = Task { for _ in 0..<4 { try? await Task.sleep(for: .milliseconds(300)) } }
      let start = Execution.clock.now
      for _ in 0..<6 { await Task.yield() }
      #expect(start.duration(to: Execution.clock.now) < .seconds(1))
      naps.cancel()
    }
    #expect(result.failure == nil, "\(result.failure?.messages ?? [])")
  }

  @Test(arguments: strategies)
  func `with no busy time a timeout never ends in the middle of work`(_ strategy: Explorer.Strategy) async {
    let result = await Explorer(executions: 2_000, strategy: strategy, busyTime: .zero)
      .run(Self.transfer(timeout: .milliseconds(400)))
    #expect(result.failure == nil, "\(result.failure?.messages ?? [])")
  }

  @Test(arguments: strategies)
  func `more busy time, or no limit, lets long timeouts end in the middle of work`(
    _ strategy: Explorer.Strategy
  ) async throws {
    let body = Self.transfer(timeout: .seconds(60))
    for busyTime in [Duration.seconds(61), nil] {
      let result = await Explorer(executions: 2_000, strategy: strategy, busyTime: busyTime).run(body)
      let failure = try #require(result.failure)
      // The token says when time passes, and needs no limit.
      let again = await Explorer(strategy: .replay(failure.schedule)).run(body)
      #expect(again.failure?.messages == failure.messages)
      #expect(again.warnings.isEmpty, "\(again.warnings)")
    }
  }

  @Test(.interleavings(200, busyTime: .zero))
  func `the trait takes busy time, too`() async throws {
    try await Self.transfer(timeout: .milliseconds(400))()
  }

  @Test func `negative busy time is reported`() async {
    let result = await Explorer(busyTime: .seconds(-1)).run {}
    #expect(result.failure?.messages.first?.hasPrefix("Explorer(busyTime: -1.0 seconds) ") == true)
  }
}
