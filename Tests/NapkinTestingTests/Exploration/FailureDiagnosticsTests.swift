// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

/// The properties of a failure for code: diagnostics, drawn values and cancellations.
@Suite struct FailureDiagnosticsTests {
  @Test func `a deadlock has its kind, cause and suggestion apart`() async throws {
    let result = await Explorer(executions: 1).run {
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
    let diagnostic = try #require(result.failure?.diagnostics.first)
    #expect(diagnostic.kind == .deadlock)
    #expect(diagnostic.summary.hasPrefix("Deadlock: the body has not returned"))
    #expect(diagnostic.likelyCause?.hasPrefix("tasks wait for each other") == true)
    #expect(diagnostic.suggestion?.hasPrefix("resume every continuation") == true)
    #expect(diagnostic.sourceLocation == nil)
  }

  @Test func `an expectation has its line, and no cause that it did not bring`() async throws {
    let line = #line + 1
    let result = await Explorer(executions: 1).run { #expect(1 + 1 == 3) }
    let diagnostic = try #require(result.failure?.diagnostics.first)
    #expect(diagnostic.kind == .expectation)
    #expect(diagnostic.sourceLocation?.line == line)
    #expect(diagnostic.likelyCause == nil)
  }

  @Test func `an expectation of the kit keeps its kind, cause and suggestion in an exploration`() async throws {
    let result = await Explorer(executions: 1).run {
      Diagnostic(.timeout, "It rained.", likelyCause: "the season.", suggestion: "take an umbrella.")
        .record(at: #_sourceLocation)
    }
    let diagnostic = try #require(result.failure?.diagnostics.first)
    #expect(diagnostic.kind == .timeout)
    #expect(diagnostic.summary == "It rained.")
    #expect(diagnostic.likelyCause == "the season.")
    #expect(diagnostic.suggestion == "take an umbrella.")
    #expect(diagnostic.sourceLocation != nil)
  }

  @Test func `text of the test that looks like a cause is not taken for one`() async throws {
    let result = await Explorer(executions: 1).run {
      Issue.record("The server answered:\nLikely cause: none")
    }
    let failure = try #require(result.failure)
    #expect(failure.diagnostics.first?.likelyCause == nil)
    #expect(failure.report.contains("\nLikely cause: not the order of the tasks"))
  }

  @Test func `a thrown error and a livelock have kinds of their own`() async throws {
    struct Thrown: Error {}
    let thrown = await Explorer(executions: 1).run { throw Thrown() }
    #expect(thrown.failure?.diagnostics.map(\.kind) == [.thrownError(type: "Thrown")])
    let endless = await Explorer(executions: 1, strategy: .fifo, shrinks: false, steps: 1_000).run {
      while true { await Task.yield() }
    }
    #expect(endless.failure?.diagnostics.map(\.kind) == [.livelock])
  }

  @Test func `what was drawn is apart from what went wrong`() async throws {
    let result = await Explorer(executions: 1).run {
      let number = Execution.draw(.int(in: 3...3), "number")
      #expect(number == 4)
    }
    let failure = try #require(result.failure)
    #expect(failure.draws == ["number = 3"])
    #expect(failure.diagnostics.count == 1)
    #expect(failure.cancellations.isEmpty)
    #expect(failure.messages == [failure.diagnostics[0].description, "Drawn: number = 3"])
  }

  @Test func `a cancelled task is apart from what went wrong`() async throws {
    let result = await Explorer(executions: 200, seed: 1, cancels: true).run {
      let task = Task(name: "saving") {
        await Task.yield()
        #expect(!Task.isCancelled)
      }
      await task.value
    }
    let failure = try #require(result.failure)
    #expect(failure.cancellations.count == 1)
    #expect(failure.cancellations.first?.hasPrefix("saving, after step ") == true)
    #expect(failure.messages.contains("Cancelled: \(failure.cancellations[0])"))
  }

  @Test(arguments: [Explorer.Strategy.fifo, .parallel])
  func `an execution keeps the first hundred of its broken rules`(_ strategy: Explorer.Strategy) async throws {
    let result = await Explorer(executions: 1, strategy: strategy).run {
      for number in 1...1_000 { CurrentExecution.scope?.fail(Diagnostic(.violation(rule: "R"), "R: \(number)")) }
    }
    let failure = try #require(result.failure)
    #expect(failure.diagnostics.map(\.summary) == (1...100).map { "R: \($0)" })
    // Without a token the report is the bare messages.
    #expect(failure.schedule.isEmpty || failure.report.contains("… and at least 95 more"))
  }

  @Test func `misuse of an explorer has the kind misuse`() async throws {
    let result = await Explorer(executions: 0).run {}
    #expect(result.failure?.diagnostics.map(\.kind) == [.misuse])
  }
}
