// SPDX-License-Identifier: Apache-2.0

import Foundation
import NapkinTesting
import Testing

@Suite struct RunLogTests {
  private struct Line: Decodable {
    struct Failure: Decodable {
      var execution: Int
      var token: String
      var messages: [String]
      var at: String?
    }
    var test: String
    var line: Int
    var seed: String
    var executions: Int
    var schedules: Int
    var warnings: [String]
    var failures: [Failure]
  }

  private static func line(of exploration: Exploration, by explorer: Explorer) throws -> Line {
    let text = RunLog.line(of: exploration, by: explorer, at: #_sourceLocation)
    #expect(!text.contains("\n"))
    return try JSONDecoder().decode(Line.self, from: Data(text.utf8))
  }

  @Test func `a passing exploration is a line with its counts and its warnings`() async throws {
    let explorer = Explorer(executions: 30, seed: 5)
    let line = try Self.line(of: await explorer.run {}, by: explorer)
    #expect(line.test.contains("RunLogTests"))
    #expect((line.executions, line.schedules, line.seed) == (30, 1, "5"))
    #expect(line.warnings.count == 1)
    #expect(line.failures.isEmpty)
  }

  @Test func `a failing exploration has its token and its messages`() async throws {
    let explorer = Explorer(executions: 30)
    let exploration = await explorer.run { Issue.record("broken \"here\"\n</script>") }
    let line = try Self.line(of: exploration, by: explorer)
    #expect(line.failures.map(\.token) == [try #require(exploration.failure).schedule])
    #expect(line.failures.first?.messages == ["broken \"here\"\n</script>"])
    #expect(line.failures.first?.at?.hasPrefix("NapkinTestingTests/RunLogTests.swift:") == true)
  }

  #if os(macOS) || os(Linux)
  @Test func `the environment sends the line to standard output or to a file`() async throws {
    let printed = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      setenv("NAPKIN_LOG", "jsonl", 1)
      await explore(executions: 2) {}
    }
    let text = String(decoding: try #require(printed).standardOutputContent, as: UTF8.self)
    #expect(text.split(separator: "\n").count { $0.hasPrefix("{\"test\":") } == 1)
    #expect(!text.contains("explored 2 executions"))

    await #expect(processExitsWith: .success) {
      let path = NSTemporaryDirectory() + "napkin-log-\(UUID().uuidString).jsonl"
      setenv("NAPKIN_LOG", path, 1)
      await explore(executions: 2) {}
      await explore(executions: 3) {}
      let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      try FileManager.default.removeItem(atPath: path)
      precondition(lines.count == 2 && lines[1].contains("\"executions\":3"))
    }
  }
  #endif
}
