// SPDX-License-Identifier: Apache-2.0

import Foundation
import NapkinTesting
import Testing

#if os(macOS) || os(Linux)
/// A line for each execution, as tools that read those of Hypothesis want it; `.ci/observations` compares it with that form.
@Suite struct CaseLogTests {
  private struct Line: Decodable {
    struct Metadata: Decodable {
      var token: String?
      var messages: [String]
    }
    var status: String
    var status_reason: String
    var representation: String
    var property: String
    var arguments: [String: String]
    var run_start: Double
    var metadata: Metadata
  }

  private static func lines(in output: [UInt8]?) throws -> [Line] {
    let text = String(decoding: output ?? [], as: UTF8.self)
    return try text.split(separator: "\n").filter { $0.hasPrefix("{\"type\":\"test_case\"") }.map { line in
      try JSONDecoder().decode(Line.self, from: Data(line.utf8))
    }
  }

  @Test func `each execution is a line with what was drawn, and how it ended`() async throws {
    let printed = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      setenv("NAPKIN_LOG", "cases", 1)
      setenv("NAPKIN_DATABASE", "off", 1)
      _ = await Explorer(executions: 600).runAsATest("a test") {
        let number = Execution.draw(.int(in: 1...40), "number")
        #expect(number != 7)
      }
    }
    let lines = try Self.lines(in: printed?.standardOutputContent)
    let last = try #require(lines.last)
    #expect(lines.count > 1 && Set(lines.map(\.run_start)).count == 1)
    #expect(lines.dropLast().allSatisfy { $0.status == "passed" && $0.status_reason.isEmpty })
    #expect(last.status == "failed" && last.status_reason.contains("(number → 7) != 7"))
    #expect(last.arguments == ["number": "7"])
    for line in lines { #expect(line.representation.hasSuffix(".replay(\"\(try #require(line.metadata.token))\")")) }
    // The token of the line is that of the execution.
    let again = await Explorer(strategy: .replay(try #require(last.metadata.token))).run {
      let number = Execution.draw(.int(in: 1...40), "number")
      #expect(number != 7)
    }
    #expect(again.failure?.draws == ["number = 7"])
  }

  @Test func `a discarded execution says why`() async throws {
    let printed = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      setenv("NAPKIN_LOG", "cases", 1)
      await explore(executions: 40) { _ = Execution.draw(.int(in: 0...3).filter { $0 == 0 }, "zero") }
    }
    let given = try Self.lines(in: printed?.standardOutputContent).filter { $0.status == "gave_up" }
    #expect(!given.isEmpty && given.allSatisfy { !$0.status_reason.isEmpty })
  }

  @Test func `threads that are not controlled have lines without a token`() async throws {
    let printed = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      setenv("NAPKIN_LOG", "cases", 1)
      await explore(executions: 5, strategy: .parallel) {}
    }
    let lines = try Self.lines(in: printed?.standardOutputContent)
    #expect(lines.map(\.representation) == (1...5).map { "execution \($0)" })
    #expect(lines.allSatisfy { $0.metadata.token == nil })
  }

  @Test func `a file for executions has no lines for explorations`() async {
    await #expect(processExitsWith: .success) {
      let path = NSTemporaryDirectory() + "napkin-\(UUID().uuidString).cases.jsonl"
      setenv("NAPKIN_LOG", path, 1)
      await explore(executions: 4) {}
      let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      try FileManager.default.removeItem(atPath: path)
      precondition(lines.count == 4 && lines.allSatisfy { $0.hasPrefix("{\"type\":\"test_case\"") })
    }
  }
}
#endif
