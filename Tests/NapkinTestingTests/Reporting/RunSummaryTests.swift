// SPDX-License-Identifier: Apache-2.0

import Foundation
import NapkinTesting
import Testing

/// The summary that a run prints of its passing explorations.
@Suite struct RunSummaryTests {
  private static func entries(_ count: Int) async -> [RunSummary.Entry] {
    let exploration = await Explorer(executions: 30).run {}
    return (0..<count).map { RunSummary.Entry(of: exploration, named: "Suite/test\($0)()") }
  }

  @Test func `a run of three explorations has a line for each`() async {
    let lines = RunSummary(await Self.entries(3)).text.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.allSatisfy { $0.hasPrefix("◇ Suite/test") && $0.contains("() explored 30 executions, ") })
    #expect(RunSummary().text == "")
  }

  @Test func `a longer run has one summary with its sum and its warnings`() async {
    let text = RunSummary(await Self.entries(40)).text
    #expect(text.hasPrefix("◇ 40 tests explored 1,200 executions; 40 tests have warnings.\n"), "\(text)")
    #expect(text.hasSuffix("  NAPKIN_VERBOSE=1 prints a line for each exploration.\n"))
  }

  @Test func `a test of which much is left is named with the share`() async {
    // Eight tasks have far more orders than 20 executions can be.
    let wide = await Explorer(executions: 20, strategy: .random, seed: 1).run {
      let tasks = (0..<8).map { _ in Task { await Task.yield() } }
      for task in tasks { await task.value }
    }
    let entry = RunSummary.Entry(of: wide, named: "Wide/test()")
    let text = RunSummary(await Self.entries(9) + [entry, entry]).text
    #expect(text.split(separator: "\n").count { $0.hasPrefix("  least explored: Wide/test(), about ") } == 1, "\(text)")
  }

  @Test func `an actor that was never varied is named once in a run`() async {
    let exploration = await AnswersInAnyOrderTests.thorough.run {
      await AnswersInAnyOrderTests.search(dropsStale: true, isLate: false)
    }
    let entry = RunSummary.Entry(of: exploration, named: "Suite/test()", inModule: "NapkinTestingTests")
    for count in [2, 5] {
      let text = RunSummary(Array(repeating: entry, count: count)).text
      let line = """
          always in order: AnswersInAnyOrderTests.Server answered calls in their order in each execution of Suite/test(), \
        as no network does;
            Execution.answersInAnyOrder(of: AnswersInAnyOrderTests.Server.self) lets answers be late, and overtake each other

        """
      #expect(text.ranges(of: "always in order").count == 1)
      #expect(text.contains(line), "\(text)")
    }
  }

  #if os(macOS) || os(Linux)
  @Test func `a process prints the summary once, when it ends, and lines if asked`() async throws {
    let summed = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      for _ in 0..<5 { await explore(executions: 2) {} }
      // The process of an exit test ends without its handlers where its body returns.
      exit(EXIT_SUCCESS)
    }
    let text = String(decoding: try #require(summed).standardOutputContent, as: UTF8.self)
    #expect(text.ranges(of: " explored ").count == 1, "\(text)")
    #expect(text.contains("◇ 1 test explored 10 executions"), "\(text)")

    let verbose = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      setenv("NAPKIN_VERBOSE", "1", 1)
      for _ in 0..<5 { await explore(executions: 2) {} }
    }
    let lines = String(decoding: try #require(verbose).standardOutputContent, as: UTF8.self)
    #expect(lines.ranges(of: " explored 2 executions").count == 5, "\(lines)")
  }
  #endif
}
