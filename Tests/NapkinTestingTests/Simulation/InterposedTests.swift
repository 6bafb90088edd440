// SPDX-License-Identifier: Apache-2.0

#if NAPKIN_LIKE_APPLE || canImport(Darwin)

import Foundation
import NapkinTesting
import Synchronization
import Testing

/// Where jobs come by the runtime's hooks, and yields and sleeps by their names.
@Suite struct InterposedTests {
  private func sleepASecond(by clock: some Clock<Duration>) async throws {
    try await clock.sleep(for: .seconds(1), tolerance: nil)
  }

  @Test(.interleavings(20)) func `each way to sleep takes the time of the execution`() async throws {
    let start = Execution.clock.now
    try await Task.sleep(nanoseconds: 1_000_000_000)
    try await Task.sleep(for: .seconds(1))
    try await Task.sleep(until: .now + .seconds(1))
    try await Task.sleep(until: .now + .seconds(1), clock: .suspending)
    try await ContinuousClock().sleep(until: .now + .seconds(1))
    try await SuspendingClock().sleep(until: .now + .seconds(1))
    try await sleepASecond(by: ContinuousClock())
    try await sleepASecond(by: SuspendingClock())
    #expect(start.duration(to: Execution.clock.now) == .seconds(8))
  }

  @Test(.simulated) func `a cancelled sleep ends at once and throws`() async {
    let start = Execution.clock.now
    let sleeper = Task { try await Task.sleep(for: .seconds(60)) }
    await Task.yield()
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(Execution.clock.now == start)
  }

  @Test func `a yield lets another task run`() async {
    let result = await Explorer(executions: 50).run {
      let value = Mutex(0)
      let other = Task { value.withLock { $0 += 1 } }
      let before = value.withLock { $0 }
      await Task.yield()
      #expect(value.withLock { $0 } == before)
      await other.value
    }
    #expect(result.failure != nil)
  }

  @Test func `sleeps and yields of other threads stay real`() async throws {
    let start = ContinuousClock.now
    await Task.yield()
    try await Task.sleep(nanoseconds: 2_000_000)
    try await Task.sleep(for: .milliseconds(2))
    try await ContinuousClock().sleep(until: .now + .milliseconds(2))
    try await sleepASecondInAThousand(by: SuspendingClock())
    #expect(start.duration(to: .now) >= .milliseconds(7))
  }

  private func sleepASecondInAThousand(by clock: some Clock<Duration>) async throws {
    try await clock.sleep(for: .milliseconds(1), tolerance: nil)
  }

  @Test func `a hook that another library has taken away is set again`() async throws {
    _ = await Explorer(executions: 1).run {}
    try await MainActor.run {
      let hook = try #require(Self.globalHook)
      #expect(hook.pointee != nil)
      hook.pointee = nil
    }
    let result = await Explorer(executions: 10).run {
      async let one = 1
      async let two = 2
      #expect(await one + two == 3)
    }
    #expect(result.failure == nil)
    let isSet = await MainActor.run { Self.globalHook?.pointee != nil }
    #expect(isSet)
  }

  private static var globalHook: UnsafeMutablePointer<UnsafeMutableRawPointer?>? {
    #if canImport(Darwin)
    let anyImage = UnsafeMutableRawPointer(bitPattern: -2)
    #else
    let anyImage: UnsafeMutableRawPointer? = nil
    #endif
    return dlsym(anyImage, "swift_task_enqueueGlobal_hook")?.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  }
}

#endif
