// SPDX-License-Identifier: Apache-2.0

import Foundation
import NapkinTesting
import Testing

#if os(macOS) || os(Linux)
/// A line for each execution, as tools that read those of Hypothesis want it.
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
      #expect(try deviations(of: Data(line.utf8)) == [])
      return try JSONDecoder().decode(Line.self, from: Data(line.utf8))
    }
  }

  /// The members that break the schema which Hypothesis publishes for a test case (`schema_observations.json`): all twelve
  /// are required, and there are no others.
  private static func deviations(of line: Data) throws -> [String] {
    let members = try #require(JSONSerialization.jsonObject(with: line) as? [String: Any])
    let allowed: [String: (Any) -> Bool] = [
      "type": { $0 as? String == "test_case" },
      "status": { ["passed", "failed", "gave_up"].contains($0 as? String) },
      "status_reason": { $0 is String }, "representation": { $0 is String }, "property": { $0 is String },
      "how_generated": { $0 is String || $0 is NSNull },
      "arguments": { $0 is [String: Any] }, "features": { $0 is [String: Any] }, "metadata": { $0 is [String: Any] },
      "coverage": { $0 is [String: [Int]] || $0 is NSNull },
      "timing": { ($0 as? [String: Double])?.values.allSatisfy { $0 >= 0 } == true },
      "run_start": { $0 is Double },
    ]
    return Set(members.keys).union(allowed.keys).filter { name in
      guard let isAllowed = allowed[name], let value = members[name] else { return true }
      return !isAllowed(value)
    }.sorted()
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

  @Test func `texts with quotes, line ends and control characters keep to the form`() async throws {
    let printed = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      setenv("NAPKIN_LOG", "cases", 1)
      setenv("NAPKIN_DATABASE", "off", 1)
      _ = await Explorer(executions: 20).runAsATest("a \"test\"") {
        let text = Execution.draw(.element(of: ["\"\n", "\u{1}\\"]), "a = \"b\"\n")
        Execution.label(text)
        Execution.sometimes("\t", text.isEmpty)
        Issue.record("\(text)\u{2028}")
      }
    }
    #expect(try Self.lines(in: printed?.standardOutputContent).map(\.status) == ["failed"])
  }

  @Test func `a value is known by its label, whatever it says itself`() async throws {
    let printed = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      setenv("NAPKIN_LOG", "cases", 1)
      setenv("NAPKIN_DATABASE", "off", 1)
      _ = await Explorer(executions: 1).runAsATest("a test") {
        _ = Execution.draw(.just("x = 1"))
        _ = Execution.draw(.just("y = 2"), "a = b")
      }
    }
    #expect(try Self.lines(in: printed?.standardOutputContent).map(\.arguments) == [["1": "x = 1", "a = b": "y = 2"]])
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
