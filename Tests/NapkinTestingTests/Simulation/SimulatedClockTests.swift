// SPDX-License-Identifier: Apache-2.0

import Foundation
import NapkinTesting
import Synchronization
import Testing

@Suite struct SimulatedClockTests {
  @Test(.simulated) func `time does not pass while a task is ready and is what was slept for after that`() async throws
  {
    let start = Execution.clock.now
    for _ in 0..<100 { await Task.yield() }
    #expect(Execution.clock.now == start)
    try await Execution.clock.sleep(until: start.advanced(by: .seconds(90)))
    #expect(start.duration(to: Execution.clock.now) >= .seconds(90))
    #expect(start.duration(to: Execution.clock.now) < .seconds(91))
  }

  @Test(arguments: [Duration.milliseconds(1), .microseconds(1_500), .seconds(3), .nanoseconds(20_250_000_001)])
  func `a delay is kept to the nanosecond`(_ delay: Duration) async {
    let result = await Explorer(executions: 50).run {
      try await Task.sleep(for: delay)
      #expect(Execution.clock.now.offset == delay)
    }
    #expect(result.failure == nil)
  }

  @Test(.enabled(if: PlatformWays.replaceLibraryFunctions, "the date and the clocks of Dispatch are real here"))
  func `every clock of the process moves with the time of the execution`() async {
    let result = await Explorer(executions: 20).run {
      let (continuous, suspending) = (ContinuousClock.now, SuspendingClock.now)
      let (date, dispatch) = (Date(), DispatchTime.now())
      let seconds = time(nil)
      try await Task.sleep(for: .seconds(90))
      #expect(time(nil) - seconds == 90)
      #expect(continuous.duration(to: .now) == .seconds(90))
      #expect(suspending.duration(to: .now) == .seconds(90))
      #expect(abs(Date().timeIntervalSince(date) - 90) < 0.000_001)
      #expect(DispatchTime.now().uptimeNanoseconds - dispatch.uptimeNanoseconds == 90_000_000_000)
    }
    #expect(result.failure == nil)
  }

  // In nine of twenty executions the date is slower, in one of forty it is set back in time.
  @Test(.enabled(if: PlatformWays.replaceLibraryFunctions, "the date is real here"))
  func `a deadline by the date that a timer comes too early for is found if asked for`() async throws {
    let body: @Sendable (Bool) async throws -> Void = { corrects in
      if corrects { Execution.correctsDate() }
      let deadline = Date() + 5
      try await Task.sleep(for: .seconds(5))
      #expect(Date() >= deadline)
    }
    for seed in 1...5 as ClosedRange<UInt64> {
      let result = await Explorer(executions: 100, seed: seed).run { try await body(true) }
      let failure = try #require(result.failure, "seed \(seed)")
      #expect(failure.draws == ["the date = is slower by 100 µs in a second"])
    }
    #expect(await Explorer(executions: 100).run { try await body(false) }.failure == nil)
  }

  @Test(.enabled(if: PlatformWays.replaceLibraryFunctions, "the date is real here"))
  func `a date that is set moves by the step, and the other clocks do not`() async {
    let result = await Explorer(executions: 400).run {
      Execution.correctsDate(by: .seconds(3_600))
      let (date, start) = (Date(), ContinuousClock.now)
      try await Task.sleep(for: .milliseconds(1_500))
      #expect(start.duration(to: .now) == .milliseconds(1_500))
      let ahead = Date().timeIntervalSince(date) - 1.5
      #expect(abs(ahead) < 0.000_2 || abs(abs(ahead) - 3_600) < 0.000_2)
      Execution.sometimes("forward", ahead > 1_000)
      Execution.sometimes("back", ahead < -1_000)
      Execution.sometimes("slower", ahead < -0.000_1 && ahead > -1)
    }
    #expect(result.failure == nil)
  }

  @Test func `deadlines that were computed beforehand are kept`() async {
    let result = await Explorer(executions: 20).run {
      let start = ContinuousClock.now
      for tick in 1...5 {
        try await Task.sleep(until: start + .seconds(tick), clock: .continuous)
        #expect(start.duration(to: .now) == .seconds(tick))
      }
    }
    #expect(result.failure == nil)
  }

  @Test func `a loop that polls a clock ends`() async {
    let result = await Explorer(executions: 5).run {
      let end = ContinuousClock.now + .seconds(2)
      while ContinuousClock.now < end { await Task.yield() }
    }
    #expect(result.failure == nil)
    #expect(result.steps < 5 * 10_000)
  }

  @Test func `the clocks of other threads stay real`() async {
    let result = await Explorer(executions: 5).run {
      let before = Date()
      try await Task.sleep(for: .seconds(3_600))
      let elsewhere = Mutex(before)
      let thread = Thread { elsewhere.withLock { $0 = Date() } }
      thread.start()
      while !thread.isFinished {}
      let passed = elsewhere.withLock { $0 }.timeIntervalSince(before)
      // Where steps are split, the thread is a task of the schedule, and has the time of the execution.
      #expect(Instrumentation.splitsSteps ? passed >= 3_600 : passed < 600)
    }
    #expect(result.failure == nil)
  }

  @Test func `an exploration inside another has a time of its own`() async {
    let result = await Explorer(executions: 3).run {
      try await Task.sleep(for: .seconds(7))
      let inner = await Explorer(executions: 3).run {
        #expect(Execution.clock.now.offset == .zero)
        try await Task.sleep(for: .seconds(50))
      }
      #expect(inner.failure == nil)
      #expect(Execution.clock.now.offset == .seconds(7))
    }
    #expect(result.failure == nil)
  }

  @Test func `a cancelled sleep throws and takes no time`() async {
    let result = await Explorer(executions: 20, strategy: .random).run {
      let sleeper = Task { try await Execution.clock.sleep(for: .seconds(50)) }
      sleeper.cancel()
      await #expect(throws: CancellationError.self) { try await sleeper.value }
      #expect(Execution.clock.now.offset == .zero)
    }
    #expect(result.failure == nil)
  }
}
