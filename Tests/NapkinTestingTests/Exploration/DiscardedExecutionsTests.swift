// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Synchronization
import Testing

@Suite struct DiscardedExecutionsTests {
  /// Asks for a number that there is none of.
  @Sendable private static func drawNothing() {
    let number = Execution.draw(.int(in: 0...9).filter { $0 > 9 })
    #expect(number > 9)
  }

  /// Does so in this many of ten executions, by chance.
  private static func drawNothing(inTenths share: Int) -> @Sendable () async throws -> Void {
    { if Execution.draw(.int(in: 1...10)) <= share { drawNothing() } }
  }

  private static func settings(shards: Int) -> RunSettings {
    var settings = RunSettings()
    settings.shard = RunSettings.Shard(index: 0, count: shards)
    return settings
  }

  @Test(arguments: [1, 50]) func `an exploration that discards all of its executions fails`(executions: Int)
    async throws
  {
    let result = await Explorer(executions: executions).run { Self.drawNothing() }
    let failure = try #require(result.failure)
    #expect(failure.execution == 0)
    #expect(failure.diagnostics.map(\.kind) == [.rejection])
    let executed = executions == 1 ? "The one execution" : "All 50 executions"
    #expect(failure.messages.first?.hasPrefix("\(executed) had to be discarded, so nothing was tested.\n") == true)
    #expect(result.description.contains("no execution is left that was not discarded"), "\(result)")
  }

  @Test func `a block of another process runs to its end, however many of it are discarded`() async {
    // The first of some hundred of the second block, which begins with the execution after the 200th.
    let result = await Explorer(executions: 3_200, isolated: true)
      .runAsATest(FailureDatabase.key(#_sourceLocation), keptIn: FailureDatabase(folder: "/dev/null/none")) {
        if (211...350).contains(Self.next()) { Self.drawNothing() }
      }
    #expect(result.failure == nil)
    #expect(result.executions == 3_200 && result.discardedExecutions == 140, "\(result)")
  }

  private static let executionsOfProcess = Mutex(0)

  private static func next() -> Int {
    executionsOfProcess.withLock { number in
      number += 1
      return number
    }
  }

  @Test func `processes of their own are judged together, and not block by block`() async {
    let database = FailureDatabase(folder: "/dev/null/none")
    let everything = await Explorer(executions: 40, isolated: true)
      .runAsATest(FailureDatabase.key(#_sourceLocation), keptIn: database) { Self.drawNothing() }
    #expect(everything.failure?.messages.first?.hasPrefix("All 40 executions had to be discarded") == true)
    // All of the first block, which has 25 executions, and nothing of the second one.
    let first = await Explorer(executions: 50, isolated: true)
      .runAsATest(FailureDatabase.key(#_sourceLocation), keptIn: database) {
        if Self.next() <= 26 { Self.drawNothing() }
      }
    #expect(first.discardedExecutions == 26 && first.failure == nil, "\(first)")
  }

  @Test func `a replay that is discarded is no failure`() async throws {
    let token = ReplayToken(ChoiceSequence(data: [Choice(value: 1, bound: 10)]), fingerprint: 3).text
    let result = await Explorer(strategy: .replay(token)).run { Self.drawNothing() }
    #expect(result.discardedExecutions == 1)
    #expect(result.failure == nil)
  }

  @Test func `a shard of many executions fails where all of them were discarded`() async {
    let result = await Explorer(executions: 1_000).adjusted(by: Self.settings(shards: 16)).run { Self.drawNothing() }
    #expect(result.failure?.messages.first?.hasPrefix("All 63 executions had to be discarded") == true)
  }

  @Test func `a shard of few executions leaves it to the others, and warns`() async throws {
    let result = await Explorer(executions: 8).adjusted(by: Self.settings(shards: 8)).run { Self.drawNothing() }
    #expect(result.failure == nil)
    let warning = try #require(result.warnings.first)
    #expect(warning.hasPrefix("The one execution had to be discarded, so nothing was tested.\n"))
    #expect(warning.contains("one of 8 shards") && warning.contains("NAPKIN_SHARD=0/1"), "\(warning)")
  }

  @Test func `a simulated test has one execution, and is no small share`() async {
    var explorer = SearchContext(Explorer(executions: 1, strategy: .fifo))
    explorer.runsOnce = true
    let result = await explorer.adjusted(by: Self.settings(shards: 8)).run { Self.drawNothing() }
    #expect(result.failure?.diagnostics.map(\.kind) == [.rejection])
  }

  @Test func `a warning says how many were discarded where it was half of them or more`() async throws {
    let result = await Explorer(executions: 1_000, seed: 1).run(Self.drawNothing(inTenths: 6))
    #expect(result.failure == nil)
    #expect((500..<700).contains(result.discardedExecutions))
    let warning = try #require(result.warnings.first)
    #expect(warning.hasPrefix("\(result.discardedExecutions) of 1000 executions had to be discarded.\n"), "\(warning)")
    #expect(warning.contains("\nWhat to do: "))
  }

  @Test func `a few discarded executions are no warning`() async {
    let result = await Explorer(executions: 1_000, seed: 1).run(Self.drawNothing(inTenths: 2))
    #expect((100..<300).contains(result.discardedExecutions))
    #expect(result.failure == nil && result.warnings.isEmpty, "\(result)")
  }

  @Test func `the line of a pass says how many executions were discarded`() async {
    let result = await Explorer(executions: 100, seed: 1).run(Self.drawNothing(inTenths: 2))
    #expect(result.worth.hasPrefix("100 executions, of which \(result.discardedExecutions) were discarded, "))
  }
}
