// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Writes the members of a double.
struct DoubleWriter {
  private let shape: ProtocolShape
  private let types: TypeFacts
  private let requirements: [Requirement]
  private let imports: [String]
  /// The enum of the recorded calls: another name where the protocol knows a type `Event`, which the enum would hide.
  private let eventName: String

  private(set) var members: [String] = []
  private var cases: [(text: String, isComparable: Bool, isOnMainActor: Bool)] = []
  private var stubs: [String] = []
  private var bodies: [String] = []
  /// The values that only a test can say, by the name of the argument of `init`.
  private var values: [(name: String, type: String)] = []
  private var names: Set<String> = []

  init(_ shape: ProtocolShape, _ graph: SymbolGraph) {
    self.shape = shape
    let associatedTypes = shape.associatedTypes.compactMap(\.pathComponents.last)
    let known = associatedTypes + shape.aliases.map(\.name)
    requirements = shape.requirements.map {
      Requirement($0, in: graph, associatedTypes: known, double: shape.mockType)
    }
    let named = Set(known + shape.requirements.flatMap { Words.of(graph.text(of: $0)) })
    eventName = ["Event", "Call", "RecordedCall"].first { !named.contains($0) } ?? "RecordedCalls"
    types = TypeFacts(shape, graph)
    imports = TypeFacts.modules(of: shape.requirements, besides: graph.module.name)
  }

  private var isOnMainActor: Bool { shape.base?.isOnMainActor ?? shape.isOnMainActor }

  mutating func write() throws -> String {
    for (requirement, symbol) in zip(requirements, shape.requirements) {
      let text = symbol.declarationFragments.map(\.spelling).joined()
      try refuse(requirement, text)
      members.append(text)
      switch requirement.kind {
      case .function: writeFunction(requirement)
      case .property: writeProperty(requirement)
      case .subscripting: writeSubscript(requirement)
      case .initializer: writeInitializer(requirement)
      }
    }
    let initializers = requirements.filter { $0.kind == .initializer }
    if !initializers.isEmpty {
      if let value = values.first {
        throw Refusal(
          initializers[0].symbol,
          "\(shape.name) requires an initializer, and a result of the type \(value.type), which only a test can give.")
      }
      if !initializers.contains(where: \.parameters.isEmpty) { bodies.append("init() {}") }
    }
    return assemble()
  }

  /// The requirements that a class with stubs cannot meet.
  private func refuse(_ requirement: Requirement, _ text: String) throws {
    let because: String? =
      if requirement.symbol.kind.identifier == "swift.func.op" {
        "an operator has no stub"
      } else if requirement.isStatic, !shape.associatedTypes.isEmpty {
        "a generic type has no static stubs, and this protocol has associated types"
      } else if ["recorder", "events"].contains(requirement.name) {
        "a double has a \(requirement.name) of its own"
      } else if let type = types.notCopied(in: requirement.output) {
        "\(type) is not copied, as an answer is"
      } else if answer(requirement) != "any Sendable",
        let type = types.notSendable(in: types.asSendable(requirement.output))
      {
        "\(type) is not known to be Sendable, as an answer has to be"
      } else {
        nil
      }
    if let because { throw Refusal(requirement.symbol, "\(shape.name) requires \"\(text)\", but \(because).") }
  }

  /// The type of a stub's answers: any value where only the caller knows which, and a `Sendable` one of an existential.
  private func answer(_ requirement: Requirement) -> String {
    isErased(requirement) ? "any Sendable" : types.asSendable(requirement.output)
  }

  private func isErased(_ requirement: Requirement) -> Bool {
    requirement.genericNames.contains { Words.of(requirement.output).contains($0) }
  }

  private mutating func writeFunction(_ requirement: Requirement) {
    let unique = uniqueName(requirement)
    let payload = types.payload(of: requirement)
    let head = "func \(Keywords.escaped(requirement.name))\(requirement.generics)(\(parameters(requirement)))"
    let declaration = modifiers(requirement) + head + effects(requirement) + result(requirement) + requirement.clause
    if shape.base == .builder, requirement.name == "build", builderArguments != nil {
      let arguments = payload.map(\.expression)
      let produced = arguments.count > 1 ? "(\(arguments.joined(separator: ", ")))" : arguments.joined()
      bodies.append("\(declaration) { await produce(\(produced)) }")
    } else if recordsEvents, !requirement.isStatic, !requirement.isThrowing, requirement.output == "Void" {
      addCase(unique, payload)
      let owner = isRecording ? "" : "recorder."
      bodies.append("\(declaration) { \(owner)record(.\(Keywords.escaped(unique))\(eventArguments(payload))) }")
    } else {
      writeStubbed(requirement, unique, payload, declaration)
    }
  }

