// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

private actor Cell {
  private(set) var value = 0
  func set(_ newValue: Int) { value = newValue }
}

/// The report of a failure on its deviations, its data and its cause.
@Suite struct ExplanationTests {
  private static func report(_ explorer: Explorer, _ body: @escaping @Sendable () async throws -> Void) async throws
    -> String
  {
    let exploration = await explorer.run(body)
    return try #require(exploration.failure).report
  }

  @Test func `a deviation without which the execution passes is said to be one`() async throws {
    let text = try await Self.report(Explorer(executions: 1_000, strategy: .random, seed: 1)) {
      let cell = Cell()
      let late = Task { await cell.set(2) }
      let early = Task { await cell.set(1) }
      _ = await (early.value, late.value)
      #expect(await cell.value == 1)
    }
    #expect(text.contains("\nWithout the deviation (◆) it passes.\n"), "\(text)")
  }

  @Test(.disabled(if: Instrumentation.splitsSteps, "it compares a text that says more where steps are split"))
  func `where any other task in its place fails, too, the report says so`() async throws {
    let text = try await Self.report(Explorer(executions: 1_000, strategy: .random, seed: 1)) {
      let order = Recorder<Int>("Order")
      let tasks = (1...3).map { number in Task { order.record(number) } }
      for task in tasks { await task.value }
      #expect(order.events.first == 1)
    }
    #expect(text.contains("\nAny other deviation would do: the other deviation there fails, too.\n"), "\(text)")
  }

  @Test func `several deviations are all needed, or named by their steps`() {
    let needed = [
      TriedDeviation(kind: .order, step: 3, without: .passes), TriedDeviation(kind: .order, step: 7, without: .passes),
    ]
    #expect(needed.explanation == ["Without any one of the 2 deviations (◆) it passes."])
    let mixed = [
      TriedDeviation(kind: .order, step: 3, without: .passes), TriedDeviation(kind: .order, step: 7, without: .fails),
      TriedDeviation(kind: .cancellation, step: 9, without: .failsOtherwise),
    ]
    #expect(
      mixed.explanation == [
        "Without the deviation at step 3 (◆) it passes.", "Without the deviation at step 7 (◆) it fails, too.",
        "Without the cancellation at step 9 it fails in another way.",
      ])
    #expect([TriedDeviation(kind: .order, step: 3)].explanation == [])
  }

  @Test func `time that passes in the middle of work is the cause, and marked in the lanes`() async throws {
    let text = try await Self.report(Explorer(executions: 1_000, strategy: .random)) {
      let (one, other) = (Cell(), Cell())
      let work = Task {
        await one.set(-5)
        try Task.checkCancellation()
        await other.set(5)
      }
      let timeout = Task {
        try await Task.sleep(for: .milliseconds(500))
        work.cancel()
      }
      _ = await work.result
      timeout.cancel()
      #expect(await one.value + other.value == 0)
    }
    #expect(text.contains("\nLikely cause: time: 500 ms pass while task 1 is ready (◆)"), "\(text)")
    // By Apple's ways the task that sleeps needs no other deviation to be at its sleep.
    let needed =
      PlatformWays.replaceLibraryFunctions ? "any one of the 2 deviations" : "the time that passes early"
    #expect(text.contains("\nWithout \(needed) (◆) it passes.\n"), "\(text)")
    #expect(text.split(separator: "\n").contains { $0.hasPrefix("◆") && $0.contains("500 ms pass") }, "\(text)")
  }

  private enum Trouble: Error { case timedOut }

  @Test func `a timeout that the body throws is blamed on time, and not on the order`() async throws {
    let text = try await Self.report(Explorer(executions: 10)) {
      try await withThrowingTaskGroup { group in
        group.addTask { try await Task.sleep(for: .seconds(60)) }
        group.addTask {
          try await Task.sleep(for: .seconds(5))
          throw Trouble.timedOut
        }
        try await group.next()
        group.cancelAll()
      }
    }
    #expect(
      text.contains("\nLikely cause: time: a timeout ends after 5 s, and what it limits has not.\nWhat to do: see in"),
      "\(text)")
  }

  @Test func `a failure that no interleaving needs is not blamed on one`() async throws {
    // The second task relies on the first one having begun: in FIFO order it has.
    let text = try await Self.report(Explorer(executions: 1_000, strategy: .random, seed: 1)) {
      let begun = Recorder<String>("Begun")
      let tasks = ["server", "client"].map { name in Task { begun.record(name) } }
      for task in tasks { await task.value }
      #expect(begun.events == ["server", "client"])
    }
    #expect(text.contains("\nLikely cause: the order") || text.contains("\nLikely cause: the outcome"), "\(text)")
    let logic = try await Self.report(Explorer(executions: 100)) {
      async let one = Cell().value
      async let other = Cell().value
      #expect(await one + other == 1)
    }
    #expect(logic.contains("\nLikely cause: not the order of the tasks: it fails even when each task runs"), "\(logic)")
    #expect(!logic.contains("Without"), "\(logic)")
  }

  @Test func `the order of whole tasks is distinguished from how they interleave`() {
    var failure = FailureReportTests.failure(schedule: [1])
    failure.needsInterleaving = false
    #expect(failure.report.contains("\nLikely cause: the order of the tasks, but not how they interleave: it fails"))
    #expect(failure.report.contains("\nWhat to do: find a task that relies on another one having begun"))
  }
}
