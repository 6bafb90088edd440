// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite struct StyleTests {
  @Test(arguments: StyleRule.all) func `the house keeps its rules`(rule: StyleRule) throws {
    let files = try House.files.get()
    try #require(
      files.contains { $0.isSource },
      "No source was found under \(House.root.path): is this the package's folder?"
    )
    #expect(
      rule.violations(files) == [],
      "\(rule): fix the file, or list it with its reason in StyleExceptions.swift."
    )
  }

  @Test func `an exception that is not needed fails`() throws {
    let files = try House.files.get()
    for exception in StyleExceptions.all {
      let rule = exception.kind == .chance ? StyleRule.chance : StyleRule.unchecked
      // Under another name in Sources the file is not excused, so that the rule reports its violations.
      let unexcused = files.filter { $0.path == exception.path }.map {
        SourceFile(path: "Sources/\($0.path)", text: $0.text)
      }
      #expect(rule.violations(unexcused) != [], "\(exception.path) does not need its exception: \(exception.reason)")
    }
  }

  @Test func `the steps of CI run every check`() throws {
    let folder = House.root.appending(path: ".ci")
    let steps = try String(contentsOf: folder.appending(path: "steps"), encoding: .utf8)
    // The three ways to run the steps, the record of a landing, and the script over the failures of many machines are no checks.
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where !["check", "run", "night", "steps", "passed.tsv", "merge-failures"].contains(name) {
      #expect(steps.contains("\".ci/\(name)"), ".ci/steps has no step that runs .ci/\(name).")
    }
  }

  @Test func `each assumption about a Mac names a step of its job and what a user reads`() throws {
    func text(_ path: String) throws -> String {
      try String(contentsOf: House.root.appending(path: path), encoding: .utf8)
    }
    func quoted(_ cell: Substring) -> [String] {
      cell.split(separator: "*", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
        .map { String($0.element) }
    }
    let job = try text(".github/workflows/ci.yml")
    let sources = try House.files.get().filter(\.isSource).map(\.text).joined()
    let rows = try text("CONTRIBUTING.md").split(separator: "\n").drop { !$0.hasPrefix("| assumption") }
      .dropFirst(2).prefix { $0.hasPrefix("|") }
    #expect(!rows.isEmpty)
    for row in rows {
      let cells = row.split(separator: "|")
      let steps = quoted(cells[3])
      #expect(!steps.isEmpty, "\(row)")
      for step in steps { #expect(job.contains("- name: \(step)\n"), "\(step)") }
      for sentence in quoted(cells[2]) { #expect(sources.contains(sentence), "\(sentence)") }
    }
  }

  @Test func `a file of 401 lines is too long`() {
    #expect(
      broken(.length, "Sources/Napkin/A.swift", String(repeating: "\n", count: 401)) == [
        "Sources/Napkin/A.swift: 401 lines"
      ]
    )
    #expect(broken(.length, "Sources/Napkin/A.swift", String(repeating: "\n", count: 400)) == [])
  }

  @Test func `a file without its licence is seen`() {
    #expect(broken(.licence, "Tests/NapkinTests/A.swift", "import Napkin\n").count == 1)
    #expect(broken(.licence, "Tests/NapkinTests/A.swift", "// SPDX-License-Identifier: Apache-2.0\n") == [])
  }

  @Test(arguments: [
    "await Task.yield()", "try await Task.sleep(for: .seconds(1))",
    "try await Task<Never, Never>.sleep(nanoseconds: 1)",
    "let id = UUID()", "var generator = SystemRandomNumberGenerator()", "arc4random()", "Int.random(in: 0..<3)",
    "Bool.random()",
    "UInt64.random(in: 0...9)", "names.shuffled()", "names.randomElement()", "Date()", "Date.now",
    "ContinuousClock.now",
    "ContinuousClock().now", "try await sleep(clock: .continuous)", "let word = \"\\(UUID())\"", "DispatchTime.now()",
  ])
  func `a source of chance is seen`(line: String) {
    #expect(broken(.chance, "Sources/NapkinTesting/Engine/Choices/A.swift", line).count == 1)
    #expect(broken(.chance, "Tests/NapkinTestingTests/A.swift", line) == [], "Tests may.")
  }

  @Test(arguments: [
    "// Task.sleep is virtual here.", "/* UUID() */", "let cause = \"Date() or UUID()\"",
    "let strategy = Strategy.random", "clock.sleep(until: deadline)", "let text = \"\"\"\n  Task.yield()\n  \"\"\"",
  ])
  func `a comment or a text may name a source of chance`(line: String) {
    #expect(broken(.chance, "Sources/NapkinTesting/Engine/Choices/A.swift", line) == [])
  }

  @Test(arguments: ["// MARK: - Helpers", "//  Created by somebody", "// ------------------"])
  func `a banner is seen`(line: String) {
    #expect(broken(.marks, "Sources/Napkin/A.swift", line).count == 1)
  }

  @Test(arguments: [
    "import NapkinTesting", "internal import NapkinTestingCRuntime", "import struct NapkinTesting.Gen",
    "import Testing",
  ])
  func `Napkin naming its tests is seen`(line: String) {
    #expect(broken(.moduleOrder, "Sources/Napkin/A.swift", line).count == 1)
    #expect(broken(.moduleOrder, "Sources/NapkinTesting/Checks/A.swift", line) == [])
  }

  @Test(arguments: ["import Napkin", "package import Napkin", "internal import class Napkin.Router"])
  func `an engine that imports Napkin is seen`(line: String) {
    #expect(broken(.engineImports, "Sources/NapkinTesting/Engine/Exploration/A.swift", line).count == 1)
    #expect(broken(.engineImports, "Sources/NapkinTesting/Fuzzing/A.swift", line) == [])
    #expect(
      broken(.engineImports, "Sources/NapkinTesting/Engine/Exploration/A.swift", "import NapkinTestingCRuntime") == [])
  }

  @Test func `a testable import outside NapkinTests is seen`() {
    #expect(broken(.testableImports, "Tests/NapkinTestingTests/A.swift", "@testable import Napkin").count == 1)
    #expect(broken(.testableImports, "Tests/NapkinTests/A.swift", "@testable import Napkin") == [])
  }

  @Test(arguments: [
    "nonisolated(unsafe) var count = 0", "final class A: @unchecked Sendable {}",
    "@_spi(Experimental) import _Concurrency", "dlsym(nil, name)", "@section(\".init_array\") let install = 0",
    "@exclusivity(unchecked) var count = 0", "@_silgen_name(\"free\") func free()", "unsafeBitCast(job, to: Int.self)",
  ])
  func `what the compiler cannot check is seen`(line: String) {
    #expect(broken(.unchecked, "Sources/Napkin/A.swift", line).count == 1)
  }

  @Test(arguments: [
    "/// Who waits.", "// nobody", "let text = \"a task was told\"", "/* It takes turns. */",
    "let a = \"\"\"\n  so many\n  \"\"\"",
  ])
  func `a word outside the glossary is seen in a comment or a text`(line: String) {
    #expect(broken(.words, "Sources/NapkinTesting/Doubles/A.swift", line).count == 1)
  }

  @Test(arguments: ["func tell() {}", "/// See `tell()`.", "/// The whole part.", "let who = 1"])
  func `code may use any word`(line: String) {
    #expect(broken(.words, "Sources/NapkinTesting/Doubles/A.swift", line) == [])
  }

  @Test func `a word outside the glossary is seen in the name of a test, and in any folder`() {
    for path in ["Sources/Napkin/Tree/A.swift", "Tests/NapkinTests/A.swift", "Fixtures/RibHouse/A.swift"] {
      #expect(broken(.words, path, "@Test func `a caller is told`() {}").count == 1)
      #expect(broken(.words, path, "@Test func `a caller is notified`() {}") == [])
    }
    #expect(broken(.words, "Sources/Napkin/Napkin.docc/A.md", "A child falls asleep.").count == 1)
  }

  @Test(arguments: ["/// What a task did.", "  // Those of the first.", "// Which one it is.", "/// One that waits."])
  func `a comment that does not begin with its subject is seen`(line: String) {
    #expect(broken(.subjects, "Sources/Napkin/Tree/A.swift", "let a = 1\n\(line)\n").count == 1)
    #expect(broken(.subjects, "Sources/Napkin/Tree/A.swift", "/// The tasks, and what they did.\n") == [])
  }

  @Test func `a name of a test with 81 characters is too long`() {
    let name = String(repeating: "a", count: 80)
    #expect(broken(.testNames, "Tests/NapkinTests/A.swift", "func `\(name)a`() {}").count == 1)
    #expect(broken(.testNames, "Tests/NapkinTests/A.swift", "func `\(name)`() {}") == [])
  }

  @Test(arguments: [
    ("1. `A.swift`, `a`: x\n2. `B.swift`, `b`: y", []),
    ("1. `C.swift`, `a`: x", ["CONTRIBUTING.md: there is no C.swift"]),
    ("1. `A.swift`, `b`: x", ["A.swift: does not declare b"]),
    ("1. `B.swift`, `b`: x\n2. `A.swift`, `a`: y", ["A.swift: no file before it uses a"]),
    ("1. `B.swift`, `b`: x\n1. `A.swift`, `a`: y", []),
    ("1. `C.c`, `c`: x\n2. `C.c`, `d`: y", ["C.c: does not declare d"]),
  ])
  func `a path of a test that is not that of the code is seen`(page: String, expected: [String]) {
    let files = [
      SourceFile(path: "CONTRIBUTING.md", text: page),
      SourceFile(path: "Sources/NapkinTesting/A.swift", text: "func a() { b() }"),
      SourceFile(path: "Sources/NapkinTesting/B.swift", text: "func b() {}"),
      SourceFile(path: "Sources/NapkinTesting/C.c", text: "int c(void) {\n  d();\n}"),
    ]
    #expect(StyleRule.paths.violations(files) == expected)
  }

  @Test func `a second file that asks for UIKit is seen`() {
    let asking = ["A", "B"].map {
      SourceFile(path: "Sources/Napkin/\($0).swift", text: "#if canImport(UIKit)\n#endif\n")
    }
    #expect(StyleRule.platform.violations(asking).count == 1)
    #expect(StyleRule.platform.violations([asking[0]]) == [])
  }

  @Test func `a name from a lower room is seen`() {
    let upper = SourceFile(
      path: "Sources/NapkinTesting/Doubles/A.swift",
      text: "func run(_ fuzzer: TreeFuzzer<Root>) {}"
    )
    let lower = SourceFile(path: "Sources/NapkinTesting/Fuzzing/B.swift", text: "public struct TreeFuzzer<Root> {}")
    #expect(
      StyleRule.layers.violations([upper, lower]) == [
        "Sources/NapkinTesting/Doubles/A.swift: names TreeFuzzer, which stands below it in Fuzzing"
      ]
    )
    let reversed = [
      SourceFile(path: "Sources/NapkinTesting/Doubles/A.swift", text: "@MainActor public final class TreeFuzzer {}"),
      SourceFile(path: "Sources/NapkinTesting/Fuzzing/B.swift", text: "func run(_ fuzzer: TreeFuzzer<Root>) {}"),
    ]
    #expect(StyleRule.layers.violations(reversed) == [])
  }

  @Test func `a name from a lower room of the engine is seen, and not one of the kit`() {
    let upper = SourceFile(path: "Sources/NapkinTesting/Engine/Choices/A.swift", text: "let a: Pump, b: TreeFuzzer")
    let lower = SourceFile(path: "Sources/NapkinTesting/Engine/Simulation/B.swift", text: "struct Pump {}")
    let kit = SourceFile(path: "Sources/NapkinTesting/Fuzzing/B.swift", text: "public struct TreeFuzzer {}")
    #expect(
      StyleRule.layers.violations([upper, lower, kit]) == [
        "Sources/NapkinTesting/Engine/Choices/A.swift: names Pump, which stands below it in Simulation"
      ]
    )
  }

  @Test func `a file outside the rooms is seen`() {
    #expect(broken(.layers, "Sources/NapkinTesting/Helpers.swift", "struct Helper {}").count == 1)
    #expect(broken(.layers, "Sources/NapkinTesting/Engine/Helpers.swift", "struct Helper {}").count == 1)
    #expect(broken(.layers, "Sources/NapkinTesting/Simulation/A.swift", "struct A {}").count == 1)
  }

  @Test(arguments: ["A.swift", "Helpers/A.swift", "Tree/More/A.swift"])
  func `a file outside the folders of Napkin is seen`(path: String) {
    #expect(broken(.rooms, "Sources/Napkin/\(path)", "struct A {}").count == 1)
    #expect(broken(.rooms, "Sources/Napkin/Tree/A.swift", "struct A {}") == [])
  }

  private func broken(_ rule: StyleRule, _ path: String, _ text: String) -> [String] {
    rule.violations([SourceFile(path: path, text: text)])
  }
}

