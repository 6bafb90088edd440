// SPDX-License-Identifier: Apache-2.0

import Foundation
import NapkinTesting
import Testing

@Suite struct HTMLPageTests {
  /// A text of a user that would end a script, a comment or an attribute.
  static let hostile = "</script><script>alert(1)</script><!-- ' \" & \u{2028} \\ \u{1} <img src=x onerror=alert(2)>"

  static func page(_ log: EventLog, message: String = "It failed.", title: String = "a test", limit: Int = 2_000)
    -> String
  {
    var failure = FailureReportTests.failure([Diagnostic(.expectation, message)])
    failure.log = log
    return HTMLPage(of: failure, title: title, limit: limit).text
  }

  static func data(_ page: String) throws -> FailureRecord {
    let start = try #require(page.range(of: "<script type=\"application/json\" id=\"data\">"))
    let end = try #require(page[start.upperBound...].range(of: "</script>"))
    return try JSONDecoder().decode(
      FailureRecord.self, from: Foundation.Data(page[start.upperBound..<end.lowerBound].utf8))
  }

  @Test func `the page carries the whole execution`() throws {
    let data = try Self.data(Self.page(.lostUpdate))
    #expect(data.tasks.map(\.name) == ["body", "task 1", "task 2"])
    #expect(data.places == ["–", "MainActor", "Counter"])
    #expect(data.events.count == 15)
    #expect(data.events.map(\.kind).filter { $0 == "ran" }.count == 11)
    #expect(data.events.filter { $0.rank == 1 }.map(\.step) == [4])
    #expect(data.events.last?.text == "Expectation failed: (value → 1) == 2")
    #expect(data.events.filter { $0.kind == "started" }.map(\.by) == [nil, 0, 0])
    #expect(!data.hasTime)
  }

  @Test func `the head has the line of the test, the token and the command that replays it`() {
    var failure = FailureReportTests.failure()
    failure.log = .lostUpdate
    var page = HTMLPage(of: failure, title: "a test")
    page.test = (
      "it's a test()", SourceLocation(fileID: "Tests/A.swift", filePath: "/src/Tests/A.swift", line: 7, column: 1)
    )
    #expect(page.text.contains("<a href=\"vscode://file/src/Tests/A.swift:7\">Tests/A.swift:7</a>"))
    #expect(page.text.contains("data-copy=\"nk1.AAAA\""))
    let command = "NAPKIN_REPLAY=nk1.AAAA swift test --filter &#39;it&#39;\\&#39;&#39;s a test()&#39;"
    #expect(page.text.contains("data-copy=\"\(command)\""), "\(page.text.prefix(6_000).suffix(1_500))")
  }

