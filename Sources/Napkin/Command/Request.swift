// SPDX-License-Identifier: Apache-2.0

/// The user's request, read from the command line and checked as far as that goes without the package.
struct Request {
  enum Kind: String, CaseIterable {
    case napkin
    case componentExtension = "component-extension"
    case serviceManager = "service-manager"
    case appEntry = "app-entry"
    case tests
  }

  enum ViewKind: String, CaseIterable {
    case swiftui
    case controller
    case none
  }

  var name = ""
  var kind = Kind.napkin
  var view = ViewKind.swiftui
  var isLaunch = false
  var children: [String] = []
  var hasService = false
  var withTests = false
  var into: String?
  var testsInto: String?

  init(_ arguments: [String]) throws {
    var given: Set<String> = []
    var rest = Arguments(arguments)
    while let argument = rest.next() {
      guard argument.hasPrefix("-") else {
        guard !given.contains("NAME") else { throw Mistake("\"\(argument)\": there is a name already, \"\(name)\".") }
        given.insert("NAME")
        name = try TypeName.check(argument, of: "NAME")
        continue
      }
      guard given.insert(argument).inserted || argument == "--child" else {
        throw Mistake("\(argument) is given twice.")
      }
      switch argument {
      case "--kind": kind = try rest.choice(of: argument)
      case "--view": view = try rest.choice(of: argument)
      case "--launch": isLaunch = true
      case "--child": children.append(try TypeName.check(rest.value(of: argument), of: argument))
      case "--service": hasService = true
      case "--tests": withTests = true
      case "--into": into = try rest.value(of: argument)
      case "--tests-into": testsInto = try rest.value(of: argument)
      default:
        throw Mistake("\(argument) is no option of new. The options are \(Self.options.joined(separator: ", ")).")
      }
    }
    guard given.contains("NAME") else { throw Mistake("new: NAME is missing, as in \"napkin new Profile\".") }
    try checkOptions(given)
    try checkNames()
  }

  private static let options = [
    "--kind", "--view", "--launch", "--child", "--service", "--tests", "--into", "--tests-into",
  ]

  /// An option that would change nothing is a misunderstanding.
  private func checkOptions(_ given: Set<String>) throws {
    let allowed: Set<String> =
      switch kind {
      case .napkin: ["--view", "--launch", "--child", "--tests"]
      case .tests: ["--view", "--launch", "--child"]
      case .componentExtension: ["--child"]
      case .serviceManager: ["--service", "--tests"]
      case .appEntry: []
      }
    for option in given.subtracting(["NAME", "--kind", "--into", "--tests-into"]).subtracting(allowed).sorted() {
      throw Mistake("\(option) says nothing to --kind \(kind.rawValue).")
    }
    if given.contains("--tests-into"), !writesTests { throw Mistake("--tests-into says nothing without --tests.") }
    if kind == .componentExtension, children.isEmpty {
      throw Mistake("--kind component-extension needs --child NAME: the napkin that \(name)Component is to serve.")
    }
  }

  private func checkNames() throws {
    for (index, child) in children.enumerated() {
      if child == name { throw Mistake("--child \(child): a napkin is no child of its own.") }
      if children[..<index].contains(child) { throw Mistake("--child \(child) is given twice.") }
    }
  }

  var writesTests: Bool { withTests || kind == .tests }

  /// The conditions that templates ask for.
  var flags: Set<String> {
    var flags: Set<String> = []
    if view != .none { flags.insert("presented") }
    if view != .none || isLaunch { flags.insert("hosted") }
    flags.insert(isLaunch ? "launch" : "listener")
    if !children.isEmpty { flags.insert("children") }
    // The interactor has its router, to act or to say which child a report is about.
    if !isLaunch || !children.isEmpty { flags.insert("wired") }
    if hasService { flags.insert("service") }
    return flags
  }
}

/// Goes through the arguments, of which `--option=value` is two.
struct Arguments {
  private var rest: [String]

  init(_ arguments: [String]) {
    rest = arguments.flatMap { argument in
      guard argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") else { return [argument] }
      return [String(argument[..<equals]), String(argument[argument.index(after: equals)...])]
    }
  }

  mutating func next() -> String? {
    rest.isEmpty ? nil : rest.removeFirst()
  }

  mutating func value(of option: String) throws -> String {
    guard let value = next(), !value.hasPrefix("--") else { throw Mistake("\(option) needs a value.") }
    return value
  }

  mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(of option: String) throws -> Choice {
    let value = try value(of: option)
    guard let choice = Choice(rawValue: value) else {
      let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw Mistake("\(option) \(value): there is no \"\(value)\". There are \(choices).")
    }
    return choice
  }
}
