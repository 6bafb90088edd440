// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What the compiler says of a module: its declarations, and what relates them.
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

  private enum CodingKeys: CodingKey { case module, symbols, relationships }

  /// Reads the graph of a module from the folder that the package manager has written it to.
  init(of module: String, in folder: URL) throws {
    let file = folder.appending(path: "\(module).symbols.json")
    guard let data = try? Data(contentsOf: file) else {
      throw Mistake("The compiler has written no symbol graph of \(module): \(file.path) cannot be read.")
    }
    self = try JSONDecoder().decode(SymbolGraph.self, from: data)
  }

  /// The protocol of a name; a nested one has the names around it before its own, with dots.
  func `protocol`(_ name: String) -> Symbol? {
    symbols.first { $0.kind.identifier == "swift.protocol" && $0.pathComponents.joined(separator: ".") == name }
  }

  var protocolNames: [String] {
    symbols.filter { $0.kind.identifier == "swift.protocol" }.map { $0.pathComponents.joined(separator: ".") }.sorted()
  }

  /// A requirement or another symbol by its identifier.
  func symbol(_ precise: String) -> Symbol? { symbols.first { $0.identifier.precise == precise } }

  /// The requirements of a protocol itself, in the order of the source.
  func requirements(of precise: String) -> [Symbol] {
    let ids = Set(relationships.filter { $0.kind == "requirementOf" && $0.target == precise }.map(\.source))
    return symbols.filter { ids.contains($0.identifier.precise) }.sorted { one, other in
      let (first, second) = (one.location?.position, other.location?.position)
      return (first?.line ?? 0, first?.character ?? 0) < (second?.line ?? 0, second?.character ?? 0)
    }
  }

  /// What a type conforms to or a protocol inherits: the identifiers, and the names of those of other modules.
  func conformances(of precise: String) -> [(precise: String, name: String)] {
    relationships.filter { $0.kind == "conformsTo" && $0.source == precise }.map { relationship in
      let name = symbol(relationship.target)?.pathComponents.joined(separator: ".")
      return (relationship.target, name ?? relationship.targetFallback ?? relationship.target)
    }
  }
}
