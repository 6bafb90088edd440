// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A page of the documentation, with its fenced blocks.
struct Page: Sendable, CustomStringConvertible {
  static let root = URL(filePath: #filePath).appending(path: "../../../..").standardized

  /// Every page whose code a reader may copy.
  static let all = Result {
    try ["Sources/Napkin/Napkin.docc", "Sources/NapkinTesting/NapkinTesting.docc"]
      .flatMap { folder in
        try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)
          .filter { $0.hasSuffix(".md") }.sorted().map { try Page("\(folder)/\($0)") }
      } + [Page("README.md")]
  }

  /// The code of each step of a tutorial, without its licence tag.
  static let steps = Result {
    try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: "Sources").path)
      .filter { $0.hasSuffix(".swift") && $0.contains(".docc/") }.sorted()
      .map { try Page("Sources/\($0)") }
      .map { Page(path: $0.path, text: String($0.text.drop { !$0.isNewline }.dropFirst())) }
  }

  /// The doc comments of each source file that shows code, as pages.
  static let comments = Result {
    try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: "Sources").path)
      .filter { $0.hasSuffix(".swift") && !$0.contains(".docc/") }.sorted()
      .map { Page(commentsOf: try Page("Sources/\($0)")) }.filter { !$0.blocks("swift").isEmpty }
  }

  let path: String
  let text: String

  /// A page of the texts after three slashes.
  init(commentsOf source: Page) {
    let lines = source.text.split(separator: "\n").compactMap { line -> Substring? in
      let line = line.drop { $0 == " " }
      return line.hasPrefix("///") ? line.dropFirst(line.hasPrefix("/// ") ? 4 : 3) : nil
    }
    self.init(path: source.path, text: lines.joined(separator: "\n"))
  }

  init(_ path: String) throws {
    self.init(path: path, text: try String(contentsOf: Self.root.appending(path: path), encoding: .utf8))
  }

  init(path: String, text: String) {
    self.path = path
    self.text = text
  }

  var description: String { path }

  /// The texts between the fences of one language; of none, for the output of a tool.
  func blocks(_ language: String) -> [String] {
    var blocks: [String] = []
    var open: (language: String, lines: [Substring])?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        if let block = open {
          if block.language == language { blocks.append(block.lines.joined(separator: "\n")) }
          open = nil
        } else {
          open = (String(line.dropFirst(3)), [])
        }
      } else {
        open?.lines.append(line)
      }
    }
    return blocks
  }
}

/// The sources that this package and its fixtures compile, as a snippet is looked up in them.
struct CompiledCode: Sendable {
  private let words: String

  /// Tests and fixtures: each of their targets is built by `.ci/run`.
  static let here = Result {
    CompiledCode(
      try ["Tests", "Fixtures/RibHouse/Sources", "Fixtures/RibHouse/Tests"].flatMap { folder in
        try FileManager.default.subpathsOfDirectory(atPath: Page.root.appending(path: folder).path)
          .filter { $0.hasSuffix(".swift") }.sorted()
          .map { try String(contentsOf: Page.root.appending(path: "\(folder)/\($0)"), encoding: .utf8) }
      }.joined(separator: "\n"))
  }

  init(_ text: String) { words = Self.words(text) }

  func contains(_ snippet: String) -> Bool { words.contains(Self.words(snippet)) }

  /// Without its spaces, since a snippet may be indented differently in its page, and without imports, since it may stand
  /// in the middle of a file.
  private static func words(_ text: String) -> String {
    text.split(separator: "\n").filter { !$0.hasPrefix("import ") }
      .flatMap { $0.split(whereSeparator: \.isWhitespace) }.joined(separator: " ")
  }
}
