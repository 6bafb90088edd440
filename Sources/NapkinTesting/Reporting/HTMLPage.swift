// SPDX-License-Identifier: Apache-2.0

package import Testing

/// A failure as one page that needs nothing but a browser: the lanes, the tree beside them, and the keyboard to walk.
///
/// It is one file without any address in it, and its policy forbids the browser to fetch anything. Texts of the test are
/// escaped, in the markup and in the data of the script.
package struct HTMLPage: Sendable {
  let failure: Exploration.Failure
  let title: String
  let limit: Int

  /// The test, as a filter finds it and where it is; nil where none is known.
  package var test: (filter: String, location: SourceLocation)?

  /// Makes the page of a failure.
  ///
  /// - Parameters:
  ///   - failure: The failure, and what happened in it.
  ///   - title: What the page is called, such as the name of the test.
  ///   - limit: How many events have a row, the last ones; a note counts those before them.
  package init(of failure: Exploration.Failure, title: String, limit: Int = 2_000) {
    self.failure = failure
    self.title = title
    self.limit = max(1, limit)
  }

  var log: EventLog { failure.log }

  /// The page, to be written to a file.
  package var text: String {
    Self.fill(Self.resource(PackageResources.page_html)) { name in
      switch name {
      case "title": Self.escape(title)
      case "style": Self.resource(PackageResources.page_css)
      case "summary": Self.escape(failure.summary)
      case "provenance":
        Self.escape(([failure.provenance] + failure.explanation.explanation + failure.remarks).joined(separator: " "))
      case "token": Self.escape(failure.schedule)
      case "note": note
      case "command": command
      case "place": place
      case "text": Self.escape(failure.report)
      case "sequence": Self.escape(Mermaid.sequenceDiagram(of: log))
      case "tree": Self.escape(Mermaid.tree(of: log))
      case "data": data
      case "script": Self.resource(PackageResources.page_js)
      default: nil
      }
    }
  }

  private static func resource(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  /// Replaces each `{{name}}` of a template by its value, in one pass: a value that contains `{{` stays as it is.
  static func fill(_ template: String, _ value: (Substring) -> String?) -> String {
    var filled = ""
    var rest = template[...]
    while let open = rest.firstRange(of: "{{"), let close = rest[open.upperBound...].firstRange(of: "}}") {
      filled += rest[..<open.lowerBound]
      filled += value(rest[open.upperBound..<close.lowerBound]) ?? String(rest[open.lowerBound..<close.upperBound])
      rest = rest[close.upperBound...]
    }
    return filled + rest
  }

  private var command: String {
    guard let test else { return "" }
    let quoted = test.filter.replacing("'", with: "'\\''")
    let command = "NAPKIN_REPLAY=\(failure.schedule) swift test --filter '\(quoted)'"
    return "<button class=\"copy\" type=\"button\" data-copy=\"\(Self.escape(command))\">Copy command</button>"
  }

  private var place: String {
    guard let location = test?.location else { return "" }
    let path = location.filePath
    let address = Self.editor.replacing("{path}", with: path).replacing("{line}", with: "\(location.line)")
    let text = Self.escape("\(location.fileID):\(location.line)")
    return "<p>Test: <a href=\"\(Self.escape(address))\">\(text)</a></p>\n"
  }

  private var note: String {
    if omitted == 0 { return "" }
    return """
      <p><strong>This page shows the last \(limit) events.</strong> \(omitted) earlier \(omitted == 1 ? "one is" : "ones are") \
      left out; the tree takes them into account.</p>

      """
  }

  /// Writes what HTML would read as its own as entities.
  static func escape(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case "\u{0}"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}", "\u{7F}": escaped += "�"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
