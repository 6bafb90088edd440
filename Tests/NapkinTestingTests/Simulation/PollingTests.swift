// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Synchronization
import Testing

@Suite struct PollingTests {
  @Test func `polling an actor is no livelock, since the schedule becomes fair`() async {
    let result = await Explorer(executions: 50).run {
      let flag = Flag()
      let task = Task { await flag.raise() }
      while await !flag.isUp { await Task.yield() }
      await task.value
    }
    #expect(result.failure == nil)
    #expect(result.executions == 50)
  }

  @Test func `polling for what a timer does is no livelock, since time passes in the end`() async {
    let result = await Explorer(executions: 1).run {
      let flag = Flag()
      let task = Task {
        try await Task.sleep(for: .seconds(1))
        await flag.raise()
      }
      while await !flag.isUp { await Task.yield() }
      try await task.value
    }
    #expect(result.failure == nil)
  }

  @Test func `polling for what never comes is a livelock, and shrunk with few executions`() async throws {
    let result = await Explorer(executions: 5).run {
      let flag = Flag()
      async let other: Void = Task.yield()
      while await !flag.isUp { await Task.yield() }
      await other
    }
    let failure = try #require(result.failure)
    #expect(failure.messages.first?.hasPrefix("Livelock: ") == true)
    #expect(failure.deviations == 0)
    #expect(failure.shrinking.executions <= 101)
  }

  @Test func `shrinking ends when its time is over, and says so`() async throws {
    var explorer = Explorer(executions: 100, seed: 1)
    explorer.shrinkingTime = .nanoseconds(1)
    let failure = try #require(
      await explorer.run {
        let order = Recorder<Int>()
        await withTaskGroup { group in
          for number in 0..<6 { group.addTask { order.record(number) } }
        }
        // Work that takes some milliseconds of real time, since waiting takes none here.
        var random = SplitMix64(seed: 1)
        for _ in 0..<100_000 { _ = random.next() }
        #expect(order.events == order.events.sorted())
      }.failure)
    #expect(failure.shrinking.executions == 1)
    #expect(failure.shrinking.didExhaustBudget)
  }
}
