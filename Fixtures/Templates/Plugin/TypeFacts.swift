// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What can be known of the types in a protocol from the symbol graph alone.
struct TypeFacts {
  /// An argument as it is recorded.
  struct Payload {
    let name: String
    let type: String
    let expression: String
    let isComparable: Bool
    /// Whether it names a type of the module, which may be on the main actor by default, and its conformances with it.
    let isOfModule: Bool
  }

  private let graph: SymbolGraph
  private let associated: [String: String]

  /// Types of other modules that are compared by value.
  private static let comparable: Set<String> = [
    "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double", "Float", "Bool",
    "String", "Character", "Substring", "Duration", "Data", "Date", "URL", "UUID", "Decimal", "Optional", "Array",
    "Set",
    "Dictionary", "Swift", "Foundation", "ObjectIdentifier",
  ]
  private static let numbers: Set<String> = [
    "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double", "Float",
  ]

  init(_ graph: SymbolGraph, associated: [SymbolGraph.Symbol]) {
    self.graph = graph
    self.associated = Dictionary(
      associated.map { ($0.pathComponents.last ?? "", $0.declarationFragments.map(\.spelling).joined()) },
      uniquingKeysWith: { first, _ in first })
  }

  /// `associatedtype Item : Sendable` as the generic parameter of a double.
  static func genericParameter(_ symbol: SymbolGraph.Symbol) -> String {
    let text = symbol.declarationFragments.map(\.spelling).joined().replacing("associatedtype ", with: "")
    let head = text.splitTopLevel(at: "=").first?.splitTopLevel(at: " where ").first ?? text
    return head.replacing(" : ", with: ": ").replacing(", ", with: " & ").trimmed
  }

  /// The modules of the types that the requirements name, from the compiler's identifiers such as "s:10Foundation3URLV".
  static func modules(of symbols: [SymbolGraph.Symbol], besides own: String) -> [String] {
    var modules: Set<String> = []
    for precise in symbols.flatMap(\.declarationFragments).compactMap(\.preciseIdentifier) where precise.hasPrefix("s:")
    {
      let rest = precise.dropFirst(2)
      let digits = rest.prefix { $0.isNumber }
      guard let count = Int(digits), count > 0 else { continue }
      let name = String(rest.dropFirst(digits.count).prefix(count))
      // Foundation is in parts, of which a file imports the whole.
      modules.insert(name.hasPrefix("Foundation") ? "Foundation" : name)
    }
    return modules.subtracting([own, "Swift", "_Concurrency"]).sorted()
  }

  /// The arguments that can be recorded: those whose type is known to be `Sendable`, or taken to be.
  func payload(of requirement: Requirement) -> [Payload] {
    requirement.parameters.compactMap { parameter in
      guard let type = recorded(parameter.type, requirement) else { return nil }
      let name = parameter.name
      return Payload(
        name: name, type: type, expression: Keywords.escaped(name), isComparable: isComparable(type),
        isOfModule: isOfModule(type))
    }
  }

  private func recorded(_ declared: String, _ requirement: Requirement) -> String? {
    var type = declared
    var isVariadic = false
    if type.hasSuffix("...") {
      type = String(type.dropLast(3))
      isVariadic = true
    }
    let skipped = ["@escaping ", "@autoclosure ", "inout ", "borrowing ", "consuming ", "sending ", "@isolated(any) "]
    while let prefix = skipped.first(where: type.hasPrefix) {
      if prefix == "@autoclosure " { return nil }
      type = String(type.dropFirst(prefix.count))
    }
    if type.contains("->") {
      guard type.contains("@Sendable") || type.contains("@MainActor") else { return nil }
      return type.hasPrefix("(") && type.hasSuffix("?") ? type : "(\(type))"
    }
    let words = Set(Words.of(type))
    if words.contains("Self") || words.contains("isolated") { return nil }
    if words.contains("some") { return words.contains("Sendable") ? "any Sendable" : nil }
    if !words.isDisjoint(with: requirement.genericNames) {
      guard let name = requirement.genericNames.first(where: { $0 == type }) else { return nil }
      let constraints = requirement.generics + requirement.clause
      return isSendable(name, by: constraints) ? "any Sendable" : nil
    }
    for word in words {
      if let declaration = associated[word], !declaration.contains("Sendable") { return nil }
      if !isSendableInModule(word) { return nil }
    }
    return isVariadic ? "[\(type)]" : type
  }

