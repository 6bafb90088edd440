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

/// What a protocol is, apart from its requirements.
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
  let requirements: [SymbolGraph.Symbol]
  let associatedTypes: [SymbolGraph.Symbol]
  private(set) var base: Base?
  private(set) var isActor = false
  private(set) var isPresentable = false
  private(set) var isOnMainActor: Bool

  var mockName: String { name.replacing(".", with: "") + "Mock" }

  /// What can be inherited without a requirement that a double would have to know.
  private static let plain: Set<String> = [
    "Swift.AnyObject", "Swift.Sendable", "Swift.SendableMetatype", "Swift.Copyable", "Swift.Escapable",
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
    module = graph.module.name
    var requirements: [SymbolGraph.Symbol] = []
    var associatedTypes: [SymbolGraph.Symbol] = []
    isOnMainActor = symbol.declarationFragments.map(\.spelling).joined().contains("@MainActor")
    // The protocol and those that it inherits, each once, from the top; a requirement that is stated again is one.
    var protocols: [String] = []
    var inherited: [String] = []
    var pending = [symbol.identifier.precise]
    while let next = pending.popLast() {
      guard !protocols.contains(next) else { continue }
      protocols.append(next)
      for (precise, name) in graph.conformances(of: next) {
        if graph.symbol(precise) == nil { inherited.append(name) } else { pending.append(precise) }
      }
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
    self.associatedTypes = associatedTypes
    for name in inherited { try inherit(name) }
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
        throw Mistake("\(self.name) inherits \(name), for which napkin writes no double. Write this one by hand.")
      }
    }
  }
}
