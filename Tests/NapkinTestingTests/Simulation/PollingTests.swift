// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Synchronization
import Testing

/// A place that one task has at a time, and that the others wait for by yielding.
private actor Bridge {
  private var isTaken = false

  func cross() async {
    while isTaken { await Task.yield() }
    isTaken = true
    for _ in 0..<3 { await Task.yield() }
    isTaken = false
  }

  func walk(_ steps: Int) async {
    for _ in 0..<steps { await Task.yield() }
  }
}

@Suite struct PollingTests {
  @Test(.enabled(if: PlatformWays.findFunctions, "functions are found by a library of Linux's toolchain"))
  func `a loop that waits by yielding is a warning with its share and its line`() async throws {
    let result = await Explorer(executions: 60).run {
      let bridge = Bridge()
      await withTaskGroup { group in
        for _ in 0..<40 { group.addTask { await bridge.cross() } }
      }
    }
    #expect(result.failure == nil)
    let warning = try #require(result.warnings.first { $0.hasPrefix("Busy wait: ") })
    let share = #/Busy wait: 9\d % of the [\d,]+ steps in FIFO order are of tasks .* \(PollingTests\.swift:\d+\)/#
    #expect(warning.prefixMatch(of: share) != nil, "\(warning)")
  }

  @Test func `a loop that yields as often in every order is no busy wait, however often`() async {
    let result = await Explorer(executions: 60).run {
      let bridge = Bridge()
      await withTaskGroup { group in
        for number in 0..<40 { group.addTask { await bridge.walk(50 + number) } }
      }
    }
    #expect(result.failure == nil && result.steps > 5 * 3_000)
    #expect(result.warnings == [], "\(result.warnings)")
  }

  @Test func `a few yields of tasks that wait in a small part of an execution are no busy wait`() async {
    let result = await Explorer(executions: 60).run {
      let bridge = Bridge()
      async let first: Void = bridge.cross()
      async let second: Void = bridge.cross()
      _ = await (first, second)
    }
    #expect(result.failure == nil)
    #expect(result.warnings == [], "\(result.warnings)")
  }

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
    var explorer = SearchContext(Explorer(executions: 100, seed: 1))
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
