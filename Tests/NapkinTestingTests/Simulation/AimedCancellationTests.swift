// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

/// A store that leaves itself half written when the task is cancelled between its two writes.
private actor Store {
  private(set) var title = ""
  private(set) var text = ""

  func save() async {
    title = "new"
    do { try await Task.sleep(for: .milliseconds(10)) } catch { return }
    text = "new"
  }
}

@Suite struct AimedCancellationTests {
  @Sendable private static func body() async throws {
    let store = Store()
    let saving = Task(name: "saving") { await store.save() }
    await saving.value
    let isWhole = await store.title == store.text
    if !isWhole { throw HalfWritten() }
  }

  private struct HalfWritten: Error {}

  @Test func `no task is cancelled unless the exploration is asked to`() async {
    #expect(await Explorer(executions: 500).run(Self.body).failure == nil)
  }

  @Test func `a task that a cancellation leaves half done is found and named`() async throws {
    let result = await Explorer(executions: 500, seed: 1, cancels: true).run(Self.body)
    let failure = try #require(result.failure)
    #expect(failure.messages.contains { $0.hasPrefix("Cancelled: saving, after step ") })
    // One cancellation is all that it takes, in FIFO order.
    #expect(failure.sequence.deviations == 1)
  }

  @Test func `a cancellation is replayed from the token`() async throws {
    let failure = try #require(await Explorer(executions: 500, seed: 1, cancels: true).run(Self.body).failure)
    let again = await Explorer(strategy: .replay(failure.schedule)).run(Self.body)
    #expect(again.failure?.messages == failure.messages)
  }

  @Test func `a child of a group is not cancelled alone, which no code could do`() async {
    let result = await Explorer(executions: 2_000, strategy: .random, cancels: true).run {
      let (signals, signal) = AsyncStream<Void>.makeStream()
      await withTaskGroup { group in
        group.addTask { for await _ in signals {} }
        group.addTask {
          for _ in 0..<3 { await Task.yield() }
          // Its sibling is cancelled as well, or this is not.
          if !Task.isCancelled { signal.finish() }
        }
      }
    }
    #expect(result.failure == nil)
  }

  @Test func `a child of a group is cancelled with the task that waits for it`() async {
    let result = await Explorer(executions: 500, strategy: .random, cancels: true).run {
      let work = Task {
        await withTaskGroup(of: Bool.self) { group in
          group.addTask {
            for _ in 0..<3 { await Task.yield() }
            return Task.isCancelled
          }
          return await group.next() ?? false
        }
      }
      if await work.value { throw HalfWritten() }
    }
    #expect(result.failure?.messages.first?.contains("HalfWritten") == true)
  }

  @Test func `a body that was cancelled itself may say so`() async {
    let result = await Explorer(executions: 300, cancels: true).run {
      for _ in 0..<5 {
        try Task.checkCancellation()
        await Task.yield()
      }
    }
    #expect(result.failure == nil)
  }
}
