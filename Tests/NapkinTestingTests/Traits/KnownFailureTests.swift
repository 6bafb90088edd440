// SPDX-License-Identifier: Apache-2.0

import Foundation
import NapkinTesting
import Testing

@Suite struct KnownFailureTests {
  /// Fails in one of seven ways, or passes.
  @Sendable private static func body() async throws {
    switch Execution.draw(.int(in: 0...9)) {
    case 1: Issue.record("first")
    case 2: Issue.record("second")
    case 3: Issue.record("third")
    case 4: Issue.record("fourth")
    case 5: Issue.record("fifth")
    case 6: Issue.record("sixth")
    case 7: throw Overdrawn()
    default: break
    }
  }

  private struct Overdrawn: Error {}

  private static func explored(_ known: [String]) async -> Exploration {
    var explorer = Explorer(executions: 1_000, seed: 1)
    explorer.known = known
    return await explorer.run(body)
  }

  @Test func `an exploration goes on past a known failure, and keeps five others, each shrunk`() async throws {
    let exploration = await Self.explored(["first"])
    #expect(exploration.knownFailures.map(\.name) == ["first"])
    #expect(exploration.failures.count == 5)
    #expect(Set(exploration.failures.flatMap(\.messages).filter { !$0.hasPrefix("Drawn") }).count == 5)
    #expect(!exploration.failures.contains { $0.messages.contains("first") })
    #expect(exploration.failures.allSatisfy { $0.shrinking.executions > 0 && !$0.schedule.isEmpty })
    #expect(exploration.failure?.execution == exploration.failures.map(\.execution).min())
  }

  @Test func `a failure is known by its token, too`() async throws {
    let all = await Self.explored(["nothing says this"]).failures
    let second = try #require(all.first { $0.messages.contains("second") } ?? all.first)
    let exploration = await Self.explored([second.schedule])
    #expect(exploration.knownFailures.map(\.name) == [second.schedule])
    #expect(!exploration.failures.contains { $0.messages.first == second.messages.first })
  }

  @Test func `where every failure is known all executions run`() async {
    let names = ["first", "second", "third", "fourth", "fifth", "sixth", "Overdrawn"]
    let exploration = await Self.explored(names)
    #expect(exploration.failures.isEmpty)
    #expect(exploration.executions == 1_000)
    #expect(Set(exploration.knownFailures.map(\.name)) == Set(names))
    #expect(!exploration.isExhaustive)
  }

  @Test(.interleavings(200, seed: 1), .knownFailure("the first"))
  func `a known failure is a known issue of the test`() async {
    if Execution.draw(.int(in: 0...9)) == 1 { Issue.record("the first of its kind") }
  }
}
