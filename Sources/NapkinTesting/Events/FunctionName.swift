// SPDX-License-Identifier: Apache-2.0

/// A function as a reader of a report knows it, made from what the runtime calls it.
///
/// `(2) suspend resume partial function for Bank.Account.withdraw(_: Swift.Int) async -> ()` is `Account.withdraw(_:)`.
package struct FunctionName: Sendable, Equatable {
  /// The module that declares it.
  package let module: String

  /// The type or the extension that it stands in, without what is around that; nil for a free function.
  package let type: String?

  /// The name with its labels; that of a closure is "closure in" the function that writes it.
  package let member: String

  /// The name as it is shown, such as `Account.withdraw(_:)`.
  package var text: String {
    guard let type else { return member }
    return member.hasPrefix(Self.closure)
      ? Self.closure + type + "." + member.dropFirst(Self.closure.count)
      : type + "." + member
  }

  private static let closure = "closure in "

  /// Reads a demangled symbol; nil for what no reader has written, such as a thunk.
  package init?(demangled symbol: String) {
    guard !symbol.contains("thunk"), !symbol.contains("$s") else { return nil }
    var text = symbol[...]
    for marker in [" resume partial function for ", "partial apply forwarder for ", " of generic specialization "] {
      if let range = text.firstRange(of: marker) { text = text[range.upperBound...] }
    }
    if let range = text.firstRange(of: " in conformance ") { text = text[..<range.lowerBound] }
    if text.hasPrefix("protocol witness for ") { text = text.dropFirst("protocol witness for ".count) }
    let chain = Self.split(text, at: " in ")
    guard var outer = chain.last else { return nil }
    for word in ["variable initialization expression of ", "static "] where outer.hasPrefix(word) {
      outer = outer.dropFirst(word.count)
    }
    guard let (path, labels) = Self.declaration(outer), path.count > 1, let name = path.last else { return nil }
    module = path[0]
    type = path.count > 2 ? path[path.count - 2] : nil
    // A local function has a name of its own, as `inner #1 () -> ()`; the name of a closure is where it stands.
    let local = chain.dropLast().first { !$0.hasPrefix("closure #") && !$0.hasPrefix("implicit closure #") }
    let isClosure = chain.count > 1 && chain.first != local
    let function = local.flatMap { $0.firstRange(of: " #").map { range in "\(local![..<range.lowerBound])()" } }
    member = (isClosure ? Self.closure : "") + (function ?? name + labels)
  }

  /// The parts of a declaration's path without private discriminators and generic arguments, and the labels.
  private static func declaration(_ text: Substring) -> (path: [String], labels: String)? {
    var path: [String] = []
    var name = ""
    var rest = text
    while let character = rest.first {
      switch character {
      case "`":
        guard let end = rest.dropFirst().firstIndex(of: "`") else { return nil }
        name += rest[rest.index(after: rest.startIndex)..<end]
        rest = rest[rest.index(after: end)...]
      case "<":
        rest = rest.dropFirst(inner(rest).count + 2)
      case ".":
        path.append(name)
        name = ""
        rest = rest.dropFirst()
      case "(" where rest.hasPrefix("(extension in "):
        // The module that extends is told before the type's own, which stands behind the colon.
        rest = rest.dropFirst(inner(rest).count + 3)
      case "(" where isPrivateName(inner(rest)):
        let group = inner(rest)
        name += group.prefix { $0 != " " }
        rest = rest.dropFirst(group.count + 2)
      case "(":
        path.append(name)
        return (accessed(path), labels(inner(rest)))
      case " ", "@":
        // A property's type, or an attribute of a private function's type.
        path.append(name)
        guard character == "@", let start = rest.firstIndex(of: "(") else { return (accessed(path), "") }
        return (accessed(path), labels(inner(rest[start...])))
      default:
        name.append(character)
        rest = rest.dropFirst()
      }
    }
    path.append(name)
    return (accessed(path), "")
  }

  /// Whether a group is a name and the discriminator of its file, as `withdraw in _69FC2087C69EEF6AB78FC934090BA353`.
  private static func isPrivateName(_ group: Substring) -> Bool {
    guard let range = group.firstRange(of: " in _") else { return false }
    return !group[..<range.lowerBound].contains { ".,:( ".contains($0) }
      && group[range.upperBound...].allSatisfy(\.isHexDigit)
  }

  /// A property's accessor is told as the property.
  private static func accessed(_ path: [String]) -> [String] {
    let accessors = ["getter", "setter", "read", "modify", "read2", "modify2"]
    guard path.count > 2, let last = path.last, accessors.contains(last) else { return path }
    return path.dropLast()
  }

  private static func labels(_ arguments: Substring) -> String {
    if arguments.isEmpty { return "()" }
    let labels = split(arguments, at: ", ").map { argument -> Substring in
      let label = argument.prefix { $0 != ":" && $0 != " " && $0 != "." && $0 != "<" }
      return argument.dropFirst(label.count).first == ":" ? label : "_"
    }
    return "(\(labels.map { "\($0):" }.joined()))"
  }

  /// What stands between the bracket that a text opens with and the one that closes it.
  private static func inner(_ text: Substring) -> Substring {
    var depth = 0
    var previous: Character = " "
    for index in text.indices {
      let character = text[index]
      if character == "(" || character == "<" { depth += 1 }
      // The arrow of a function type closes nothing.
      if character == ")" || (character == ">" && previous != "-") { depth -= 1 }
      if depth == 0 { return text[text.index(after: text.startIndex)..<index] }
      previous = character
    }
    return text.dropFirst()
  }

  /// Cuts a text wherever a separator stands outside of brackets and raw identifiers.
  private static func split(_ text: Substring, at separator: String) -> [Substring] {
    var parts: [Substring] = []
    var depth = 0
    var isRaw = false
    var previous: Character = " "
    var start = text.startIndex
    var index = text.startIndex
    while index < text.endIndex {
      let character = text[index]
      if character == "`" { isRaw.toggle() }
      if !isRaw {
        if character == "(" || character == "<" { depth += 1 }
        if character == ")" || (character == ">" && previous != "-") { depth -= 1 }
        if depth == 0, text[index...].hasPrefix(separator) {
          parts.append(text[start..<index])
          index = text.index(index, offsetBy: separator.count)
          start = index
          previous = " "
          continue
        }
      }
      previous = character
      index = text.index(after: index)
    }
    parts.append(text[start...])
    return parts
  }
}
