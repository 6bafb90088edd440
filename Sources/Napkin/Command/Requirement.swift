// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A requirement of a protocol, read from the fragments of its declaration.
struct Requirement {
  enum Kind { case function, initializer, property, subscripting }

  struct Parameter {
    /// The label of the argument, or "_".
    var label: String
    /// The name in the body.
    var name: String
    /// The type as declared.
    var type: String

    /// The declaration, with the name in backticks if it is a keyword.
    var declaration: String {
      let name = Keywords.escaped(self.name)
      return (isSaidOnce ? name : "\(label) \(name)") + ": \(type)"
    }

    /// Whether one word is the name, and the label, too, but in a subscript.
    var isSaidOnce = false
  }

  let kind: Kind
  let name: String
  /// The attributes and modifiers before the keyword, such as "@MainActor" or "static".
  let modifiers: [String]
  /// The generic parameters with their angle brackets, or nothing.
  let generics: String
  let genericNames: [String]
  let parameters: [Parameter]
  let isAsync: Bool
  let isThrowing: Bool
  /// The type of the errors, where the requirement throws one type.
  let failure: String?
  /// The type of the result, or of the property.
  let output: String
  /// The same as declared.
  let spelledOutput: String
  /// The generic requirements behind "where", or nothing.
  let clause: String
  let isSettable: Bool

  var isStatic: Bool { modifiers.contains("static") }
  var isGeneric: Bool { !genericNames.isEmpty || parameters.contains { Words.of($0.type).contains("some") } }

  /// "?" or "!" of an initializer that may fail.
  let failing: String

  /// Where the source has it.
  let symbol: SymbolGraph.Symbol

  /// Reads a declaration as the compiler has printed it: on one line, without comments, with all constraints behind "where".
  ///
  /// A double has the associated types of the protocol, given by their names, as generic parameters, and is `Self`.
  init(_ symbol: SymbolGraph.Symbol, in graph: SymbolGraph, associatedTypes: [String], double: String) {
    self.symbol = symbol
    var text = graph.text(of: symbol)
    for name in associatedTypes {
      text = text.replacingOccurrences(of: "\\bSelf\\.\(name)\\b", with: name, options: .regularExpression)
    }
    text = text.replacingOccurrences(of: "\\bSelf\\b", with: double, options: .regularExpression)
    name = symbol.declarationFragments.first { $0.kind == "identifier" }?.spelling.filter { $0 != "`" } ?? "init"
    switch symbol.kind.identifier {
    case "swift.init": kind = .initializer
    case "swift.property", "swift.type.property": kind = .property
    case "swift.subscript", "swift.type.subscript": kind = .subscripting
    default: kind = .function
    }
    var rest = Substring(text)
    modifiers = Self.takeModifiers(&rest)
    // The name itself.
    if kind == .function || kind == .property { rest = rest.drop { $0 == "`" || !" :<(".contains($0) } }
    failing = kind == .initializer ? String(rest.dropFirst(4).prefix { "?!".contains($0) }) : ""
    if kind == .initializer || kind == .subscripting { rest = rest.drop { !"<(".contains($0) } }
    (generics, genericNames) = Self.takeGenerics(&rest)
    parameters = kind == .property ? [] : Self.takeParameters(&rest)
    var (head, braces) = Self.splitBraces(String(rest))
    clause = Self.takeClause(&head)
    let effects: String
    var type = "Void"
    if kind == .property {
      type = head.drop { ": ".contains($0) }.trimmed
      effects = braces
    } else {
      let parts = head.splitTopLevel(at: "->")
      effects = (parts.first ?? "") + braces
      if parts.count > 1 { type = parts.dropFirst().joined(separator: "->").trimmed }
    }
    // An implicitly unwrapped optional is no argument of a generic type.
    spelledOutput = type
    output = type.hasSuffix("!") ? type.dropLast() + "?" : type
    isAsync = Words.of(effects).contains("async")
    let thrown = effects.range(of: "throws(").map { range in
      String(effects[range.upperBound...].balancedPrefix)
    }
    isThrowing = Words.of(effects).contains("throws") && thrown.map { Words.of($0).last } != "Never"
    failure = thrown.flatMap { Words.of($0).last == "Never" || $0.hasPrefix("any ") ? nil : $0 }
    isSettable = Words.of(braces).contains("set")
  }

