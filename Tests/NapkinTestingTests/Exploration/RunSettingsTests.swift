// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct RunSettingsTests {
  private func settings(_ variables: [String: String]) throws -> RunSettings { try RunSettings { variables[$0] } }

  @Test func `an empty environment changes nothing`() throws {
    #expect(try settings([:]) == RunSettings())
    #expect(try settings(["NAPKIN_SEED": "", "TEST_TOTAL_SHARDS": ""]) == RunSettings())
  }

  @Test func `every variable is read`() throws {
    let read = try settings([
      "NAPKIN_SEED": "42", "NAPKIN_EXECUTIONS": "7", "NAPKIN_TIME_BUDGET": "1.5", "NAPKIN_REPLAY": "nk1.x",
      "TEST_TOTAL_SHARDS": "4", "TEST_SHARD_INDEX": "3", "NAPKIN_PROFILE": "nightly",
    ])
    #expect(read.seed == 42)
    #expect(read.executions == 7)
    #expect(read.timeBudget == .seconds(1.5))
    #expect(read.replay == "nk1.x")
    #expect(read.shard == RunSettings.Shard(index: 3, count: 4))
    #expect(read.profile == .nightly)
  }

  @Test func `a machine that sets CI has the profile of that name, unless another is asked for`() throws {
    #expect(try settings(["CI": "true"]).profile == .ci)
    #expect(try settings(["CI": "false"]).profile == .standard)
    #expect(try settings(["CI": "true", "NAPKIN_PROFILE": "standard"]).profile == .standard)
  }

  @Test func `a profile multiplies the executions, unless their number is given`() async throws {
    var settings = try settings(["NAPKIN_PROFILE": "nightly"])
    #expect(await Explorer(executions: 3).adjusted(by: settings).run {}.executions == 60)
    settings.executions = 7
    #expect(await Explorer(executions: 3).adjusted(by: settings).run {}.executions == 7)
  }

  @Test(arguments: [
    ("NAPKIN_SEED", "-1"), ("NAPKIN_EXECUTIONS", "0"), ("NAPKIN_EXECUTIONS", "many"), ("NAPKIN_TIME_BUDGET", "0"),
    ("NAPKIN_TIME_BUDGET", "nan"), ("TEST_TOTAL_SHARDS", "0"),
    ("NAPKIN_PROFILE", "weekly"),
  ])
  func `a value that cannot be read is named`(_ variable: String, _ value: String) {
    let misuse = #expect(throws: Diagnostic.self) { try settings([variable: value]) }
    #expect(misuse?.summary.hasPrefix("The environment variable \(variable) is \"\(value)\", which is not ") == true)
  }

  @Test func `a shard beyond the last is named`() {
    let misuse = #expect(throws: Diagnostic.self) {
      try settings(["TEST_TOTAL_SHARDS": "2", "TEST_SHARD_INDEX": "2"])
    }
    #expect(misuse?.summary.hasSuffix("which is not a shard's number from 0 to 1.") == true)
  }

  @Test func `the text of a problem says what to do`() throws {
    let misuse = try #require(#expect(throws: Diagnostic.self) { try settings(["NAPKIN_SEED": "x"]) })
    #expect(
      misuse.description == """
        The environment variable NAPKIN_SEED is "x", which is not a whole number of 0 or more.
        Likely cause: it was mistyped, or set for another program.
        What to do: set it to a whole number of 0 or more, or unset it.
        """
    )
  }

  @Test func `shards run every execution once between them`() async {
    var executions = 0
    for index in 0..<3 {
      var settings = RunSettings()
      settings.shard = RunSettings.Shard(index: index, count: 3)
      executions += await Explorer(executions: 100).adjusted(by: settings).run {}.executions
    }
    #expect(executions == 100)
  }

  @Test func `a shard finds the execution that the whole run finds, under its number`() async throws {
    // The body fails by its data alone, so the same execution fails in every process.
    @Sendable func body() throws {
      if Execution.draw(.int(in: 0...99)) == 7 { throw CancellationError() }
    }
    let explorer = Explorer(executions: 3_000, strategy: .fifo, seed: 3, shrinks: false)
    let whole = try #require(await explorer.run(body).failure).execution
    var settings = RunSettings()
    settings.shard = RunSettings.Shard(index: (whole - 1) % 4, count: 4)
    #expect(await explorer.adjusted(by: settings).run(body).failure?.execution == whole)
  }

  @Test func `a shard of one's own outdoes the one that the runner sets`() throws {
    let read = try settings(["NAPKIN_SHARD": "0/1", "TEST_TOTAL_SHARDS": "4", "TEST_SHARD_INDEX": "3"])
    #expect(read.shard == RunSettings.Shard())
    #expect(try settings(["NAPKIN_SHARD": "2/3"]).shard == RunSettings.Shard(index: 2, count: 3))
  }

  @Test(arguments: ["3", "3/3", "-1/3", "a/b", "1/2/3", "0/0", "/"])
  func `a shard that is none is named`(value: String) {
    #expect(throws: Diagnostic.self) { try settings(["NAPKIN_SHARD": value]) }
  }

  @Test func `each shard of an exhaustive search does all of it`() async {
    var settings = RunSettings()
    settings.shard = RunSettings.Shard(index: 1, count: 3)
    let body: @Sendable () async -> Void = {
      async let first: Void = Task.yield()
      async let second: Void = Task.yield()
      _ = await (first, second)
    }
    let whole = await Explorer(executions: 1_000, strategy: .exhaustive()).run(body)
    let all = Explorer(executions: whole.executions + 1, strategy: .exhaustive())
    let result = await all.adjusted(by: settings).run(body)
    #expect(whole.executions > 3)
    #expect(result.isExhaustive)
    #expect(result.executions == whole.executions)
  }

  @Test func `a time budget ends a run that would go on`() async {
    var settings = RunSettings()
    settings.timeBudget = .milliseconds(50)
    let result = await Explorer(executions: 1).adjusted(by: settings).run { await Task.yield() }
    #expect(result.executions > 1)
    #expect(result.failure == nil)
  }

  @Test func `a time budget is of real time, also inside another exploration`() async {
    var settings = RunSettings()
    settings.timeBudget = .nanoseconds(1)
    let inner = Explorer(strategy: .exhaustive()).adjusted(by: settings)
    let result = await Explorer(executions: 1).run {
      // Some thousands of schedules: too many for one look at the time, and by the outer execution's time none passes.
      let ended = await inner.run {
        async let first: Void = { for _ in 0..<6 { await Task.yield() } }()
        async let second: Void = { for _ in 0..<6 { await Task.yield() } }()
        _ = await (first, second)
      }
      #expect(!ended.isExhaustive)
      #expect(ended.executions > 0)
    }
    #expect(result.failure == nil)
  }
}
