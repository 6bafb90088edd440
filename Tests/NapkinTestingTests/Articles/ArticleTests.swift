// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite struct ArticleTests {
  @Test(arguments: try Page.all.get())
  func `every snippet of a page is compiled`(page: Page) throws {
    // `.ci/apple-typecheck` compiles it as a whole, against UIKit, which is not here.
    if page.text.contains("\n<!-- Its code needs UIKit. -->\n") { return }
    let code = try CompiledCode.here.get()
    for snippet in page.blocks("swift") where !Self.isManifest(snippet) {
      let isCompiled = code.contains(snippet)
      #expect(
        isCompiled, "This is in no file that is compiled; put it into Tests/NapkinTestingTests/Articles:\n\(snippet)")
    }
  }

  @Test(arguments: try Page.comments.get())
  func `every snippet of a doc comment is compiled`(page: Page) throws {
    let code = try CompiledCode.here.get()
    for snippet in page.blocks("swift") {
      let isCompiled = code.contains(snippet)
      #expect(isCompiled, "This is in no file that is compiled; put it into DocCommentSnippets.swift:\n\(snippet)")
    }
  }

  @Test(arguments: try Page.steps.get())
  func `every step of a tutorial is compiled`(step: Page) throws {
    let code = try CompiledCode.here.get()
    for declaration in step.text.split(separator: #/\n\n(?=\S)/#).map(String.init)
    where !declaration.hasPrefix("import ") {
      let isCompiled = code.contains(declaration)
      #expect(isCompiled, "This is in no file of Tests/NapkinTestingTests/Articles:\n\(declaration)")
    }
  }

  @Test func `there are pages with snippets`() throws {
    #expect(try Page.steps.get().count >= 10)
    #expect(try Page.all.get().count { !$0.blocks("swift").isEmpty } > 10)
    #expect(try Page.comments.get().count > 10)
  }

  @Test func `a snippet that is not compiled is reported, and indentation does not matter`() {
    let code = CompiledCode("struct A {\n    func b() {\n      c()\n    }\n}")
    #expect(code.contains("func b() {\n  c()\n}"))
    #expect(!code.contains("func b() {\n  d()\n}"))
  }

  @Test func `blocks are distinguished by their language`() {
    let page = Page(path: "A.md", text: "```swift\na\n\nb\n```\ntext\n```\nc\n```\n```bash\nd\n```\n")
    #expect(page.blocks("swift") == ["a\n\nb"])
    #expect(page.blocks("") == ["c"])
  }

  @Test(arguments: try Page.all.get())
  func `no page is wider than 120 columns, but for its tables`(page: Page) {
    var isOutput = false
    for line in page.text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") { isOutput.toggle() }
      // A link cannot be broken.
      if isOutput || line.hasPrefix("|") || line.split(separator: " ").count < 3 { continue }
      #expect(line.count <= 120, "\(line)")
    }
  }

  /// A part of a package's manifest: `.ci/first-steps` makes a package of it.
  private static func isManifest(_ snippet: String) -> Bool { snippet.contains(".package(") }
}