  private func isSendable(_ name: String, by constraints: String) -> Bool {
    constraints.range(of: "\\b\(name) ?: [^,>]*Sendable", options: .regularExpression) != nil
  }

  /// A class or a protocol may not be `Sendable`; what is not of the module is taken to be, but for Napkin's own.
  private func isSendableInModule(_ word: String) -> Bool {
    guard let symbol = graph.symbols.first(where: { $0.pathComponents.last == word }) else {
      return !["ViewControllable", "Presentable"].contains(word)
    }
    switch symbol.kind.identifier {
    case "swift.class":
      let isIsolated = symbol.declarationFragments.contains { $0.spelling.contains("MainActor") }
      return isIsolated || inherits(symbol) { $0.hasSuffix(".Sendable") }
    case "swift.protocol": return inherits(symbol) { $0.hasSuffix(".Sendable") || $0.hasSuffix(".Actor") }
    default: return true
    }
  }

  private func inherits(_ symbol: SymbolGraph.Symbol, _ matches: (String) -> Bool) -> Bool {
    var pending = [symbol.identifier.precise]
    var seen: Set<String> = []
    while let next = pending.popLast() {
      guard seen.insert(next).inserted else { continue }
      for (precise, name) in graph.conformances(of: next) {
        if matches(name) { return true }
        pending.append(precise)
      }
    }
    return false
  }

  private func isComparable(_ type: String) -> Bool {
    let words = Words.of(type)
    if words.isEmpty || type.contains("->") || type.hasPrefix("(") { return false }
    return words.allSatisfy { word in
      if Self.comparable.contains(word) { return true }
      if let declaration = associated[word] {
        return declaration.contains("Equatable") || declaration.contains("Hashable")
      }
      guard let symbol = graph.symbols.first(where: { $0.pathComponents.last == word }) else { return false }
      guard ["swift.struct", "swift.enum", "swift.class"].contains(symbol.kind.identifier) else { return false }
      return graph.conformances(of: symbol.identifier.precise).contains {
        ["Swift.Equatable", "Swift.Hashable"].contains($0.name)
      }
    }
  }

  private func isOfModule(_ type: String) -> Bool {
    Words.of(type).contains { word in graph.symbols.contains { $0.pathComponents.last == word } }
  }

  /// Whether a type is an optional of a protocol that only classes conform to.
  func isClassBoundOptional(_ type: String) -> Bool {
    guard type.hasPrefix("(any "), type.hasSuffix(")?") else { return false }
    let name = String(type.dropFirst(5).dropLast(2))
    guard let symbol = graph.symbols.first(where: { $0.pathComponents.last == name }) else { return false }
    let isClassBound = symbol.declarationFragments.contains { $0.spelling.contains("AnyObject") }
    return isClassBound || inherits(symbol, { $0.hasSuffix(".Actor") || $0.hasPrefix("Napkin.") })
  }

  /// A value of a type that means nothing, in source; nil where there is none that is sure to compile.
  func emptyValue(of type: String) -> String? {
    if type == "Void" || type == "()" { return "()" }
    if type.hasSuffix("?") || type.hasPrefix("Optional<") || type.hasPrefix("Swift.Optional<") { return "nil" }
    if type == "Bool" { return "false" }
    if type == "String" { return "\"\"" }
    if type == "Duration" { return ".zero" }
    if Self.numbers.contains(type) { return "0" }
    if type.hasPrefix("["), type.hasSuffix("]") {
      return type.dropFirst().dropLast().description.splitTopLevel(at: ":").count > 1 ? "[:]" : "[]"
    }
    if type.hasPrefix("Set<") { return "[]" }
    if type.hasPrefix("AsyncStream<") { return "AsyncStream { $0.finish() }" }
    if type.hasPrefix("AsyncThrowingStream<") { return "AsyncThrowingStream { $0.finish() }" }
    return nil
  }
}