  private mutating func writeStubbed(
    _ requirement: Requirement, _ unique: String, _ payload: [TypeFacts.Payload], _ declaration: String
  ) {
    bodies.append("\(declaration) {\n    \(answering(requirement, unique, payload))\n  }")
  }

  /// Adds a stub, and returns the code that calls it.
  private mutating func answering(
    _ requirement: Requirement, _ unique: String, _ payload: [TypeFacts.Payload]
  ) -> String {
    let output = answer(requirement)
    addStub(unique, payload, output, isStatic: requirement.isStatic)
    let call = self.call(requirement, unique, payload, output)
    guard isErased(requirement) else { return call }
    let wanted = "an answer of the type \(requirement.output)"
    if requirement.isThrowing, requirement.failure == nil {
      return "try #require(\(call) as? \(requirement.output), \"\(unique)Stub needs \(wanted).\")"
    }
    return """
      guard let output = \(call) as? \(requirement.output) else {
            fatalError("\(unique)Stub needs \(wanted).")
          }
          return output
      """
  }

  /// The call of a stub, as an expression.
  private mutating func call(
    _ requirement: Requirement, _ unique: String, _ payload: [TypeFacts.Payload], _ output: String
  ) -> String {
    var arguments = payload.map(\.expression)
    if !requirement.isThrowing || requirement.failure != nil {
      if let failure = requirement.failure { arguments.append("throwing: \(failure).self") }
      arguments.append("default: \(fallback(output, unique, requirement.isStatic))")
    }
    let effects = (requirement.isThrowing ? "try " : "") + (requirement.isAsync ? "await " : "")
    let owner = requirement.isStatic ? "Self." : ""
    return "\(effects)\(owner)\(unique)Stub(\(arguments.joined(separator: ", ")))"
  }

  private mutating func writeProperty(_ requirement: Requirement) {
    let name = Keywords.escaped(requirement.name)
    if shape.base == .component, !requirement.isSettable, !requirement.isAsync, !requirement.isThrowing {
      let value = "\(requirement.name)Value"
      values.append((value, requirement.output))
      bodies.append("\(modifiers(requirement))var \(name): \(requirement.spelledOutput) { provided { \(value) } }")
      return
    }
    let isIsolated = !requirement.modifiers.contains { $0.hasPrefix("nonisolated") }
    let isStored =
      !requirement.isStatic && !requirement.isAsync && !requirement.isThrowing && isIsolated
      && (isOnMainActor || shape.isActor || requirement.modifiers.contains("@MainActor"))
    if isStored {
      let isWeak = requirement.isSettable && types.isClassBoundOptional(requirement.output) && isRole(requirement.name)
      let start = types.emptyValue(of: requirement.output)
      if start == nil { values.append((requirement.name, requirement.output)) }
      let value = start.map { $0 == "nil" ? "" : " = \($0)" } ?? ""
      bodies.append(
        "\(modifiers(requirement))\(isWeak ? "weak " : "")var \(name): \(requirement.spelledOutput)\(value)")
      return
    }
    let unique = uniqueName(requirement)
    let getter = answering(requirement, unique, [])
    writeAccessors("\(modifiers(requirement))var \(name): \(requirement.spelledOutput)", requirement, unique, getter)
  }

  private mutating func writeSubscript(_ requirement: Requirement) {
    let unique = uniqueName(requirement)
    let payload = types.payload(of: requirement)
    let getter = answering(requirement, unique, payload)
    let head =
      "subscript\(requirement.generics)(\(parameters(requirement))) -> \(requirement.spelledOutput)\(requirement.clause)"
    writeAccessors(modifiers(requirement) + head, requirement, unique, getter)
  }

  private mutating func writeAccessors(
    _ head: String, _ requirement: Requirement, _ unique: String, _ getter: String
  ) {
    if requirement.isSettable {
      let owner = requirement.isStatic ? "Self." : ""
      bodies.append("\(head) {\n    get { \(getter) }\n    set { \(owner)\(unique)Stub.returns(newValue) }\n  }")
    } else if requirement.isAsync || requirement.isThrowing {
      bodies.append("\(head) {\n    get\(effects(requirement)) { \(getter) }\n  }")
    } else {
      bodies.append("\(head) { \(getter) }")
    }
  }

