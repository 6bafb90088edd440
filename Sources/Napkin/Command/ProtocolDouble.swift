// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The text of a double for one protocol: a recorder and stubs, and a line or two for each requirement.
struct ProtocolDouble {
  let name: String
  let text: String

  /// The requirements that the double has, as they are declared.
  let members: [String]

  init(of name: String, in graph: SymbolGraph) throws {
    let shape = try ProtocolShape(name, in: graph)
    var writer = DoubleWriter(shape, graph)
    self.name = shape.mockName
    text = try writer.write()
    members = writer.members
  }
}

/// A declaration that no double can be written for, and why.
struct Refusal: Error {
  let location: SymbolGraph.Location?
  let reason: String

  init(_ symbol: SymbolGraph.Symbol, _ reason: String) {
    location = symbol.location
    self.reason = reason
  }
}

/// A protocol's facts, apart from its requirements.
struct ProtocolShape {
  enum Base: String {
    case router = "MockRouter"
    case viewableRouter = "MockViewableRouter"
    case launchRouter = "MockLaunchRouter"
    case viewController = "MockViewController"
    case builder = "MockBuilder"
    case component = "MockComponent"

    var isOnMainActor: Bool { self != .builder && self != .component }
  }

  let name: String
  let module: String
  let symbol: SymbolGraph.Symbol
  let requirements: [SymbolGraph.Symbol]
  /// The conditions that the protocol itself does not say.
  let associatedTypes: [SymbolGraph.Symbol]
  /// The conditions that it does say, as `Narrowed: Shelf where Item == Int`.
  let aliases: [(name: String, type: String)]
  /// Its other conditions on associated types.
  let clauses: [String]
  private(set) var base: Base?
  private(set) var isActor = false
  private(set) var isPresentable = false
  private(set) var isSendable = false
  private(set) var isOnMainActor: Bool

  var mockName: String { name.replacing(".", with: "") + "Mock" }

  /// The double as a type.
  var mockType: String {
    let names = associatedTypes.compactMap(\.pathComponents.last)
    return names.isEmpty ? mockName : "\(mockName)<\(names.joined(separator: ", "))>"
  }

  /// The protocols that can be inherited without a requirement that a double would have to know.
  private static let plain: Set<String> = [
    "Swift.AnyObject", "Swift.Error", "Swift.Sendable", "Swift.SendableMetatype", "Swift.Copyable", "Swift.Escapable",
    "Napkin.Presentable", "_Concurrency.Actor", "_Concurrency.AnyActor",
  ]

  init(_ name: String, in graph: SymbolGraph) throws {
    guard let symbol = graph.protocol(name) else {
      let names = graph.protocolNames
      throw Mistake(
        "\(name): \(graph.module.name) has no such protocol. "
          + (names.isEmpty ? "It has none." : "It has \(names.joined(separator: ", "))."))
    }
    self.name = name
    self.symbol = symbol
    module = graph.module.name
    var requirements: [SymbolGraph.Symbol] = []
    var associatedTypes: [SymbolGraph.Symbol] = []
    var constraints: [String] = []
    // The protocol and those that it inherits, each once, from the top; a requirement that is stated again is one.
    var protocols: [String] = []
    var inherited: [String] = []
    var pending = [symbol.identifier.precise]
    while let next = pending.popLast() {
      guard !protocols.contains(next) else { continue }
      protocols.append(next)
      if let symbol = graph.symbol(next) { constraints += try Self.constraints(of: symbol, for: name, in: graph) }
      for (precise, name) in graph.conformances(of: next) {
        if graph.symbol(precise) == nil { inherited.append(name) } else { pending.append(precise) }
      }
    }
    // Where one does not say so, as under a default isolation, each member has the isolation that the compiler states.
    isOnMainActor = protocols.allSatisfy {
      graph.symbol($0).map { graph.text(of: $0) }?.contains("@MainActor") ?? false
    }
    var seen: Set<String> = []
    for symbol in protocols.reversed().flatMap({ graph.requirements(of: $0) })
    where seen.insert(symbol.declarationFragments.map(\.spelling).joined()).inserted {
      if symbol.kind.identifier == "swift.associatedtype" {
        associatedTypes.append(symbol)
      } else {
        requirements.append(symbol)
      }
    }
    self.requirements = requirements
    let all = Set(associatedTypes.compactMap(\.pathComponents.last))
    let aliases = constraints.compactMap { Self.alias($0, of: all) }
    self.aliases = aliases
    self.associatedTypes = associatedTypes.filter { type in !aliases.contains { $0.name == type.pathComponents.last } }
    let own = self.associatedTypes.compactMap(TypeFacts.genericClause)
    clauses = (own + constraints.filter { Self.alias($0, of: all) == nil })
      .map { $0.replacing("Self.", with: "").replacing(" : ", with: ": ") }
    for name in inherited { try inherit(name) }
    isSendable =
      isOnMainActor || isActor || base != nil || !Set(inherited).isDisjoint(with: ["Swift.Sendable", "Swift.Error"])
  }

  /// The conditions behind "where" in a protocol; a class that it asks for, and a value that is not copied, have no double.
  private static func constraints(of symbol: SymbolGraph.Symbol, for name: String, in graph: SymbolGraph) throws
    -> [String]
  {
    let text = symbol.declarationFragments.map(\.spelling).joined()
    if text.contains("~") {
      throw Refusal(symbol, "\(name) is \(text.splitTopLevel(at: " : ").last ?? ""), and a double is a class.")
    }
    let parts = text.splitTopLevel(at: " where ")
    let constraints = parts.count > 1 ? parts[1].splitTopLevel(at: ", ") : []
    let ofSelf = (parts[0].splitTopLevel(at: " : ").dropFirst() + constraints.filter { $0.hasPrefix("Self : ") })
      .flatMap(Words.of)
    for fragment in symbol.declarationFragments where ofSelf.contains(fragment.spelling) {
      guard let precise = fragment.preciseIdentifier, isClass(precise) else { continue }
      throw Refusal(symbol, "\(name) requires the class \(fragment.spelling), which napkin cannot make.")
    }
    return constraints.filter { $0.hasPrefix("Self.") }
  }

  /// By the compiler's name of it: "s:3App5ShelfC", or Objective-C's.
  private static func isClass(_ precise: String) -> Bool {
    precise.hasPrefix("c:objc(cs)") || (precise.hasPrefix("s:") && precise.hasSuffix("C"))
  }

  /// Reads `Self.Item == Int`, which names the type of an associated type.
  private static func alias(_ constraint: String, of names: Set<String>) -> (name: String, type: String)? {
    let sides = constraint.splitTopLevel(at: " == ")
    guard sides.count == 2, let name = sides[0].split(separator: ".").last.map(String.init), names.contains(name),
      sides[0] == "Self.\(name)", !sides[1].contains("Self.")
    else { return nil }
    return (name, sides[1])
  }

  private mutating func inherit(_ name: String) throws {
    switch name {
    case "Napkin.Routing": base = base ?? .router
    case "Napkin.ViewableRouting": if base != .launchRouter { base = .viewableRouter }
    case "Napkin.LaunchRouting": base = .launchRouter
    case "Napkin.ViewControllable": base = .viewController
    case "Napkin.Buildable": base = .builder
    case "Napkin.Dependency": base = .component
    case "Napkin.Presentable":
      isPresentable = true
      isOnMainActor = true
    case "_Concurrency.Actor": isActor = true
    default:
      guard Self.plain.contains(name) else {
        throw Refusal(symbol, "\(self.name) inherits \(name), for which napkin writes no double.")
      }
    }
  }
}
