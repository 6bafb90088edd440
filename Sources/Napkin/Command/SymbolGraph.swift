// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A module's declarations and their relationships, as the compiler states them.
struct SymbolGraph: Decodable {
  struct Symbol: Decodable {
    struct Kind: Decodable { let identifier: String }
    struct Identifier: Decodable { let precise: String }
    struct Fragment: Decodable {
      let kind: String
      let spelling: String
      let preciseIdentifier: String?
    }
    let kind: Kind
    let identifier: Identifier
    let pathComponents: [String]
    let declarationFragments: [Fragment]
    let location: Location?
  }
  struct Location: Decodable {
    struct Position: Decodable { let line: Int, character: Int }
    let uri: String
    let position: Position
  }
  struct Relationship: Decodable {
    let kind: String
    let source: String
    let target: String
    let targetFallback: String?
  }
  struct Module: Decodable { let name: String }

  let module: Module
  let symbols: [Symbol]
  let relationships: [Relationship]
  private var byIdentifier: [String: Symbol] = [:]

  private enum CodingKeys: CodingKey { case module, symbols, relationships }

  /// Reads the graph of a module from the folder that the package manager has written it to.
  init(of module: String, in folder: URL) throws {
    let file = folder.appending(path: "\(module).symbols.json")
    guard let data = try? Data(contentsOf: file) else {
      throw Mistake("The compiler has written no symbol graph of \(module): \(file.path) cannot be read.")
    }
    self = try JSONDecoder().decode(SymbolGraph.self, from: data)
    byIdentifier = Dictionary(symbols.map { ($0.identifier.precise, $0) }, uniquingKeysWith: { first, _ in first })
    isOnMainActorByDefault = hasRequirementOnMainActorByDefault()
  }

  /// The protocol of a name; a nested one has the names around it before its own, with dots.
  func `protocol`(_ name: String) -> Symbol? {
    symbols.first { $0.kind.identifier == "swift.protocol" && $0.pathComponents.joined(separator: ".") == name }
  }

  var protocolNames: [String] {
    symbols.filter { $0.kind.identifier == "swift.protocol" }.map { $0.pathComponents.joined(separator: ".") }.sorted()
  }

  /// A requirement or another symbol by its identifier.
  func symbol(_ precise: String) -> Symbol? { byIdentifier[precise] }

  /// The declaration of a symbol, as it reads in another file: with the whole names of nested types, and with the types that
  /// the module's own aliases stand for.
  func text(of symbol: Symbol, depth: Int = 8) -> String {
    var text = ""
    for fragment in symbol.declarationFragments {
      let named = fragment.kind == "typeIdentifier" ? fragment.preciseIdentifier.flatMap(self.symbol) : nil
      let spelling = named.flatMap { self.spelling(of: $0, after: text, depth) }
      // A protocol's own alias, whose meaning is none of the double's members.
      if spelling != nil, text.hasSuffix("Self.") { text.removeLast(5) }
      text += spelling ?? fragment.spelling
    }
    return text
  }

  private func spelling(of type: Symbol, after text: String, _ depth: Int) -> String? {
    switch type.kind.identifier {
    case "swift.typealias":
      let parts = depth > 0 ? self.text(of: type, depth: depth - 1).splitTopLevel(at: " = ") : []
      // A generic alias is left as it is.
      guard parts.count == 2, !parts[0].contains("<") else { return nil }
      return parts[1].contains(" ") ? "(\(parts[1]))" : parts[1]
    case "swift.struct", "swift.enum", "swift.class", "swift.protocol":
      return text.hasSuffix(".") ? nil : type.pathComponents.joined(separator: ".")
    default:
      return nil
    }
  }

  /// Whether declarations of the module are on the main actor unless they say otherwise.
  ///
  /// The graph does not say so of types, but of the requirements of protocols, where no line of the source does.
  private(set) var isOnMainActorByDefault = false

  private func hasRequirementOnMainActorByDefault() -> Bool {
    symbols.contains { symbol in
      guard symbol.kind.identifier == "swift.protocol", !text(of: symbol).contains("@") else { return false }
      return requirements(of: symbol.identifier.precise).contains { requirement in
        text(of: requirement).contains("@MainActor")
          && !(source(of: requirement, linesBefore: 1)?.contains("@MainActor") ?? true)
      }
    }
  }

  /// The line of a declaration, and some before it.
  func source(of symbol: Symbol, linesBefore: Int) -> String? {
    guard let location = symbol.location, let url = URL(string: location.uri),
      let text = try? String(contentsOf: url, encoding: .utf8)
    else { return nil }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let line = location.position.line
    return lines[max(0, line - linesBefore)..<min(line + 1, lines.count)].joined(separator: "\n")
  }

  /// The requirements of a protocol itself, in the order of the source.
  func requirements(of precise: String) -> [Symbol] {
    let ids = Set(relationships.filter { $0.kind == "requirementOf" && $0.target == precise }.map(\.source))
    return symbols.filter { ids.contains($0.identifier.precise) }.sorted { one, other in
      let (first, second) = (one.location?.position, other.location?.position)
      return (first?.line ?? 0, first?.character ?? 0) < (second?.line ?? 0, second?.character ?? 0)
    }
  }

  /// The class that one inherits, as `conformances(of:)` has protocols.
  func superclasses(of precise: String) -> [(precise: String, name: String)] {
    relationships.filter { $0.kind == "inheritsFrom" && $0.source == precise }
      .map { ($0.target, $0.targetFallback ?? $0.target) }
  }

  /// The protocols that a type conforms to or a protocol inherits: the identifiers, and the names of those of other modules.
  func conformances(of precise: String) -> [(precise: String, name: String)] {
    relationships.filter { $0.kind == "conformsTo" && $0.source == precise }.map { relationship in
      let name = symbol(relationship.target)?.pathComponents.joined(separator: ".")
      return (relationship.target, name ?? relationship.targetFallback ?? relationship.target)
    }
  }
}
