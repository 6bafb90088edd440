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

  @Test(.knownFailure("three was drawn"))
  func `a call of explore goes on past the known failure of its test`() async {
    let exploration = await explore(executions: 50, seed: 1) {
      if Execution.draw(.int(in: 0...3)) == 3 { Issue.record("three was drawn") }
    }
    #expect(exploration.failures.isEmpty && exploration.executions == 50)
    #expect(exploration.knownFailures.map(\.name) == ["three was drawn"])
  }

  @Test func `where every failure is known all executions run`() async {
    let names = ["first", "second", "third", "fourth", "fifth", "sixth", "Overdrawn"]
    let exploration = await Self.explored(names)
    #expect(exploration.failures.isEmpty)
    #expect(exploration.executions == 1_000)
    #expect(Set(exploration.knownFailures.map(\.name)) == Set(names))
    #expect(!exploration.isExhaustive)
  }

  @Test func `a token that no longer replays what it recorded excuses nothing, and says so`() async throws {
    let old = await Explorer(executions: 1).run {
      _ = (Execution.draw(.int(in: 0...9)), Execution.draw(.int(in: 0...9)))
      Issue.record("old")
    }
    let token = try #require(old.failure?.schedule)
    var explorer = Explorer(executions: 10, seed: 1)
    explorer.known = [token]
    let new = await explorer.run {
      _ = Execution.draw(.int(in: 0...9))
      Issue.record("new")
    }
    #expect(new.failures.map(\.messages.first) == ["new"])
    #expect(new.knownFailures.isEmpty)
    let warning = try #require(new.warnings.first)
    #expect(
      warning.hasPrefix(
        "Divergence: the replay met 1 choices and the recorded execution 2, so it was another execution"))
    #expect(warning.contains("The known failure \(token) excuses nothing."), "\(warning)")
  }

  @Test func `a known failure that excuses nothing is no warning that it did not come`() async throws {
    var explorer = Explorer(executions: 10, seed: 1)
    let data = [Choice(value: 0, bound: 10), Choice(value: 0, bound: 10)]
    explorer.known = [ReplayToken(ChoiceSequence(data: data), fingerprint: 3).text, "nothing says this"]
    let found = await issues { await explorer.check { _ = Execution.draw(.int(in: 0...9)) } }
    #expect(found.map { String($0.prefix(15)) } == ["The known failu", "Divergence: the"])
    #expect(found.first?.hasPrefix("The known failure nothing says this did not come") == true, "\(found)")
  }

  @Test func `a number that is out of a token's reach is no replay of it`() async throws {
    let old = await Explorer(executions: 100, seed: 1).run {
      if Execution.draw(.int(in: 0...999)) > 500 { Issue.record("old") }
    }
    var explorer = Explorer(executions: 10, seed: 1)
    explorer.known = [try #require(old.failure?.schedule)]
    let new = await explorer.run { if Execution.draw(.int(in: 0...9)) > 0 { Issue.record("new") } }
    #expect(new.failures.map(\.messages.first) == ["new"])
    #expect(new.warnings.contains { $0.hasPrefix("Divergence: 1 of the 1 recorded choices were out of reach") })
  }

  /// Records one issue in each execution, and sometimes another one after it.
  @Sendable private static func always() {
    Issue.record("always")
    if Execution.draw(.int(in: 0...9)) > 5 { Issue.record("seldom") }
  }

  @Test func `what fails behind a known failure is reported, without the known one`() async throws {
    var explorer = Explorer(executions: 100, seed: 1)
    explorer.known = ["always"]
    let exploration = await explorer.run(Self.always)
    #expect(exploration.failures.map(\.diagnostics.count) == [1])
    let failure = try #require(exploration.failure)
    #expect(failure.messages.first == "seldom")
    #expect(failure.draws == ["6"])
    #expect(exploration.knownFailures.map(\.name) == ["always"])
    #expect(exploration.knownFailures.first?.executions == 100)
  }

  @Test func `what fails behind a failure that is known by its token is reported, too`() async throws {
    let first = await Explorer(executions: 1, strategy: .fifo, seed: 1).run { Self.always() }
    let token = try #require(first.failure?.schedule)
    try #require(first.failure?.diagnostics.count == 1)
    var explorer = Explorer(executions: 100, seed: 1)
    explorer.known = [token]
    #expect(await explorer.run(Self.always).failures.map(\.messages.first) == ["seldom"])
  }

  @Test func `what a known failure entails in the replay of its token is known with it`() async throws {
    let body: @Sendable () async throws -> Void = {
      guard Execution.draw(.int(in: 0...9)) > 5 else { return }
      Issue.record("cause")
      Issue.record("consequence")
    }
    let all = await Explorer(executions: 100, seed: 1).run(body)
    let token = try #require(all.failure?.schedule)
    var explorer = Explorer(executions: 100, seed: 1)
    explorer.known = [token]
    let exploration = await explorer.run(body)
    #expect(exploration.failures.isEmpty)
    #expect(exploration.knownFailures.map(\.name) == [token])
  }

  @Test func `what is known as a consequence is none where it comes by itself`() async throws {
    var explorer = Explorer(executions: 100, seed: 1)
    explorer.known = [ReplayToken(ChoiceSequence(data: [Choice(value: 0, bound: 10)]), fingerprint: 3).text]
    let exploration = await explorer.run {
      if Execution.draw(.int(in: 0...9)) < 5 { Issue.record("cause") }
      Issue.record("consequence")
    }
    #expect(exploration.failures.map(\.messages.first) == ["consequence"])
    #expect(exploration.failure?.draws == ["5"])
  }

  @Test(.interleavings(200, seed: 1), .knownFailure("the first"))
  func `a known failure is a known issue of the test`() async {
    if Execution.draw(.int(in: 0...9)) == 1 { Issue.record("the first of its kind") }
  }
}
