// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite struct TestingANapkinArticleTests {
  @Test func `every snippet of the article is one of the recipes`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
    let article = try String(
      contentsOf: root.appending(path: "Sources/NapkinTesting/NapkinTesting.docc/TestingANapkin.md"), encoding: .utf8)
    let recipes = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "TestingANapkinTests.swift")
    let code = Self.words(try String(contentsOf: recipes, encoding: .utf8))
    let snippets = article.components(separatedBy: "```swift\n").dropFirst().map {
      $0.components(separatedBy: "```")[0]
    }
    #expect(snippets.count > 10)
    for snippet in snippets { #expect(code.contains(Self.words(snippet)), "\(snippet)") }
  }

  /// Without its spaces, since the snippets are indented differently here.
  private static func words(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
