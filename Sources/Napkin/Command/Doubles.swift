// SPDX-License-Identifier: Apache-2.0
import Foundation
import PackagePlugin

/// Writes doubles for protocols of a target into the folder of its tests.
struct Doubles {
  private let protocols: [String]
  private let target: SwiftSourceModuleTarget
  private let folder: URL
  private let overwrites: Bool
  private let place: Place
  private let packageManager: PackageManager

  init(_ arguments: [String], package: Package, packageManager: PackageManager) throws {
    var (target, into, overwrites, protocols): (String?, String?, Bool, [String]) = (nil, nil, false, [])
    var rest = Arguments(arguments)
    while let argument = rest.next() {
      switch argument {
      case "--target": target = try rest.value(of: argument)
      case "--into": into = try rest.value(of: argument)
      case "--overwrite": overwrites = true
      default:
        guard !argument.hasPrefix("-") else {
          throw Mistake("\(argument) is no option of doubles. The options are --target, --into, --overwrite.")
        }
        if !protocols.contains(argument) { protocols.append(argument) }
      }
    }
    place = Place(package: package)
    self.target = try place.sourceTarget(target)
    folder = try place.testsFolder(into, for: self.target.directoryURL, option: "--into")
    self.protocols = protocols
    self.overwrites = overwrites
    self.packageManager = packageManager
  }

  func write() throws {
    // At internal access: the protocols of a feature are seldom public.
    let options = PackageManager.SymbolGraphOptions(
      minimumAccessLevel: .internal, includeSynthesized: false, includeSPI: false, emitExtensionBlocks: false)
    let result = try packageManager.getSymbolGraph(for: target, options: options)
    let graph = try SymbolGraph(of: target.moduleName, in: result.directoryURL)
    guard !protocols.isEmpty else {
      throw Mistake(
        "doubles: the protocols are missing. \(target.moduleName) has \(graph.protocolNames.joined(separator: ", ")).")
    }
    // All of them, or none: a double that cannot be written is found before any is written.
    let doubles = try doubles(in: graph)
    for (name, double) in doubles { try refuseSecond(double.name, for: name) }
    for (name, double) in doubles { try write(double, for: name) }
  }

  /// Makes the doubles, or says of each that cannot be made where and why.
  private func doubles(in graph: SymbolGraph) throws -> [(protocol: String, double: ProtocolDouble)] {
    var doubles: [(protocol: String, double: ProtocolDouble)] = []
    var refused = 0
    for name in protocols {
      do {
        doubles.append((name, try ProtocolDouble(of: name, in: graph)))
      } catch let refusal as Refusal {
        let file = refusal.location.flatMap { URL(string: $0.uri) }.map(place.relative)
        let line = refusal.location.map { "\($0.position.line + 1): " } ?? ""
        Diagnostics.error((file.map { "\($0):" } ?? "") + line + refusal.reason)
        refused += 1
      }
    }
    guard refused == 0 else {
      throw Mistake(
        "Nothing was written. Leave out \(refused == 1 ? "the one" : "the \(refused)") above, whose doubles are written by hand."
      )
    }
    return doubles
  }

  /// Refuses a name that another file of the tests declares already, such as one that `napkin new --tests` wrote.
  private func refuseSecond(_ double: String, for name: String) throws {
    let own = folder.appending(path: "\(double).swift").path
    for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() where file.hasSuffix(".swift")
    {
      let url = folder.appending(path: file)
      guard url.path != own, let text = try? String(contentsOf: url, encoding: .utf8) else { continue }
      guard GeneratedFile.declares(double, in: text) else { continue }
      throw Mistake(
        "\(double) is declared in \(place.relative(url)) already. Leave \(name) out, or rename the one that is there. "
          + "Nothing was written.")
    }
  }

  private func write(_ double: ProtocolDouble, for name: String) throws {
    let url = folder.appending(path: "\(double.name).swift")
    let file = GeneratedFile(protocol: "\(target.moduleName).\(name)", body: double.text)
    let path = place.relative(url)
    guard let existing = try? String(contentsOf: url, encoding: .utf8) else {
      try file.text.write(to: url, atomically: true, encoding: .utf8)
      return print("Wrote \(path)")
    }
    if existing == file.text { return print("\(path) is up to date.") }
    if overwrites || GeneratedFile.isUnchanged(existing) {
      try file.text.write(to: url, atomically: true, encoding: .utf8)
      return print("Wrote \(path) again")
    }
    let missing = double.members.filter { !existing.contains(GeneratedFile.name(of: $0)) }
    Diagnostics.warning(
      "\(path) was changed by hand, and is left as it is."
        + (missing.isEmpty ? "" : " It lacks: \(missing.joined(separator: "; ")).")
        + " --overwrite writes it anew.")
  }
}

/// A file that says by its first line whether it was changed since it was written.
struct GeneratedFile {
  private static let mark = "// Written by \"napkin doubles\" for "

  let text: String

  init(protocol name: String, body: String) {
    text = "\(Self.mark)\(name); a file that is changed by hand is left alone. \(Self.sum(body))\n\(body)"
  }

  /// Whether the text is as it was written, so that nothing is lost with it.
  static func isUnchanged(_ text: String) -> Bool {
    guard text.hasPrefix(mark), let end = text.firstIndex(of: "\n") else { return false }
    return text[..<end].hasSuffix(" " + sum(String(text[text.index(after: end)...])))
  }

  /// Whether a text declares a type of that name at its top level, where a second one would clash with it.
  static func declares(_ type: String, in text: String) -> Bool {
    text.split(separator: "\n").contains { line in
      guard line.first?.isWhitespace == false, !line.hasPrefix("//") else { return false }
      let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
      return zip(words, words.dropFirst()).contains { keyword, name in
        ["class", "actor", "struct", "enum", "protocol", "typealias"].contains(keyword) && name == type
      }
    }
  }

  /// The text by which a member is found in a file that was changed: its keyword and its name.
  static func name(of member: String) -> String {
    let words = member.split(separator: " ")
    guard let index = words.firstIndex(where: { ["func", "var"].contains($0) }), index + 1 < words.count else {
      return member.contains("subscript") ? "subscript" : "init"
    }
    return "\(words[index]) \(words[index + 1].prefix { !":(<".contains($0) })"
  }

  // FNV-1a: no secret, only a way to see a change.
  private static func sum(_ text: String) -> String {
    let hash = text.utf8.reduce(14_695_981_039_346_656_037 as UInt64) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    return String(hash, radix: 16)
  }
}