  private mutating func writeInitializer(_ requirement: Requirement) {
    let head = "\(modifiers(requirement))init\(requirement.failing)\(requirement.generics)(\(parameters(requirement)))"
    bodies.append("\(head)\(effects(requirement))\(requirement.clause) {}")
  }

  /// Whether the double is a `Recording`, whose associated type is `Event`.
  private var isRecording: Bool { eventName == "Event" }

  /// Whether the double itself records calls that return nothing; a mock to inherit from records its own calls.
  private var recordsEvents: Bool { shape.base == nil }

  private func isRole(_ name: String) -> Bool {
    ["listener", "delegate", "router"].contains { name.lowercased().hasSuffix($0) }
  }

  private func parameters(_ requirement: Requirement) -> String {
    requirement.parameters.map(\.declaration).joined(separator: ", ")
  }

  /// The modifiers that a member of this double needs, too.
  private func modifiers(_ requirement: Requirement) -> String {
    let own = requirement.modifiers.filter { modifier in
      if modifier == "mutating" || modifier == "override" { return false }
      if modifier == "@MainActor" { return !isOnMainActor }
      return true
    }
    return own.map { $0 + " " }.joined()
  }

  private func effects(_ requirement: Requirement) -> String {
    var text = requirement.isAsync ? " async" : ""
    if requirement.isThrowing { text += requirement.failure.map { " throws(\($0))" } ?? " throws" }
    return text
  }

  private func result(_ requirement: Requirement) -> String {
    requirement.output == "Void" ? "" : " -> \(requirement.spelledOutput)"
  }

  /// The value that a stub returns without an answer: an empty value, or one that the test gives to `init`.
  private mutating func fallback(_ output: String, _ unique: String, _ isStatic: Bool) -> String {
    if let empty = types.emptyValue(of: output) { return empty }
    if output == "any Sendable" { return "()" }
    if output == shape.mockType, !isStatic { return "self" }
    if isStatic { return "{ fatalError(\"\(unique)Stub has no answer\") }()" }
    let name = "\(unique)Default"
    if !values.contains(where: { $0.name == name }) { values.append((name, output)) }
    return name
  }

  private mutating func addStub(_ unique: String, _ payload: [TypeFacts.Payload], _ output: String, isStatic: Bool) {
    let inputs = payload.map(\.type)
    let input = inputs.isEmpty ? "Void" : inputs.count == 1 ? inputs[0] : "(\(inputs.joined(separator: ", ")))"
    stubs.append("\(isStatic ? "static " : "")let \(unique)Stub = Stub<\(input), \(output)>()")
  }

  private mutating func addCase(_ unique: String, _ payload: [TypeFacts.Payload]) {
    let isSingle = payload.count == 1
    let labels = payload.map { isSingle ? $0.type : "\(Keywords.escaped($0.name)): \($0.type)" }
    let list = labels.isEmpty ? "" : "(\(labels.joined(separator: ", ")))"
    cases.append(
      (
        "case \(Keywords.escaped(unique))\(list)", payload.allSatisfy(\.isComparable),
        payload.contains(where: \.isOnMainActor)
      ))
  }

  private func eventArguments(_ payload: [TypeFacts.Payload]) -> String {
    if payload.isEmpty { return "" }
    if payload.count == 1 { return "(\(payload[0].expression))" }
    return "(" + payload.map { "\($0.name): \($0.expression)" }.joined(separator: ", ") + ")"
  }

  /// The name of a requirement, with its labels where it shares the name.
  private mutating func uniqueName(_ requirement: Requirement) -> String {
    var name = requirement.kind == .subscripting ? "subscript" : requirement.name
    if requirements.count(where: { $0.name == requirement.name && $0.kind == requirement.kind }) > 1 {
      for parameter in requirement.parameters {
        let label = parameter.label == "_" ? parameter.name : parameter.label
        name += label.prefix(1).uppercased() + label.dropFirst()
      }
    }
    let wanted = name
    var number = 2
    while !names.insert(name).inserted {
      name = "\(wanted)\(number)"
      number += 1
    }
    return name
  }

  /// The argument and the product of a builder with one `build` function; nil for another one.
  private var builderArguments: (argument: String, product: String)? {
    let functions = requirements.filter { $0.kind == .function }
    guard functions.count == 1, let build = functions.first, build.name == "build", build.isAsync, !build.isThrowing,
      !build.isGeneric, requirements.count == 1
    else { return nil }
    let inputs = types.payload(of: build).map(\.type)
    let argument = inputs.isEmpty ? "Void" : inputs.count == 1 ? inputs[0] : "(\(inputs.joined(separator: ", ")))"
    return (argument, build.output)
  }

