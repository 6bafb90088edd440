// SPDX-License-Identifier: Apache-2.0

import Foundation
import NapkinTesting
import Testing

@Suite struct ShardTests {
  private func settings(_ variables: [String: String]) throws -> RunSettings { try RunSettings { variables[$0] } }

  private func shard(_ variables: [String: String]) throws -> [Int] {
    let shard = try settings(variables).shard
    return [shard.index, shard.count]
  }

  @Test func `a shard beyond the last is named`() {
    let misuse = #expect(throws: Diagnostic.self) {
      try settings(["TEST_TOTAL_SHARDS": "2", "TEST_SHARD_INDEX": "2"])
    }
    #expect(misuse?.summary.hasSuffix("which is not a shard's number from 0 to 1.") == true)
  }

  @Test func `a number of shards without this one's is refused`() throws {
    let misuse = #expect(throws: Diagnostic.self) { try settings(["TEST_TOTAL_SHARDS": "2"]) }
    #expect(misuse?.summary == "TEST_TOTAL_SHARDS is 2, and TEST_SHARD_INDEX is not set.")
    #expect(try shard(["TEST_TOTAL_SHARDS": "1"]) == [0, 1])
  }

  @Test func `a shard beyond the last execution runs one of its own`() async throws {
    let body: @Sendable () throws -> Void = { throw CancellationError() }
    var settings = RunSettings()
    settings.shard = RunSettings.Shard(index: 6, count: 8)
    let result = await Explorer(executions: 2, strategy: .fifo).adjusted(by: settings).run(body)
    #expect(result.failure?.execution == 7)
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

  @Test func `an exhaustive search is the first shard's, whole and with its proof`() async {
    @Sendable func body() async {
      async let first: Void = Task.yield()
      async let second: Void = Task.yield()
      _ = await (first, second)
    }
    func search(_ shard: RunSettings.Shard) async -> Exploration {
      var settings = RunSettings()
      settings.shard = shard
      return await Explorer(strategy: .exhaustive()).adjusted(by: settings).run(body)
    }
    let whole = await search(RunSettings.Shard())
    let first = await search(RunSettings.Shard(index: 0, count: 2))
    let second = await search(RunSettings.Shard(index: 1, count: 2))
    #expect(first.isExhaustive && first.executions == whole.executions)
    #expect(!second.isExhaustive && second.executions == 0)
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

  @Test(arguments: ["3", "3/3", "-1/3", "a/b", "1/2/3", "0/0", "/", "auto"])
  func `a shard that is none is named`(value: String) {
    #expect(throws: Diagnostic.self) { try settings(["NAPKIN_SHARD": value]) }
  }

  #if os(macOS) || os(Linux)
  @Test func `the file that Bazel wants to see is there where executions are dealt out`() async {
    for count in [1, 2] {
      await #expect(processExitsWith: .success) { [count = count as Int] in
        let path = NSTemporaryDirectory() + "napkin-shards-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        setenv("TEST_SHARD_STATUS_FILE", path, 1)
        setenv("NAPKIN_SHARD", "0/\(count)", 1)
        await explore(executions: 2) {}
        #expect(FileManager.default.fileExists(atPath: path) == (count > 1))
      }
    }
  }
  #endif
}
