// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Synchronization
import Testing

@Suite struct IssueCaptureTests {
  private static let arrived = Mutex<[Int?]>([])

  @Test(
    .compactMapIssues { issue in
      guard issue.severity == .warning else { return issue }
      arrived.withLock { $0.append(issue.sourceLocation?.line) }
      return nil
    }
  ) func `a warning that the body records reaches the test once, at its line`() async {
    let exploration = await Explorer(executions: 3).check {
      async let one: Void = Task.yield()
      await Task.yield()
      await one
      Issue.record("the disk is nearly full", severity: .warning)
    }
    let line = #line - 2
    #expect(exploration.failure == nil)
    #expect(exploration.warnings == ["the disk is nearly full"])
    #expect(Self.arrived.withLock { $0 } == [line])
  }

  @Test(arguments: [false, true])
  func `a known issue of the body is neither a failure nor a warning, and is counted`(isolated: Bool) async {
    let explorer = Explorer(executions: 40, isolated: isolated)
    let database = FailureDatabase(folder: "/dev/null/none")
    let exploration = await explorer.runAsATest(FailureDatabase.key(#_sourceLocation), keptIn: database) {
      let number = Execution.draw(.int(in: 0...3))
      withKnownIssue("three is drawn", isIntermittent: true) { #expect(number < 3) }
    }
    #expect(exploration.failure == nil && exploration.executions == 40)
    #expect(exploration.warnings == [])
    #expect(exploration.knownIssues.count == 1)
    #expect(exploration.knownIssues.first?.description.contains(" of 40 executions.") == true)
  }

  private static let known = Mutex<[Int?]>([])

  @Test(
    .compactMapIssues { issue in
      if !issue.isFailure, issue.severity == .error { known.withLock { $0.append(issue.sourceLocation?.line) } }
      return issue
    }
  ) func `a check has one known issue for all executions that have it, at its line`() async {
    await explore(executions: 40) {
      await Task {}.value
      withKnownIssue { _ = Issue.record("known") }
    }
    // Issues of detached tasks come here from other tests, too.
    let line = #line - 3
    #expect(Self.known.withLock(\.self).filter { $0 == line } == [line])
  }

  #if os(macOS) || os(Linux)
  @Test func `an exploration in an exit test hears what its body records`() async {
    await #expect(processExitsWith: .success) {
      let exploration = await Explorer(executions: 20).run { Issue.record("heard") }
      precondition(exploration.failure?.messages == ["heard"])
      precondition(exploration.failure?.execution == 1)
    }
  }
  #endif

  @Test func `two explorations at once do not hear each other's detached tasks`() async {
    // The issue belongs to a task that no test is known for, so that Swift Testing offers it to both.
    async let other = Explorer(executions: 2_000, strategy: .random).run {
      async let one: Void = Task.yield()
      await Task.yield()
      await one
    }
    let failure = await Explorer(executions: 1).run {
      await Task.detached { withKnownIssue { _ = Issue.record("detached") } }.value
    }.failure
    #expect(failure == nil)
    #expect(await other.failure == nil)
  }

  @Test func `an expectation that fails is in the timeline, with its line`() async throws {
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

  @Test(
    .enabled(if: YardstickProgram.haveAllHops),
    .enabled(if: PlatformWays.replaceLibraryFunctions, "what an execution attaches is not held back here"))
  func `only the reported execution attaches`() async {
    let receipt = Receipt()
    let failing = await Explorer(executions: 50, strategy: .random).run {
      Attachment.record(receipt, named: "receipt.txt")
      async let one: Void = Task.yield()
      await Task.yield()
      await one
      if Execution.draw(.int(in: 0...9)) > 4 { Issue.record("broken") }
    }
    #expect(failing.failure != nil)
    #expect(receipt.names.withLock { $0 } == 1)
    let passing = await Explorer(executions: 50).run {
      Attachment.record(receipt, named: "receipt.txt")
      Attachment.record(Attachment(receipt, named: "receipt.txt"))
    }
    #expect(passing.failure == nil)
    #expect(receipt.names.withLock { $0 } == 1)
    _ = await Explorer(executions: 1).run { Attachment.record(Attachment(receipt, named: "receipt.txt")) }
    #expect(receipt.names.withLock { $0 } == 2)
  }

  /// Counts how often it is attached, since each attachment is asked for its name once.
  private final class Receipt: Attachable, Sendable {
    let names = Mutex(0)

    func preferredName(for attachment: borrowing Attachment<Receipt>, basedOn suggestedName: String) -> String {
      names.withLock { $0 += 1 }
      return suggestedName
    }

    func withUnsafeBytes<R>(
      for attachment: borrowing Attachment<Receipt>, _ body: (UnsafeRawBufferPointer) throws -> R
    ) throws -> R {
      try body(UnsafeRawBufferPointer(start: nil, count: 0))
    }
  }
}
