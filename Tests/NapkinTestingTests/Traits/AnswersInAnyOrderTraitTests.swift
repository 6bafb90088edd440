// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

private actor Server {
  @_optimize(none) func answer() -> Int { 1 }
}

/// The trait, by whatever the test is explored.
@Suite struct AnswersInAnyOrderTraitTests {
  @Sendable private static func call() async {
    let start = Execution.clock.now
    _ = await Server().answer()
    Execution.sometimes("the answer is late", Execution.clock.now > start, atLeast: 0.2)
  }

  @Test(.interleavings(100), .answersInAnyOrder(of: Server.self))
  func `it holds after the trait that explores`() async { await Self.call() }

  @Test(.answersInAnyOrder(of: Server.self), .interleavings(100))
  func `it holds before the trait that explores`() async { await Self.call() }

  @Test(.answersInAnyOrder(of: Server.self)) func `it holds for an exploration in the body`() async {
    await explore(executions: 100) { await Self.call() }
  }

  @Test(.answersInAnyOrder(of: Server.self)) func `it holds for a fuzzer`() async {
    await Fuzzer { Server() }
      .action("call") { server in
        let start = Execution.clock.now
        _ = await server.answer()
        Execution.sometimes("the answer is late", Execution.clock.now > start, atLeast: 0.2)
      }
      .check(executions: 100)
  }

  @Suite(.answersInAnyOrder(of: Server.self)) struct OfASuite {
    @Test(.interleavings(100)) func `it holds for the tests of a suite`() async {
      await AnswersInAnyOrderTraitTests.call()
    }
  }

  private static func issues(of trait: AnswersInAnyOrderTrait, isExplored: Bool) async throws -> [IssueRecord] {
    let test = try #require(Test.current)
    return await issueRecords {
      try? await trait.provideScope(for: test, testCase: Test.Case.current) {
        if isExplored { await explore(executions: 2) { await Self.call() } }
      }
    }
  }

  @Test func `a trait on a test that explores nothing is one issue`() async throws {
    let found = try await Self.issues(of: .answersInAnyOrder(of: Server.self), isExplored: false)
    #expect(found.map(\.line) == [#line - 1])
    #expect(found.first?.text.hasPrefix("The trait .answersInAnyOrder(of: Server.self) has no effect.") == true)
    #expect(try await Self.issues(of: .stubsAnswerInAnyOrder(), isExplored: false).count == 1)
  }

  @Suite(.answersInAnyOrder(of: Server.self)) struct WithoutExploration {
    @Test func `a trait of a suite says nothing of a test that explores nothing`() { #expect(!Execution.isSimulated) }
  }

  private actor Unused {}

  @Test func `a type that no execution calls is a warning, and one that some call is not`() async {
    let unused = await Explorer(executions: 20).run {
      Execution.answersInAnyOrder(of: Unused.self)
      _ = await Server().answer()
    }
    #expect(unused.warnings.count { $0.contains("no Unused was called from elsewhere") } == 1, "\(unused.warnings)")
    let seldom = await Explorer(executions: 100).run {
      Execution.answersInAnyOrder(of: Server.self)
      if Execution.draw(.int(in: 0...1)) == 1 { _ = await Server().answer() }
    }
    #expect(!seldom.warnings.contains { $0.contains("has no effect") })
  }
}
