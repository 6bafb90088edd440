// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// The folder that `NAPKIN_REPORT_DIR` names, where the page of each failure is written, and beside it the same as JSON.
///
/// No file is overwritten. A failure that an earlier run has written already is the same file, so a second run adds none.
package struct ReportFolder: Sendable {
  private let path: String

  /// Pages that would have one name are numbered up to this.
  private static let mostNamesakes = 100

  package init(path: String) { self.path = path }

  /// The folder of this process, if one is asked for.
  static var current: ReportFolder? {
    guard let path = Environment["NAPKIN_REPORT_DIR"], !path.isEmpty else {
      return nil
    }
    return ReportFolder(path: path)
  }

  /// Writes a page.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - test: The test, with its arguments.
  ///   - token: The token of the failure.
  ///   - message: One line of the failure's message, for the list of all pages.
  /// - Returns: A remark for the report: where the page is, or why it is nowhere.
  package func write(_ page: String, test: String, token: String, message: String = "") -> String {
    guard napkin_make_folders(path) else { return failed("\(path) is not a folder, and cannot be made one") }
    let name = Self.name(test: test, token: token)
    for number in 1...Self.mostNamesakes {
      let file = "\(path)/\(name)\(number == 1 ? "" : "-\(number)").html"
      if napkin_create_file(file, page, page.utf8.count) {
        let data = HTMLPage.data(in: page).map(String.init) ?? ""
        _ = napkin_create_file(String(file.dropLast(4)) + "json", data, data.utf8.count)
        list("\(name)\(number == 1 ? "" : "-\(number)").html", test: test, token: token, message)
        return "Page: \(file)"
      }
      if Self.isSame(page, file) { return "Page: \(file)" }
      guard napkin_file_exists(file) else { return failed("\(file) cannot be written") }
    }
    return failed("\(path) has \(Self.mostNamesakes) other pages of this name")
  }

  /// Adds a page to the list of all, which is made with the first one.
  private func list(_ page: String, test: String, token: String, _ message: String) {
    let index = "\(path)/\(Self.indexName)"
    let head = """
      <!doctype html>
      <html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
      <title>✘ Failures</title>
      <style>:root { color-scheme: light dark; } body { font: 15px/1.5 system-ui, sans-serif; margin: 1rem; } li { margin: .4rem 0; \
      overflow-wrap: anywhere; }</style>
      <h1>✘ Failures</h1>
      <ol>

      """
    _ = napkin_create_file(index, head, head.utf8.count)
    let said = message.isEmpty ? "" : "<br>\(HTMLPage.escape(message))"
    let line = """
      <li><a href="\(HTMLPage.escape(page))">\(HTMLPage.escape(test))</a>\(said)<br>\
      <code>\(HTMLPage.escape(token))</code></li>

      """
    _ = napkin_append_file(index, line, line.utf8.count)
  }

  /// The list of the pages of a folder.
  package static let indexName = "index.html"

  /// A name without anything that a file system could mind, from the test and the replay token.
  package static func name(test: String, token: String) -> String {
    var slug = ""
    for character in test.unicodeScalars where slug.utf8.count < 100 {
      let isPlain = character.isASCII && (character.properties.isAlphabetic || character.properties.numericType != nil)
      if isPlain { slug.unicodeScalars.append(character) } else if !slug.hasSuffix("-"), !slug.isEmpty { slug += "-" }
    }
    if slug.hasSuffix("-") { slug.removeLast() }
    // Two tests with one slug have different files; the token itself may be longer than a file name.
    return "\(slug.isEmpty ? "failure" : slug)-\("\(test)\n\(token)".stableHash)"
  }

  /// Whether a file has the page of the same execution; the rest of the page may differ from run to run.
  private static func isSame(_ page: String, _ file: String) -> Bool {
    let text = String(decoding: [UInt8](ofFile: file, most: page.utf8.count + 65_536), as: UTF8.self)
    guard let new = HTMLPage.data(in: page), let old = HTMLPage.data(in: text) else { return false }
    // A virtual time may be a millisecond off, since a body sets its timers in real time.
    let time = #/"time":"[^"]*"/#
    return new.replacing(time, with: "") == old.replacing(time, with: "")
  }

  private func failed(_ reason: String) -> String {
    "No page was written to NAPKIN_REPORT_DIR: \(reason). Set it to a folder that can be written, or unset it."
  }
}