private enum House {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Every Swift and C file, every article and every part of the page, of Sources, Tests and Fixtures, and the pages of the
  /// root.
  static let files = Result { try read() }

  private static let endings: Set<String> = ["swift", "c", "h", "html", "css", "js", "md"]

  /// Whether it is the code of a step of a tutorial, which is compiled among the tests.
  private static func isTutorial(_ file: URL) -> Bool { file.pathExtension == "swift" && file.path.contains(".docc/") }

  private static func read() throws -> [SourceFile] {
    let pages = ["CONTRIBUTING.md", "README.md", "CHANGELOG.md"].map { root.appending(path: $0) }
    let files = ["Sources", "Tests", "Fixtures"].flatMap { folder in
      // Builds are hidden, and links lead to files that are here anyway.
      FileManager.default.enumerator(
        at: root.appending(path: folder), includingPropertiesForKeys: [.isSymbolicLinkKey], options: .skipsHiddenFiles
      )?.compactMap { $0 as? URL }.filter { endings.contains($0.pathExtension) } ?? []
    }.filter { !isTutorial($0) }.sorted { $0.path < $1.path }
    return try (pages + files).map { file in
      SourceFile(
        path: String(file.path.dropFirst(root.path.count + 1)), text: try String(contentsOf: file, encoding: .utf8))
    }
  }
}
