// SPDX-License-Identifier: Apache-2.0

import Foundation
import NapkinTesting
import Testing

private struct Broken: Error {}

@Suite struct ReportFolderTests {
  /// A folder of its own for one test, gone when the test is.
  private final class Folder {
    let url = FileManager.default.temporaryDirectory.appending(path: "napkin-report-\(UUID().uuidString)")
    var path: String { url.path }
    var files: [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter {
        $0.hasSuffix(".html") && $0 != ReportFolder.indexName
      }
      .sorted()
    }
    deinit { try? FileManager.default.removeItem(at: url) }
  }

  private func page(_ note: String, remark: String = "", at time: Duration = .zero) -> String {
    var failure = FailureReportTests.failure()
    failure.remarks = [remark]
    failure.log = .make { $0.then(.note(note), 1, 0, at: time) }
    return HTMLPage(of: failure, title: "a test").text
  }

  @Test func `a page is written into a folder that is made for it`() throws {
    let folder = Folder()
    let inner = folder.path + "/of/reports"
    let remark = ReportFolder(path: inner).write(page("one"), test: "Suite/test()", token: "nk1.AAAA")
    let file = "\(inner)/\(ReportFolder.name(test: "Suite/test()", token: "nk1.AAAA")).html"
    #expect(remark == "Page: \(file)")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == page("one"))
  }

  @Test func `beside a page lies the same failure as JSON`() throws {
    let folder = Folder()
    let file = try #require(
      ReportFolder(path: folder.path).write(page("</b>"), test: "t", token: "nk1.AAAA").split(separator: ": ").last)
    let json = try Data(contentsOf: URL(filePath: String(file.dropLast(4)) + "json"))
    let record = try JSONDecoder().decode(FailureRecord.self, from: json)
    #expect(record.token == "nk1.AAAA" && record.messages.count == 1 && record.events.last?.text == "</b>")
  }

  @Test func `no page is overwritten, and the same failure is one file`() throws {
    let folder = Folder()
    let reports = ReportFolder(path: folder.path)
    let first = reports.write(page("one"), test: "t", token: "nk1.AAAA")
    let second = reports.write(page("two", at: .milliseconds(2)), test: "t", token: "nk1.AAAA")
    #expect(first != second)
    #expect(folder.files.count == 2)
    #expect(reports.write(page("one", remark: "in an earlier run, too"), test: "t", token: "nk1.AAAA") == first)
    #expect(reports.write(page("two", at: .milliseconds(3)), test: "t", token: "nk1.AAAA") == second)
    #expect(folder.files.count == 2)
  }

  @Test func `the pages of a folder are listed, each once`() throws {
    let folder = Folder()
    let reports = ReportFolder(path: folder.path)
    for test in ["one <b>", "two", "one <b>"] {
      _ = reports.write(page("one"), test: test, token: "nk1.AAAA", message: "1 < 0")
    }
    let index = try String(contentsOfFile: folder.path + "/index.html", encoding: .utf8)
    #expect(index.components(separatedBy: "<li>").count - 1 == 2)
    #expect(index.contains("one &lt;b&gt;"))
    #expect(index.components(separatedBy: "1 &lt; 0").count - 1 == 2)
    for file in folder.files { #expect(index.contains("href=\"\(file)\"")) }
  }

  @Test(arguments: ["left", "right"]) func `two arguments of a test are two entries`(side: String) {
    #expect(FailureDatabase.testKey.hasSuffix(" \"\(side)\""), "\(FailureDatabase.testKey)")
  }

  @Test func `a folder that cannot be written is reported, word for word`() throws {
    let folder = Folder()
    try Data().write(to: folder.url)
    #expect(
      ReportFolder(path: folder.path + "/below").write(page("one"), test: "t", token: "nk1.AAAA")
        == "No page was written to NAPKIN_REPORT_DIR: \(folder.path)/below is not a folder, and cannot be made one. Set it to a folder that can be written, or unset it."
    )
    #expect(
      ReportFolder(path: "/proc").write(page("one"), test: "t", token: "nk1.AAAA")
        == "No page was written to NAPKIN_REPORT_DIR: /proc/t-\(ReportFolder.name(test: "t", token: "nk1.AAAA").suffix(16)).html cannot be written. Set it to a folder that can be written, or unset it."
    )
  }

  @Test func `a name contains the test, fits every file system, and differs with the token`() {
    let name = ReportFolder.name(test: "Tests.Suite/`does / it?`()/A.swift:1:2", token: "nk1.AAAA")
    #expect(name.hasPrefix("Tests-Suite-does-it-A-swift-1-2-"))
    #expect(name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
    #expect(name != ReportFolder.name(test: "Tests.Suite/`does / it?`()/A.swift:1:2", token: "nk1.AAAB"))
    #expect(name != ReportFolder.name(test: "Tests.Suite/`does - it?`()/A.swift:1:2", token: "nk1.AAAA"))
    #expect(ReportFolder.name(test: String(repeating: "x", count: 900), token: "").count < 130)
    #expect(ReportFolder.name(test: "テスト", token: "").hasPrefix("failure-"))
  }

  #if os(macOS) || os(Linux)
  @Test func `a failed exploration leaves its page in the environment's folder, and says so`() async throws {
    let folder = Folder()
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      setenv("NAPKIN_REPORT_DIR", path, 1)
      setenv("NAPKIN_DATABASE", "off", 1)
      nonisolated(unsafe) var text = ""
      await withKnownIssue {
        await explore(executions: 1) { throw Broken() }
      } matching: { issue in
        text = issue.comments.map(\.rawValue).joined()
        return true
      }
      let files = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter {
        $0.hasSuffix(".html") && $0 != "index.html"
      }
      guard files.count == 1, let file = files.first, text.contains("\nPage: \(path)/\(file)\nReplay: ") else {
        fatalError("\(files): \(text)")
      }
    }
    #expect(folder.files.count == 1)
  }
  #endif
}
