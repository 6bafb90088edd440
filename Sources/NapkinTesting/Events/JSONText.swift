// SPDX-License-Identifier: Apache-2.0

/// Writes values as JSON that may stand in a page's script: no text can end the script or begin a comment.
enum JSONText {
  /// A string in quotes, with everything escaped that HTML or JavaScript would read as its own.
  static func string(_ value: String) -> String {
    var text = "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "<", ">", "&", "\u{2028}", "\u{2029}", "\u{0}"..."\u{1F}", "\u{7F}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  static func array(_ elements: [String]) -> String { "[" + elements.joined(separator: ",") + "]" }

  /// An object of values that are JSON already; those that are nil are left out.
  static func object(_ members: KeyValuePairs<String, String?>) -> String {
    let written = members.compactMap { name, value in value.map { "\(string(name)):\($0)" } }
    return "{" + written.joined(separator: ",") + "}"
  }
}
