// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The facts about the types in a protocol that the symbol graph alone has.
struct TypeFacts {
  /// An argument as it is recorded.
  struct Payload {
    let name: String
    let type: String
    let expression: String
    let isComparable: Bool
    /// Whether it names a type that is on the main actor, and is compared there.
    let isOnMainActor: Bool
  }

  private let graph: SymbolGraph
  private let associated: [String: String]
  /// The double as a type, its name, and whether the protocol asks that it be `Sendable`.
  private let double: String
  private let mockName: String
  private let isDoubleSendable: Bool

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

  init(_ shape: ProtocolShape, _ graph: SymbolGraph) {
    let associated = shape.associatedTypes
    self.graph = graph
    double = shape.mockType
    mockName = shape.mockName
    isDoubleSendable = shape.isSendable
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

  /// The conditions of an associated type on others, as in `where Values.Element == Int`.
  static func genericClause(_ symbol: SymbolGraph.Symbol) -> String? {
    let parts = symbol.declarationFragments.map(\.spelling).joined().splitTopLevel(at: " where ")
    return parts.count > 1 ? parts[1].replacing("Self.", with: "").replacing(" : ", with: ": ") : nil
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
      let isBorrowed = parameter.type.hasPrefix("borrowing ")
      return Payload(
        name: name, type: type, expression: (isBorrowed ? "copy " : "") + Keywords.escaped(name),
        isComparable: isComparable(type),
        isOnMainActor: isOnMainActor(type))
    }
  }

  private func recorded(_ declared: String, _ requirement: Requirement) -> String? {
    var type = declared
    var isVariadic = false
    if type.hasSuffix("...") {
      type = String(type.dropLast(3))
      isVariadic = true
    }
    var isOwned = false
    if type.contains("@autoclosure") { return nil }
    type = type.replacing("@escaping ", with: "").replacing("@isolated(any) ", with: "")
    while let prefix = ["inout ", "borrowing ", "consuming ", "sending "].first(where: type.hasPrefix) {
      isOwned = isOwned || ["borrowing ", "consuming "].contains(prefix)
      type = String(type.dropFirst(prefix.count))
    }
    // A value that may not be copied is none of an enum that is compared.
    if isOwned, !isComparable(type) { return nil }
    if type.hasSuffix("!") { type = type.dropLast() + "?" }
    if Words.of(type).contains("isolated") { return nil }
    if Words.of(type).contains("some") { return Words.of(type).contains("Sendable") ? "any Sendable" : nil }
    if !Set(Words.of(type)).isDisjoint(with: requirement.genericNames) {
      guard let name = requirement.genericNames.first(where: { $0 == type }) else { return nil }
      let constraints = requirement.generics + requirement.clause
      return isSendable(name, by: constraints) ? "any Sendable" : nil
    }
    guard notSendable(in: type) == nil, type == asSendable(type) else { return nil }
    if type.contains("->") { return type.hasPrefix("(") ? type : "(\(type))" }
    return isVariadic ? "[\(type)]" : type
  }

  /// The name in a type that is not known to be `Sendable`; nil where the whole is.
  func notSendable(in type: String) -> String? {
    if type.contains("->") { return type.contains("@Sendable") || type.contains("@MainActor") ? nil : type }
    return Words.of(type.replacing(double, with: mockName)).first { word in
      if let declaration = associated[word] { return !declaration.contains("Sendable") }
      return word == mockName ? !isDoubleSendable : !isSendableInModule(word)
    }
  }

  /// The same type, where each existential of a protocol that may not be `Sendable` is.
  func asSendable(_ type: String) -> String {
    if type == "Any" { return "any Sendable" }
    if type.contains("->") { return type }
    return type.replacing(#/\bany (?!Sendable\b)((?:[\w.]+|<(?:[^<>]|<[^<>]*>)*>| & )+)(?!\.Type)/#) { match in
      let names = match.output.1.replacing(/<.*>/, with: "").split(separator: " & ").map(String.init)
      if names.last?.hasSuffix(".Type") == true || names.contains(where: isSendableProtocol) {
        return String(match.output.0)
      }
      return match.output.0 + " & Sendable"
    }
  }

  /// Whether all that conform to a protocol are `Sendable`; of other modules' protocols a few are known.
  private func isSendableProtocol(_ name: String) -> Bool {
    guard let symbol = graph.protocol(name) else {
      return Self.sendableProtocols.contains(String(name.split(separator: ".").last ?? ""))
    }
    return inherits(symbol) { $0.hasSuffix(".Sendable") || $0.hasSuffix(".Actor") || $0.hasSuffix(".Error") }
      || graph.text(of: symbol).contains("@")
  }

  private static let sendableProtocols: Set<String> = [
    "Sendable", "Error", "Actor", "Buildable", "Dependency", "EmptyDependency", "Interactable", "InteractorScope",
    "LaunchRouting", "PresentableInteractable", "Routing", "ViewableRouting", "Worker",
  ]

  private func isSendable(_ name: String, by constraints: String) -> Bool {
    constraints.range(of: "\\b\(name) ?: [^,>]*Sendable", options: .regularExpression) != nil
  }

  /// A type of the module is `Sendable` where the compiler says so; one of another module is taken to be.
  private func isSendableInModule(_ word: String) -> Bool {
    guard let symbol = graph.symbols.first(where: { $0.pathComponents.last == word }) else { return true }
    guard ["swift.class", "swift.struct", "swift.enum"].contains(symbol.kind.identifier) else { return true }
    return inherits(symbol) { $0.hasSuffix(".Sendable") }
  }

  /// Whether a type of the module is not to be copied; the graph does not say it, and its line in the source does.
  func notCopied(in type: String) -> String? {
    Words.of(type).first { word in
      let symbol = graph.symbols.first { $0.pathComponents.last == word }
      return symbol.flatMap { graph.source(of: $0, linesBefore: 0) }?.contains("~Copyable") ?? false
    }
  }

  private func inherits(_ symbol: SymbolGraph.Symbol, _ matches: (String) -> Bool) -> Bool {
    var pending = [symbol.identifier.precise]
    var seen: Set<String> = []
    while let next = pending.popLast() {
      guard seen.insert(next).inserted else { continue }
      for (precise, name) in graph.conformances(of: next) + graph.superclasses(of: next) {
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

  private func isOnMainActor(_ type: String) -> Bool {
    Words.of(type).contains { word in
      guard let symbol = graph.symbols.first(where: { $0.pathComponents.last == word }) else { return false }
      guard ["swift.class", "swift.struct", "swift.enum"].contains(symbol.kind.identifier) else { return false }
      let text = graph.text(of: symbol)
      return text.contains("@MainActor") || graph.isOnMainActorByDefault && !text.contains("nonisolated")
    }
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
