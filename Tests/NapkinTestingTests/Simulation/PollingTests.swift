// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Synchronization
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

private actor Flag {
  private(set) var isUp = false
  func raise() { isUp = true }
}

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
    explorer.shrinkingTime = .milliseconds(30)
    let failure = try #require(
      await explorer.run {
        let order = Recorder<Int>()
        await withTaskGroup { group in
          for number in 0..<6 { group.addTask { order.record(number) } }
        }
        // Of real time, which no clock tells here.
        usleep(20_000)
        #expect(order.events == order.events.sorted())
      }.failure)
    #expect((1...3).contains(failure.shrinking.executions))
    #expect(failure.shrinking.isBudgetSpent)
  }
}
