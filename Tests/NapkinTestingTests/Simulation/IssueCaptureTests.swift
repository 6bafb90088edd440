// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct IssueCaptureTests {
  @Test func `an expectation that fails stands in the timeline, with its line`() async throws {
    let exploration = await Explorer(executions: 1, strategy: .fifo).run {
      #expect(Bool(false), "never mind")
    }
    let line = #line - 2
    let failure = try #require(exploration.failure)
    let issue = try #require(failure.log.events.last)
    #expect(issue.kind == .issue("Expectation failed: Bool(false): never mind"))
    #expect(issue.line == "IssueCaptureTests.swift:\(line)")
    #expect(failure.timeline.contains("✘ Expectation failed: Bool(false): never mind"))
  }
}
