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
}
