// SPDX-License-Identifier: Apache-2.0

/// A place in the code under test: a function as its author knows it, with the file and the line where they are known.
package struct SourcePlace: Codable, Sendable, Equatable {
  /// The module that declares the function; an extension counts as part of the module of its type.
  package let module: String

  /// The innermost type around the function; nil for a free function.
  package let type: String?

  /// The name with its labels; that of a closure is "closure in" the function around it.
  package private(set) var member: String

  /// The path of the file.
  package var file: String?

  /// The line, counted from one.
  package var line: Int?

  /// Whether the function goes on there after a wait, and does not begin.
  package var isResumption = false

  /// The name as it is shown, such as `Account.withdraw(_:)`.
  package var text: String {
    guard let type else { return member }
    return member.hasPrefix(Self.closure)
      ? Self.closure + type + "." + member.dropFirst(Self.closure.count)
      : type + "." + member
  }

  /// The name without "closure in ", by which the closures of a function are known, too.
  package var function: String {
    member.hasPrefix(Self.closure) ? String(member.dropFirst(Self.closure.count)) : member
  }

  /// The function with its type, by which its closures are known, too.
  package var callee: String { (type.map { $0 + "." } ?? "") + function }

  /// The file and the line, such as `Account.swift:12`; nil where they are not known.
  package var fileAndLine: String? {
    guard let file, let line else { return nil }
    // Asked for at each step of a log.
    let name = file.utf8.lastIndex(of: UInt8(ascii: "/")).map { file[file.utf8.index(after: $0)...] } ?? file[...]
    return "\(name):\(line)"
  }

  /// The file and the line, where they are known, and the name.
  package func located(_ joint: String = " in ") -> String { (fileAndLine.map { $0 + joint } ?? "") + text }

  /// The name, short enough for a lane: the member whole, and the beginning of a long type.
  package var brief: String {
    guard let type, type.count > Self.briefType else { return text }
    let short = SourcePlace(module: module, type: type.prefix(Self.briefType - 1) + "…", member: member)
    return short.text
  }

  /// The place as that of a closure in the function.
  package var closure: SourcePlace {
    var place = self
    if !member.hasPrefix(Self.closure) { place.member = Self.closure + member }
    place.isResumption = false
    return place
  }

  /// The line as it is written; nil where the file is not there.
  package var lineOfCode: String? {
    guard let file, let line else { return nil }
    let text = [UInt8](ofFile: file, most: 1 << 20)
    let rest = text.split(separator: UInt8(ascii: "\n"), maxSplits: line, omittingEmptySubsequences: false)
    return rest.count < line ? nil : String(decoding: rest[line - 1], as: UTF8.self)
  }

  /// The line without the space around it, short enough for a sentence.
  ///
  /// Nil where it says nothing: a closing brace, and the beginning of a function, which the code of a macro in it has for its line.
  package var quotation: String? {
    guard let line = lineOfCode?.split(whereSeparator: \.isWhitespace).joined(separator: " "),
      line.contains(where: \.isLetter), !line.contains("func ")
    else { return nil }
    return line.count > Self.mostQuoted ? line.prefix(Self.mostQuoted - 1) + "…" : line
  }

  private static let briefType = 16
  private static let mostQuoted = 80
  private static let closure = "closure in "

  package init(module: String, type: String?, member: String) {
    (self.module, self.type, self.member) = (module, type, member)
  }

  /// Reads a symbol; nil for one that is not written in the source code, such as a thunk or the expansion of a macro.
  ///
  /// - Parameters:
  ///   - symbol: The mangled symbol, which begins with the module.
  ///   - name: The symbol in the short form that the toolchain prints in backtraces, without modules and result types.
  package init?(symbol: String, name: String) {
    guard let module = Self.module(of: symbol), !name.contains("thunk"), !name.contains("$s") else { return nil }
    self.module = module
    // The parts of a function between its waits are numbered; the first one begins once its actor has been entered.
    isResumption = symbol.hasSuffix("_") && !symbol.hasSuffix("TY0_") && symbol.contains(#/T[QY]\d*_$/#)
    let chain = Self.split(name[...], at: " in ")
    guard var outer = chain.last else { return nil }
    for prefix in ["specialized ", "variable initialization expression of ", "static "] where outer.hasPrefix(prefix) {
      outer = outer.dropFirst(prefix.count)
    }
    var path = Self.split(outer, at: ".").map(Self.plain)
    if path.count > 1, let last = path.last, Self.accessors.contains(last) { path.removeLast() }
    guard let declaration = path.last, !declaration.isEmpty else { return nil }
    type = path.dropLast().last
    // A local function has a name of its own, as in `retry #1 @Sendable (_:) in run()`; a closure has not.
    let local = chain.dropLast().first { !$0.hasPrefix("closure #") && !$0.hasPrefix("implicit closure #") }
    let isClosure = chain.count > 1 && chain.first != local
    member = (isClosure ? Self.closure : "") + (local.map(Self.localName) ?? declaration)
  }

  private static let accessors = ["getter", "setter", "read", "modify", "read2", "modify2"]

  /// The first identifier of a mangled symbol, which has its length before it; the standard library's has a letter only.
  private static func module(of symbol: String) -> String? {
    guard symbol.hasPrefix("$s") else { return nil }
    let rest = symbol.dropFirst(2)
    if rest.hasPrefix("s") || rest.hasPrefix("S") { return "Swift" }
    let digits = rest.prefix(while: \.isNumber)
    guard let length = Int(digits), length > 0 else { return nil }
    // After a zero the identifier is written in pieces, which do not matter: it is none of the kit's.
    return digits.hasPrefix("0") ? String(rest) : String(rest.dropFirst(digits.count).prefix(length))
  }

  private static func localName(_ text: Substring) -> String {
    let name = text.firstRange(of: " #").map { text[..<$0.lowerBound] } ?? text
    let labels = text.lastIndex(of: "(").map { String(text[$0...]) } ?? "()"
    return plain(name) + labels
  }

  /// A part of a path without generic arguments, the attributes of its type and the marks around a raw identifier.
  private static func plain(_ part: Substring) -> String {
    if part.first == "`" { return String(part.filter { $0 != "`" }) }
    let part = part.replacing(#/@\w+ /#, with: "")
    guard part.first?.isLetter ?? false, let open = part.firstIndex(of: "<"), let close = part.lastIndex(of: ">"),
      open < close
    else { return String(part) }
    return String(part[..<open] + part[part.index(after: close)...])
  }

  /// Cuts a text wherever a separator stands outside of brackets and raw identifiers.
  private static func split(_ text: Substring, at separator: String) -> [Substring] {
    var parts: [Substring] = []
    var depth = 0
    var isRaw = false
    var start = text.startIndex
    var index = text.startIndex
    while index < text.endIndex {
      if !isRaw, depth == 0, text[index...].hasPrefix(separator) {
        parts.append(text[start..<index])
        index = text.index(index, offsetBy: separator.count)
        start = index
        continue
      }
      switch text[index] {
      case "`": isRaw.toggle()
      case "(",
        "<" where !isRaw:
        depth += 1
      case ")",
        ">" where !isRaw:
        depth = max(0, depth - 1)
      default: break
      }
      index = text.index(after: index)
    }
    parts.append(text[start...])
    return parts
  }
}

/// A type or a closure in a test's module that stands for a service, and the call that it answered.
package struct StandIn: Sendable, Hashable {
  /// The module of the conformance, or of the function.
  package let module: String
  package let name: String
  /// The call in the words of its caller.
  package let call: String

  /// A function that code of another module called.
  package init(function: SourcePlace) { (module, name, call) = (function.module, function.text, function.text) }

  /// Reads the name of a witness with all modules, `… protocol witness for App.Feed.page(Swift.Int) async -> Swift.Int in
  /// conformance Tests.FakeFeed : App.Feed in Tests`; nil if it does not stand for a service.
  ///
  /// Where the protocol is of the same module, the app may be, too, and only the name says that a type is a fake.
  package init?(witness: String) {
    let text = witness.replacing(#/\((\w+) in _[0-9A-F]+\)/#) { $0.1 }
    guard let parts = text.firstMatch(of: #/witness for (.+) in conformance (.+) : (.+) in (\w+)$/#),
      let arguments = parts.1.firstIndex(of: "(")
    else { return nil }
    let path = { (name: Substring) in name.split(separator: ".").dropFirst().joined(separator: ".") }
    (module, name) = (String(parts.4), path(parts.2))
    call = "\(path(parts.1[..<arguments]))(…) of \(name)"
    let (protocols, words) = (parts.3.prefix { $0 != "." }, name.lowercased())
    guard !Self.hearers.contains(where: parts.3.hasSuffix), !Self.kit.contains(String(protocols)),
      protocols != parts.4 || Self.words.contains(where: words.contains)
    else { return nil }
  }

  private static let kit: Set<String> = ["Swift", "_Concurrency", "Testing", "Foundation", "Napkin", "NapkinTesting"]
  private static let hearers = ["Listener", "Presentable", "Delegate", "Observer"]
  private static let words = ["fake", "mock", "stub", "double", "dummy", "spy", "inmemory", "canned"]
}
