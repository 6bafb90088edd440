// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

private actor Counter {
  private(set) var value = 0
  func set(_ newValue: Int) { value = newValue }
  func increment() { value += 1 }
}

@Suite struct ExplorerTests {
  @Test func `a lost update is found and the same seed finds it again`() async throws {
    @Sendable func body() async throws {
      let counter = Counter()
      await withTaskGroup { group in
        for _ in 0..<2 { group.addTask { await counter.set(await counter.value + 1) } }
      }
      try #require(await counter.value == 2)
    }
    let found = try #require(await Explorer(executions: 1_000, strategy: .random, seed: 7).run(body).failure)
    let again = try #require(await Explorer(executions: 1, strategy: .replay(found.schedule)).run(body).failure)
    #expect(again.messages == found.messages)
    #expect(await Explorer(executions: 1_000, strategy: .random, seed: 7).run(body).failure?.schedule == found.schedule)
  }

  @Test func `small programs are explored completely`() async {
    let result = await Explorer(executions: 100_000, strategy: .exhaustive()).run {
      let counter = Counter()
      async let first: Void = counter.increment()
      async let second: Void = counter.increment()
      _ = await (first, second)
      guard await counter.value == 2 else { throw CancellationError() }
    }
    #expect(result.failure == nil)
    #expect(result.isExhaustive)
    #expect(result.distinctSchedules > 1)
  }

  @Test func `sleeping costs no time and still races`() async {
    let result = await Explorer(executions: 200, strategy: .random, seed: 1, shrinks: false).run {
      let counter = Counter()
      await withTaskGroup { group in
        for _ in 0..<2 {
          group.addTask {
            try? await Task.sleep(for: .seconds(3_600))
            await counter.set(await counter.value + 1)
          }
        }
      }
      guard await counter.value == 2 else { throw CancellationError() }
    }
    #expect(result.failure != nil)
  }

  @Test func `a deadlock is a failure`() async {
    let result = await Explorer(executions: 10).run {
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
    }
    #expect(result.failure != nil)
  }
}
