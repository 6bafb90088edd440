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
    settings.profile = RunProfile("endless", executions: .max)
    #expect(Explorer(executions: 10).adjusted(by: settings).explorer.executions == .max)
    settings.executions = 7
    #expect(await Explorer(executions: 3).adjusted(by: settings).run {}.executions == 7)
  }

  @Test(arguments: [
    ("NAPKIN_SEED", "-1"), ("NAPKIN_EXECUTIONS", "0"), ("NAPKIN_EXECUTIONS", "many"), ("NAPKIN_TIME_BUDGET", "0"),
    ("NAPKIN_TIME_BUDGET", "nan"), ("TEST_TOTAL_SHARDS", "0"),
    ("NAPKIN_PROFILE", "weekly"), ("NAPKIN_HANG", "0"), ("NAPKIN_HANG", "soon"),
    ("NAPKIN_VERBOSE", "false"), ("NAPKIN_SHARED", "all"),
    ("NAPKIN_SELF_TEST", "yes"), ("NAPKIN_ISOLATE", "2"), ("NAPKIN_OUTPUT", "none"),
  ])
  func `a value that cannot be read is named`(_ variable: String, _ value: String) {
    let misuse = #expect(throws: Diagnostic.self) { try settings([variable: value]) }
    #expect(misuse?.summary.hasPrefix("The environment variable \(variable) is \"\(value)\", which is not ") == true)
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

  @Test func `a time budget ends a run that would go on`() async {
    var settings = RunSettings()
    var executions = 0
    // On a busy machine the first execution alone may take longer than a short budget.
    for budget in [Duration.milliseconds(50), .seconds(1), .seconds(60)] where executions <= 1 {
      settings.timeBudget = budget
      let result = await Explorer(executions: 1).adjusted(by: settings).run { await Task.yield() }
      #expect(result.failure == nil)
      executions = result.executions
    }
    #expect(executions > 1)
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
