// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import NapkinTesting
import Synchronization
import Testing

private struct Unexpected: Error {
  var passed: Duration?
}

/// Fails the execution unless so much of its time passed during the work.
private func expectPassed(_ duration: Duration, _ work: () -> Void) throws {
  let before = Execution.clock.now
  work()
  let passed = before.duration(to: Execution.clock.now)
  guard passed == duration else { throw Unexpected(passed: passed) }
}

// Not for async code, the compiler says; code that is called from it does it all the same.

private func sleepOnThread(_ seconds: Double) { Thread.sleep(forTimeInterval: seconds) }

private func waitForSignal(_ condition: NSCondition, seconds: Double) -> Bool {
  condition.lock()
  defer { condition.unlock() }
  return condition.wait(until: Date(timeIntervalSinceNow: seconds))
}

/// Whether a wait took as long as Foundation may make of it, which counts in floating-point seconds and sleeps again for
/// the rest that rounding leaves.
private func isRounded(_ passed: Duration, _ asked: Duration) -> Bool {
  passed >= asked && passed < asked + .nanoseconds(100)
}

private func runRunLoop(seconds: Double) {
  // A run loop with nothing to wait for returns at once.
  let timer = Timer(timeInterval: 1_000_000, repeats: false) { _ in }
  RunLoop.current.add(timer, forMode: .default)
  RunLoop.current.run(until: Date(timeIntervalSinceNow: seconds))
  timer.invalidate()
}

@Suite(.enabled(if: PlatformWays.replaceLibraryFunctions, "a wait takes real time here"))
struct WaitsTests {
  /// Ten minutes of waiting in real time would be a hang, which ends the process.
  private func expectNoRealTime(_ body: @escaping @Sendable () async throws -> Void) async {
    let result = await Explorer(executions: 3).run(body)
    #expect(result.failure == nil)
  }

  @Test func `sleeping on the thread lets the time of the execution pass`() async {
    await expectNoRealTime {
      let before = Execution.clock.now
      sleepOnThread(600)
      let passed = before.duration(to: Execution.clock.now)
      guard isRounded(passed, .seconds(600)) else { throw Unexpected(passed: passed) }
      try expectPassed(.microseconds(900_000)) { usleep(900_000) }
      try expectPassed(.seconds(600)) { sleep(600) }
      var time = timespec(tv_sec: 600, tv_nsec: 5)
      try expectPassed(.seconds(600) + .nanoseconds(5)) { nanosleep(&time, nil) }
      #if os(Linux)
      try expectPassed(.seconds(600) + .nanoseconds(5)) { clock_nanosleep(CLOCK_MONOTONIC, 0, &time, nil) }
      #endif
    }
  }

  @Test func `a sleep of nothing lets an instant pass, so that a loop around it ends`() async {
    await expectNoRealTime {
      var nothing = timespec()
      try expectPassed(.nanoseconds(3)) { for _ in 0..<3 { nanosleep(&nothing, nil) } }
      #if os(Linux)
      try expectPassed(.nanoseconds(1)) { clock_nanosleep(CLOCK_MONOTONIC, 0, &nothing, nil) }
      #endif
      try expectPassed(.nanoseconds(1)) { usleep(0) }
    }
  }

  @Test(.disabled(if: Instrumentation.splitsSteps, "time can pass in the middle of a step"))
  func `a timer that is due while the thread sleeps fires when the job is over`() async {
    await expectNoRealTime {
      let sleeper = Task {
        try await Task.sleep(for: .seconds(100))
        return Execution.clock.now.offset
      }
      await Task.yield()
      sleepOnThread(600)
      let woken = try await sleeper.value
      guard isRounded(woken, .seconds(600)) || isRounded(woken, .seconds(700)) else { throw Unexpected(passed: woken) }
    }
  }

  @Test func `a semaphore that is not signalled times out, also after time has passed`() async {
    await expectNoRealTime {
      let semaphore = DispatchSemaphore(value: 0)
      for _ in 0..<2 {
        try expectPassed(.seconds(600)) {
          guard semaphore.wait(timeout: .now() + 600) == .timedOut else { return Thread.sleep(forTimeInterval: 1) }
        }
        try await Task.sleep(for: .seconds(3_600))
      }
      try expectPassed(.seconds(600)) { _ = semaphore.wait(wallTimeout: .now() + 600) }
    }
  }

  @Test func `a semaphore that another thread signals is waited for`() async {
    await expectNoRealTime {
      let semaphore = DispatchSemaphore(value: 0)
      DispatchQueue.global().async {
        usleep(20_000)
        semaphore.signal()
      }
      guard semaphore.wait(timeout: .now() + 600) == .success else { throw Unexpected() }
    }
  }

  @Test func `a dispatch group is waited for, and times out`() async {
    await expectNoRealTime {
      let group = DispatchGroup()
      DispatchQueue.global().async(group: group) { usleep(20_000) }
      guard group.wait(timeout: .now() + 600) == .success else { throw Unexpected() }
      group.enter()
      try expectPassed(.seconds(600)) { _ = group.wait(timeout: .now() + 600) }
      group.leave()
    }
  }

  @Test(.enabled(if: Instrumentation.splitsSteps, "a condition's wait takes real time where steps are whole"))
  func `a condition that is not signalled times out`() async {
    await expectNoRealTime {
      let before = Execution.clock.now
      guard !waitForSignal(NSCondition(), seconds: 600) else { throw Unexpected() }
      let passed = before.duration(to: Execution.clock.now)
      guard passed > .seconds(599.999), passed < .seconds(600.001) else { throw Unexpected(passed: passed) }
    }
  }

  @Test func `a run loop runs until its date without real time`() async {
    await expectNoRealTime {
      let before = Execution.clock.now
      runRunLoop(seconds: 600)
      let passed = before.duration(to: Execution.clock.now)
      guard passed > .seconds(599.999), passed < .seconds(600.001) else { throw Unexpected(passed: passed) }
    }
  }

  @Test func `what runs off the main actor may wait for the main queue`() async {
    let result = await Explorer(executions: 3).run {
      let answer = await Task.detached { DispatchQueue.main.sync { 42 } }.value
      guard answer == 42 else { throw Unexpected() }
    }
    #expect(result.failure == nil)
  }
}

@Suite struct RealWaitsTests {
  @Test func `the waits of other threads stay real`() async {
    let result = await Explorer(executions: 3).run {
      let isDone = DispatchSemaphore(value: 0)
      let isLong = Mutex(false)
      Thread {
        let start = ContinuousClock.now
        usleep(20_000)
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 0.02)
        isLong.withLock { $0 = start.duration(to: .now) >= .milliseconds(40) }
        isDone.signal()
      }.start()
      isDone.wait()
      guard isLong.withLock({ $0 }) else { throw Unexpected() }
    }
    #expect(result.failure == nil)
  }

  @Test func `a semaphore that another thread signals soon is waited for`() async {
    let result = await Explorer(executions: 3).run {
      let semaphore = DispatchSemaphore(value: 0)
      DispatchQueue.global().async { semaphore.signal() }
      guard semaphore.wait(timeout: .now() + 600) == .success else { throw Unexpected() }
    }
    #expect(result.failure == nil)
  }
}
