// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A file of `Templates`, with placeholders such as `__Name__`, and lines that begin with `//%`.
///
/// `//% if FLAG`, `//% else` and `//% end` keep or drop the lines between them; `//% each child` repeats them, and
/// `//% first child` has them once, if there is a child.
struct Template {
  let name: String
  private let lines: [Substring]

  init(_ name: String) throws {
    self.name = name
    // A plugin is compiled where it lies, on the machine that runs it.
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let text = try String(contentsOf: folder.appending(path: "Templates/\(name).swift.template"), encoding: .utf8)
    // The licence is the template's. A file made from it belongs to the user.
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).drop {
      $0.hasPrefix("//") && !$0.hasPrefix("//%")
    }
    .map { $0 }
  }

  /// Fills the template in.
  func text(flags: Set<String>, children: [String], values: [String: String]) throws -> String {
    var rest = lines[...]
    let kept = try block(&rest, flags: flags, children: children, child: nil)
    guard rest.isEmpty else { throw Mistake("\(name).swift: \"//% end\" ends nothing.") }
    let text = values.reduce(tidied(kept)) { $0.replacing("__\($1.key)__", with: $1.value) }
    if let left = text.firstMatch(of: /__(Name|Child|child|Module|comma)__/) {
      throw Mistake("\(name).swift: \(left.output.0) has no value.")
    }
    return text
  }

  /// Reads up to the end of a block, and leaves that in `rest`.
  private func block(
    _ rest: inout ArraySlice<Substring>, flags: Set<String>, children: [String], child: Int?
  ) throws -> [String] {
    var kept: [String] = []
    while let line = rest.first {
      guard let directive = directive(line) else {
        rest.removeFirst()
        kept.append(child.map { fill(line, children: children, child: $0) } ?? String(line))
        continue
      }
      switch directive.first {
      case "if" where directive.count == 2:
        rest.removeFirst()
        let yes = try block(&rest, flags: flags, children: children, child: child)
        var no: [String] = []
        if rest.first.flatMap(self.directive) == ["else"] {
          rest.removeFirst()
          no = try block(&rest, flags: flags, children: children, child: child)
        }
        try end(&rest)
        kept += flags.contains(directive[1]) ? yes : no
      case "each" where directive == ["each", "child"], "first" where directive == ["first", "child"]:
        rest.removeFirst()
        let body = rest
        // Read once even if there is no child, to find its end.
        var after = body
        _ = try block(&after, flags: flags, children: children, child: nil)
        for child in children.indices.prefix(directive[0] == "each" ? children.count : 1) {
          var copy = body
          kept += try block(&copy, flags: flags, children: children, child: child)
        }
        rest = after
        try end(&rest)
      case "else", "end":
        return kept
      default:
        throw Mistake("\(name).swift: \"\(line)\" is no directive.")
      }
    }
    return kept
  }

  private func directive(_ line: Substring) -> [String]? {
    let line = line.drop { $0 == " " }
    return line.hasPrefix("//%") ? line.dropFirst(3).split(separator: " ").map(String.init) : nil
  }

  private func end(_ rest: inout ArraySlice<Substring>) throws {
    guard rest.popFirst().flatMap(directive) == ["end"] else { throw Mistake("\(name).swift: \"//% end\" is missing.") }
  }

  private func fill(_ line: Substring, children: [String], child: Int) -> String {
    String(line).replacing("__Child__", with: children[child])
      .replacing("__child__", with: TypeName.asProperty(children[child]))
      .replacing("__comma__", with: child == children.indices.last ? "" : ",")
  }

  /// Blocks that were dropped leave blank lines behind.
  private func tidied(_ lines: [String]) -> String {
    var kept: [String] = []
    for line in lines {
      if line.drop(while: { $0 == " " }).hasPrefix("}"), kept.last == "" { kept.removeLast() }
      if line.drop(while: { $0 == " " }) == "}", let last = kept.last, last.hasSuffix("{") {
        kept[kept.count - 1] = last + "}"
        continue
      }
      if line.isEmpty, kept.last.map({ $0.isEmpty || $0.hasSuffix("{") }) ?? true { continue }
      kept.append(line)
    }
    while kept.last == "" { kept.removeLast() }
    return kept.joined(separator: "\n") + "\n"
  }
}