  private func assemble() -> String {
    var lines = ["import NapkinTesting", "@testable import \(shape.module)"]
    if shape.base != nil || shape.isPresentable { lines.append("import Napkin") }
    lines += imports.map { "import \($0)" }
    lines = Array(Set(lines)).sorted { $0.split(separator: " ").last! < $1.split(separator: " ").last! }
    let testable = lines.filter { $0.hasPrefix("@") }
    lines = lines.filter { !$0.hasPrefix("@") } + [""] + testable + [""]
    lines.append("\(declaration) {")
    var sections: [[String]] = []
    var head: [String] = []
    head += shape.aliases.map { "  typealias \($0.name) = \($0.type)" }
    if !cases.isEmpty {
      let isComparable = cases.allSatisfy(\.isComparable)
      // A type on the main actor is compared there.
      let isOnMain = isComparable && cases.contains(where: \.isOnMainActor)
      head.append(
        isOnMain
          ? "  @MainActor enum \(eventName): @MainActor Equatable {"
          : "  nonisolated enum \(eventName): \(isComparable ? "Equatable" : "Sendable") {")
      let name = isRecording ? "" : "\"\(shape.mockName)\""
      head += cases.map { "    \($0.text)" }
      head += ["  }", "", "  let recorder = Recorder<\(eventName)>(\(name))"]
    }
    head += stubs.map { "  \($0)" }
    if !head.isEmpty { sections.append(head) }
    if !values.isEmpty { sections.append(initializer) }
    if !bodies.isEmpty { sections.append(bodies.map { "  \($0)" }) }
    lines += sections.map { $0.joined(separator: "\n") }.joined(separator: "\n\n").split(
      separator: "\n", omittingEmptySubsequences: false
    ).map(String.init)
    lines.append("}")
    return lines.joined(separator: "\n").replacing(" : ", with: ": ") + "\n"
  }

  /// A double whose results cannot be made up has them as arguments of `init`.
  private var initializer: [String] {
    let stored = values.filter { value in !bodies.contains { $0.contains("var \(Keywords.escaped(value.name)): ") } }
    let arguments = values.map { "\(Keywords.escaped($0.name)): \(Self.escaping($0.type))" }.joined(separator: ", ")
    return stored.map { "  private let \(Keywords.escaped($0.name)): \($0.type)" } + (stored.isEmpty ? [] : [""]) + [
      "  init(\(arguments)) {"
    ] + values.map { "    self.\(Keywords.escaped($0.name)) = \(Keywords.escaped($0.name))" }
      + (shape.base == nil || isPlainBuilder ? [] : ["    super.init()"]) + ["  }"]
  }

  /// A function that is an argument, and kept.
  private static func escaping(_ type: String) -> String {
    type.splitTopLevel(at: "->").count > 1 ? "@escaping \(type)" : type
  }

  private var declaration: String {
    let generics = shape.associatedTypes.map(TypeFacts.genericParameter)
    let list = generics.isEmpty ? "" : "<\(generics.joined(separator: ", "))>"
    let name = shape.mockName + list
    var inherited: [String] = []
    var suffix = ""
    switch shape.base {
    case .builder:
      if let (argument, product) = builderArguments {
        inherited = ["MockBuilder<\(argument), \(product)>", shape.name]
        suffix = ", @unchecked Sendable"
      } else {
        inherited = [shape.name]
      }
    case .component:
      inherited = ["MockComponent", shape.name]
      suffix = ", @unchecked Sendable"
    case .some(let base): inherited = [base.rawValue, shape.name]
    case nil:
      inherited = [shape.name]
      if !cases.isEmpty, isRecording {
        inherited.append(shape.isPresentable && isOnMainActor ? "RecordingPresentable" : "Recording")
      }
    }
    if !shape.clauses.isEmpty { suffix += " where \(shape.clauses.joined(separator: ", "))" }
    let prefix =
      if shape.isActor { "final actor" } else if shape.base != nil, !isPlainBuilder {
        "final class"
      } else if isOnMainActor {
        "@MainActor\nfinal class"
      } else { "nonisolated final class" }
    return "\(prefix) \(name): \(inherited.joined(separator: ", "))\(suffix)"
  }

  private var isPlainBuilder: Bool { shape.base == .builder && builderArguments == nil }
}
