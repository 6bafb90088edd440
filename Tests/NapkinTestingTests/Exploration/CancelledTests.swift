// SPDX-License-Identifier: Apache-2.0

import Foundation
import NapkinTesting
import Synchronization
import Testing

/// The end of an exploration whose task is cancelled.
@Suite struct CancelledTests {
  private final class Exploring: Sendable {
    let task = Mutex<Task<Exploration, Never>?>(nil)
    let bodies = Mutex(0)

    /// Cancels the exploration in its twentieth body.
    func visit() {
      let number = bodies.withLock {
        $0 += 1
        return $0
      }
      if number == 20 { task.withLock { $0?.cancel() } }
    }
  }

  @Test(arguments: [Explorer.Strategy.portfolio, .exhaustive(), .parallel])
  func `a cancelled exploration ends with the execution that it is at`(strategy: Explorer.Strategy) async {
    let exploring = Exploring()
    let task = exploring.task.withLock { place in
      let task = Task {
        await Explorer(executions: 10_000, strategy: strategy).run {
          exploring.visit()
          await withTaskGroup { group in
            for _ in 0..<5 { group.addTask { await Task.yield() } }
          }
        }
      }
      place = task
      return task
    }
    let exploration = await task.value
    #expect(exploring.bodies.withLock { $0 } == 20)
    #expect(exploration.failure == nil)
    #expect(!exploration.isExhaustive)
    let text = "The exploration was cancelled, and ended with execution \(exploration.executions)."
    #expect(exploration.warnings.contains { $0.hasPrefix(text) })
  }

  @Test func `the time of an exploration is its own`() async {
    async let long = Explorer(executions: 10).run {
      // A second of the processor in all, by a clock that is not simulated.
      let end = clock() + 100_000
      while clock() < end {}
    }
    async let short = Explorer(executions: 50, time: .milliseconds(400)).run {
      async let one: Void = Task.yield()
      await one
    }
    #expect(await long.executions == 10)
    #expect(await short.executions == 50)
  }

  private static let visits = Mutex(0)

  @Test(
    .compactMapIssues { issue in
      visits.withLock { $0 = 100 }
      return issue
    }, .interleavings(1_000))
  func `a body that cancels its test ends the exploration without an issue`() async throws {
    async let one: Void = Task.yield()
    await one
    let number = Self.visits.withLock {
      $0 += 1
      return $0
    }
    precondition(number <= 3, "the exploration goes on")
    if number == 3 { try Test.cancel("no network here") }
  }
}