  @Test func `what the log leaves out is folded`() throws {
    let folded = try #require(
      Self.page(StoryElisionTests.long(300, deviations: [50], issues: [60])).firstMatch(of: #/"folded":\[\[1,(\d+)\]/#))
    #expect((Int(folded.output.1) ?? 0) > 2)
  }

  @Test func `a step has the function and line where it resumes, an issue its own line`() throws {
    var log = EventLog()
    var source = try #require(SourcePlace(symbol: "$s4Bank7AccountC8withdrawyySiYaF", name: "Account.withdraw(_:)"))
    (source.file, source.line) = ("/src/Bank/Account.swift", 12)
    log.append(.ran(.global, rank: 0, ready: 1), step: 1, time: .zero, task: 0, source: source)
    log.append(.issue("broke"), step: 1, time: .zero, task: 0, line: "AccountTests.swift:23")
    let data = try Self.data(Self.page(log))
    #expect(data.events.map(\.function) == ["Account.withdraw(_:)", nil])
    #expect(data.events.map(\.at) == ["Account.swift:12", "AccountTests.swift:23"])
  }

  @Test func `changes of the tree belong to the row before them`() throws {
    let data = try Self.data(Self.page(.smallTree))
    #expect(data.events.map(\.kind) == ["ran", "issue", "ran"])
    #expect(data.events[0].changes?.count == 5)
    let root = try #require(data.events[0].changes?.first)
    #expect(root.number == 1 && root.name == "Root" && root.state == "active" && root.tasks == 1 && root.gone == nil)
    #expect(data.events[2].changes?.map(\.number) == [3] && data.events[2].changes?.first?.gone == true)
  }

  @Test func `nothing that people write becomes markup, and all of it arrives`() throws {
    let log = EventLog.make { log in
      log.name(task: 0, Self.hostile)
      log.name(place: .actor(1), Self.hostile)
      log.ran(1, 0, .actor(1))
      log.then(.note(Self.hostile), 1, 0)
    }
    let page = Self.page(log, message: Self.hostile, title: Self.hostile)
    #expect(!page.contains("<script>alert"))
    #expect(!page.contains("<img"))
    #expect(!page.contains("<!--"))
    #expect(page.components(separatedBy: "</script>").count == 3, "the data's and the page's own")
    let data = try Self.data(page)
    #expect(data.events.last?.text == Self.hostile)
    #expect(data.tasks.first?.name == Self.hostile)
    #expect(data.places.last == Self.hostile)
  }

  @Test func `a text that looks like a placeholder of the template stays as it is`() throws {
    let page = Self.page(.lostUpdate, message: "{{token}} {{script}}", title: "{{style}}")
    #expect(page.contains("<title>✘ {{style}}</title>"))
    #expect(page.contains(">{{token}} {{script}}\n"))
    #expect(page.components(separatedBy: "nk1.AAAA").count == 5, "the replay line, the report as text, the data")
    #expect(!page.replacing("{{token}} {{script}}", with: "").replacing("{{style}}", with: "").contains("{{"))
  }

  @Test func `a long execution is shown from its end, with a note and the tree of that time`() throws {
    let log = EventLog.make { log in
      log.ran(1, 0)
      log.then(.tree(.node(TreeNode(number: 1, name: "Root"))), 1, 0)
      for step in 2...50 { log.ran(step, 0) }
      log.then(.tree(.gone(1)), 50, 0)
    }
    let page = Self.page(log, limit: 10)
    let data = try Self.data(page)
    #expect(data.events.map(\.step) == Array(41...50))
    #expect(data.tree.map(\.name) == ["Root"])
    #expect(data.events.last?.changes?.map(\.number) == [1] && data.events.last?.changes?.first?.gone == true)
    #expect(
      page.contains(
        "<p><strong>This page shows the last 10 events.</strong> 40 earlier ones are left out; the tree takes them into account.</p>"
      ))
    #expect(!Self.page(log, limit: 50).contains("left out"))
  }

  /// A member that is renamed or leaves is another schema.
  @Test func `the article lists the members of the record, and no other`() throws {
    var failure = FailureReportTests.failure()
    failure.log = .smallTree
    var page = HTMLPage(of: failure, title: "a test")
    page.test = ("a()", #_sourceLocation)
    let record = page.record
    func names(_ value: Any?, _ prefix: String = "") throws -> [String] {
      Mirror(reflecting: try #require(value)).children.compactMap(\.label).map { prefix + $0 }
    }
    let members = try [
      names(record), names(record.test, "test."), names(record.tasks.first, "tasks."),
      names(record.events.first, "events."), names(record.events.first?.changes?.first, "tree."),
    ]
    let article = try Page("Sources/NapkinTesting/NapkinTesting.docc/ReadingAFailure.md").text
    let section = try #require(article.components(separatedBy: "\n### ").first { $0.hasPrefix("As JSON") })
    let listed = section.split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { row in
      row.matches(of: #/`([a-zA-Z.]+)`/#).map { String($0.1) }
    }
    // Values, which the article shows beside the members.
    let values: Set = ["deadlock", "ran", "started", "drew", "issue"]
    #expect(Set(members.joined()) == Set(listed).subtracting(values))
    #expect(record.schema == 1)
  }

  @Test func `the page asks for nothing from anywhere`() {
    let page = Self.page(.lostUpdate)
    #expect(page.contains("default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"))
    #expect(
      !page.contains("http://") && !page.contains("https://") && !page.contains("src=") && !page.contains("href="))
  }

  @Test func `an execution in which nothing happened still makes a page`() throws {
    #expect(try Self.data(Self.page(EventLog())).events.isEmpty)
  }
}