  private static func takeModifiers(_ rest: inout Substring) -> [String] {
    var modifiers: [String] = []
    while true {
      let word = rest.prefix { !" (<?!".contains($0) }
      if ["func", "var", "init", "subscript"].contains(word) || word.isEmpty {
        if word == "func" || word == "var" { rest = rest.dropFirst(word.count + 1) }
        return modifiers
      }
      // A modifier may have an argument, such as nonisolated(nonsending).
      var taken = word
      if rest.dropFirst(word.count).first == "(" {
        let argument = rest.dropFirst(word.count + 1).balancedPrefix
        taken = rest.prefix(word.count + argument.count + 2)
      }
      modifiers.append(String(taken))
      rest = rest.dropFirst(taken.count).drop { $0 == " " }
    }
  }

  private static func takeGenerics(_ rest: inout Substring) -> (String, [String]) {
    guard rest.first == "<" else { return ("", []) }
    let inside = rest.dropFirst().balancedPrefix
    rest = rest.dropFirst(inside.count + 2)
    let names = String(inside).splitTopLevel(at: ",").map { part in
      // The name of a pack, or of a number, has a keyword before it.
      let words = Words.of(part)
      return ["each", "let"].contains(words.first) && words.count > 1 ? words[1] : words.first ?? ""
    }
    return ("<\(inside)>", names)
  }

  private static func takeParameters(_ rest: inout Substring) -> [Parameter] {
    guard rest.first == "(" else { return [] }
    let inside = rest.dropFirst().balancedPrefix
    rest = rest.dropFirst(inside.count + 2)
    return String(inside).splitTopLevel(at: ",").filter { !$0.trimmed.isEmpty }.enumerated().map { number, part in
      let colon = part.firstIndex(of: ":") ?? part.endIndex
      // An attribute, such as a result builder, is for those that call by the protocol.
      let names = part[..<colon].split(separator: " ").map { String($0.filter { $0 != "`" }) }
        .filter { !$0.hasPrefix("@") }
      let type = part[colon...].dropFirst().trimmed
      let label = names.first ?? "_"
      let name = names.last ?? "_"
      let isSaidOnce = names.count == 1 && name != "_"
      return Parameter(
        label: label, name: name == "_" ? "value\(number + 1)" : name, type: type, isSaidOnce: isSaidOnce)
    }
  }

  private static func splitBraces(_ text: String) -> (String, String) {
    guard let brace = text.lastIndex(of: "{") else { return (text, "") }
    return (String(text[..<brace]), String(text[brace...]))
  }

  private static func takeClause(_ head: inout String) -> String {
    guard let range = head.range(of: " where ") else { return "" }
    let clause = head[range.lowerBound...].trimmed
    head = String(head[..<range.lowerBound])
    return " " + clause
  }
}

/// The words that the compiler would take for something else as the name of a parameter or a case.
enum Keywords {
  private static let all: Set<String> = [
    "associatedtype", "as", "await", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do",
    "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in",
    "init",
    "inout", "internal", "is", "let", "nil", "operator", "private", "protocol", "public", "repeat", "rethrows",
    "return",
    "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var",
    "where", "while", "Any", "Self", "Type",
  ]

  static func escaped(_ name: String) -> String { all.contains(name) ? "`\(name)`" : name }
}

/// The words of a text, in the sense of Swift's identifiers.
enum Words {
  static func of(_ text: String) -> [String] {
    text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
  }
}

extension StringProtocol {
  var trimmed: String {
    var text = Substring(self)
    while text.first == " " { text = text.dropFirst() }
    while text.last == " " { text = text.dropLast() }
    return String(text)
  }

  /// Up to the bracket that closes one before the beginning.
  var balancedPrefix: Substring {
    var depth = 0
    var previous: Character = " "
    let text = Substring(self)
    for index in text.indices {
      let character = text[index]
      if "([{<".contains(character) { depth += 1 }
      // The head of an arrow closes nothing.
      if ")]}".contains(character) || (character == ">" && previous != "-") {
        if depth == 0 { return text[..<index] }
        depth -= 1
      }
      previous = character
    }
    return text
  }
}

extension String {
  /// The parts between separators that are in no brackets.
  func splitTopLevel(at separator: String) -> [String] {
    var parts: [String] = []
    var current = ""
    var depth = 0
    var rest = Substring(self)
    while let character = rest.first {
      if depth == 0, rest.hasPrefix(separator) {
        parts.append(current)
        current = ""
        rest = rest.dropFirst(separator.count)
        continue
      }
      if "([{<".contains(character) { depth += 1 }
      if ")]}".contains(character) || (character == ">" && current.last != "-") { depth -= 1 }
      current.append(character)
      rest = rest.dropFirst()
    }
    return parts + [current]
  }
}
