// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A file of the house as the rules see it: its place, its text, and the code in that.
struct SourceFile: Sendable {
  let path: String
  let text: String
  /// The text without its comments and the words inside its string literals, which may name symbols that code may not.
  let code: String

  init(path: String, text: String) {
    self.path = path
    self.text = text
    // An article's code is compiled elsewhere.
    guard !path.hasSuffix(".md") else {
      code = ""
      return
    }
    // A literal with an interpolation is kept from there on: code may hide in it.
    code = text.replacing(#/"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*[\s\S]*?\*//#) { match in
      match.output.first == "\""
        ? (match.output.firstRange(of: #"\("#).map { match.output[$0.lowerBound...] } ?? "") : ""
    }
  }

  var isSource: Bool { path.hasPrefix("Sources/") }

  /// The names of functions that are sentences.
  var testNames: [String] { text.matches(of: #/\bfunc `([^`\n]+)`/#).map { String($0.output.1) } }

  /// The names of tests, the comments and the string literals, without code that a comment quotes; all of a page's text, an
  /// article's without its code.
  var prose: String {
    if path.hasSuffix(".html") { return text }
    if path.hasSuffix(".md") { return text.replacing(#/```[\s\S]*?```|`[^`\n]*`/#, with: "") }
    let quotes = text.matches(of: #/"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*[\s\S]*?\*//#)
      .map { String($0.output.replacing(#/`[^`\n]*`/#, with: "")) }
    return (testNames + quotes).joined(separator: "\n")
  }
}

/// One rule that every file keeps, or all of them together: a pure function from texts to violations.
struct StyleRule: Sendable, CustomStringConvertible {
  let description: String
  let violations: @Sendable ([SourceFile]) -> [String]

  static let all = [
    length, licence, chance, marks, moduleOrder, engineImports, testableImports, platform, unchecked, rooms, layers,
    words, subjects, olderCompiler, testNames, paths,
  ]

  private static func eachFile(_ name: String, _ check: @escaping @Sendable (SourceFile) -> String?) -> StyleRule {
    StyleRule(description: name) { files in files.compactMap { file in check(file).map { "\(file.path): \($0)" } } }
  }

  /// The first match, where a dot ends a word: by default `Clock.now` is one word of a Swift regex.
  private static func first(_ banned: Regex<some Any>, in code: String) -> String? {
    code.firstMatch(of: banned.wordBoundaryKind(.simple)).map { String(code[$0.range]) }
  }

  static let length = eachFile("no file is longer than 400 lines") { file in
    let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
    return lines > 400 ? "\(lines) lines" : nil
  }

  static let licence = eachFile("every file opens with its licence") { file in
    let identifier = "SPDX-License-Identifier: Apache-2.0"
    let first = file.path.hasSuffix(".css") ? "/* \(identifier) */\n" : "// \(identifier)\n"
    // A template of HTML becomes the page as it is, from its first character on.
    return file.text.hasPrefix(first) || [".html", ".md", "Package.swift"].contains(where: file.path.hasSuffix)
      ? nil : "does not open with the licence line"
  }

  /// An execution that draws from anywhere but its own choices cannot be replayed.
  static let chance = eachFile("nothing in Sources draws from chance, the clock or the scheduler's mercy") { file in
    guard file.isSource, !StyleExceptions.covers(file.path, .chance) else { return nil }
    let banned =
      #/
      \bTask\s*(<[^>]*>)?\.(yield|sleep)\b | \bUUID\s*\( | \bSystemRandomNumberGenerator\b | \barc4random | \bgetrandom\b |
      \b(Int|UInt|Float|Double|Bool)\d*\.random\b | \.(randomElement|shuffled?)\s*\( |
      \bDate\s*\( | \b(Date|DispatchTime|DispatchWallTime)\.now\b | \b(Continuous|Suspending)Clock\b | \.(continuous|suspending)\b |
      \b(clock_gettime|gettimeofday|mach_absolute_time|usleep|nanosleep)\b
    /#
    return first(banned, in: file.code)
  }

  static let marks = eachFile("nothing in Sources carries a banner") { file in
    guard file.isSource else { return nil }
    return first(#/MARK:|Created by|={8,}|-{8,}|\*{8,}/#, in: file.text)
  }

  static let moduleOrder = eachFile("Napkin does not know NapkinTesting, nor that it is tested") { file in
    guard file.path.hasPrefix("Sources/Napkin/") else { return nil }
    return first(#/\bimport\s+(\w+\s+)?(NapkinTesting\w*|Testing|XCTest)\b/#, in: file.code)
  }

  /// The engine explores any async code; its work for a tree of napkins is in `ExecutionHooks`.
  ///
  /// SwiftPM lets a target import a module that it does not depend on, if that happens to be built.
  static let engineImports = eachFile("the engine, and what shows its results, do not import Napkin") { file in
    let folders = ["Engine", "Splitting", "Reporting", "Linearizability", "Traits"]
    guard folders.contains(where: { file.path.hasPrefix("Sources/NapkinTesting/\($0)/") }) else { return nil }
    return first(#/\bimport\s+(\w+\s+)?Napkin\b/#, in: file.code)
  }

  /// The tests of a fixture are those of a user's package.
  static let testableImports = eachFile("of the package's tests, only NapkinTests have @testable imports") { file in
    guard !["Tests/NapkinTests/", "Fixtures/"].contains(where: file.path.hasPrefix) else { return nil }
    return file.code.contains("@testable") ? "@testable" : nil
  }

  static let unchecked = eachFile("what the compiler cannot check is listed with its reason") { file in
    guard file.isSource, !StyleExceptions.covers(file.path, .unchecked) else { return nil }
    let banned =
      #/
      nonisolated\(unsafe\) | @unchecked | @exclusivity\(unchecked\) | @_spi | @_silgen_name | \bunsafeBitCast\b | \bdlsym\b | @_?section\b
      /#
    return first(banned, in: file.code)
  }

  /// The glossary has a plain word for each of these.
  ///
  /// The tests of this rule name the words that it bans.
  static let words = eachFile("names of tests, comments and texts are in plain technical English") { file in
    guard !file.path.hasSuffix("/StyleTests.swift") else { return nil }
    let banned =
      #/
      \b(nobody|somebody|whoever|anybody|everybody|someone|anyone|everyone|no\ one|who|whom|told|tells?|telling|so\ many|
      mend(s|ed|ing)?|plain\ run|tak(es?|ing)\ turns|patience|(mak(es?|ing)|made)\ (it\ |them\ )?smaller|
      g(ives?|ave|iven|iving)\ up|overrul(e[sd]?|ing)|asleep|awake|sleepers?|latecomers?|breach(es)?|complaints?|
      let(s|ting)?\ go|com(es?|ing)\ in\ between|came\ in\ between)\b
      /#.ignoresCase()
    return first(banned, in: file.prose)
  }

  /// A reader finds the subject in the first words.
  static let subjects = eachFile("no comment of Sources begins with What, Those, Which or One that") { file in
    guard file.isSource, !file.path.hasSuffix(".md") else { return nil }
    return first(#/(?m)^[ \t]*\/\/\/?[ \t]+(What|Those|Which|One that)\b[^\n]*/#, in: file.text)
  }

  /// No compiler of Swift 6.2 is at hand.
  static let olderCompiler = eachFile("Napkin, which Swift 6.2 compiles, has no weak constant") { file in
    file.path.hasPrefix("Sources/Napkin/") ? first(#/\bweak\ let\b/#, in: file.text) : nil
  }

  static let testNames = eachFile("the name of a test has at most 80 characters") { file in
    file.testNames.first { $0.count > 80 }.map { "\($0.count): \($0)" }
  }

  /// The lists of CONTRIBUTING, "The path of a test" and others: a file, and a symbol that it declares.
  static let paths = StyleRule(description: "the paths in CONTRIBUTING are those of the code") { files in
    guard let page = files.first(where: { $0.path == "CONTRIBUTING.md" }) else { return [] }
    let steps = page.text.matches(of: #/(?m)^(\d+)\. `([^`]+)`, `([^`]+)`:/#)
    var before = ""
    return (steps.isEmpty ? ["CONTRIBUTING.md: lists no path"] : [])
      + steps.flatMap { match -> [String] in
        let (path, symbol) = (String(match.output.2), String(match.output.3))
        if match.output.1 == "1" { before = "" }
        guard
          let file = files.first(where: {
            ["Sources/NapkinTesting/\(path)", "Sources/Napkin/\(path)"].contains($0.path)
          })
        else { return ["CONTRIBUTING.md: there is no \(path)"] }
        defer { before += file.code }
        let word = try! Regex("\\b\(symbol)\\b").wordBoundaryKind(.simple)
        // In Swift, or a function of C.
        let declaration = try! Regex(
          "\\b(func|struct|class|enum|typealias) \(symbol)\\b|(?m)^\\w[^;{=\\n]*\\b\(symbol)\\([^;{}]*\\{"
        ).wordBoundaryKind(.simple)
        return (file.code.contains(declaration) ? [] : ["\(path): does not declare \(symbol)"])
          + (before.isEmpty || before.contains(word) ? [] : ["\(path): no file before it uses \(symbol)"])
      }
  }

  static let platform = StyleRule(description: "one file of a module at most asks for UIKit or AppKit") { files in
    ["Sources/Napkin/", "Sources/NapkinTesting/"].compactMap { module in
      let asking = files.filter { $0.path.hasPrefix(module) && $0.code.contains(#/canImport\((UIKit|AppKit)\)/#) }
      return asking.count > 1 ? "\(asking.map(\.path).joined(separator: ", ")) all ask" : nil
    }
  }

  /// The folders of Napkin, which use one another.
  static let rooms = eachFile("every file of Napkin is in one of its folders") { file in
    let parts = file.path.split(separator: "/")
    guard parts.starts(with: ["Sources", "Napkin"]) else { return nil }
    return parts.count == 4
      && ["Tree", "Components", "Presentation", "Diagnostics", "Observing", "Command", "Napkin.docc"].contains(parts[2])
      ? nil : "is in no folder, or in another one"
  }

  /// The folders of a module from top to bottom: each names its own types and those above it.
  ///
  /// The compiler holds that no folder of the engine names a type of the kit beside it.
  static let orders = [
    (
      module: "Sources/NapkinTesting/Engine/",
      rooms: ["Diagnostics", "Choices", "Events", "Simulation", "Hangs", "Exploration"]
    ),
    (
      module: "Sources/NapkinTesting/",
      rooms: ["Splitting", "Doubles", "Checks", "Reporting", "Fuzzing", "Linearizability", "Traits"]
    ),
  ]

  static let layers = StyleRule(description: "a folder of NapkinTesting names only itself and those above it") {
    files in
    var files = files.filter { !$0.path.hasSuffix(".md") }
    return orders.flatMap { order in
      let own = files.filter { $0.path.hasPrefix(order.module) }
      files.removeAll { $0.path.hasPrefix(order.module) }
      return misplaced(own, in: order.module, order.rooms)
    }
  }

  private static func misplaced(_ files: [SourceFile], in module: String, _ order: [String]) -> [String] {
    let placed = files.map { file in
      (file: file, level: order.firstIndex(of: String(file.path.dropFirst(module.count).prefix { $0 != "/" })))
    }
    let declaration =
      #/(?m)^([ \t]*)(?:(?:@\w+(?:\([^)]*\))?|\w+)[ \t]+)*?(?:struct|class|actor|enum|protocol|typealias)[ \t]+(\w+)/#
    // A nested type may share its name with one of a lower room, so each name belongs to the highest that declares it.
    var home: [String: Int] = [:]
    var rooms: Set<String> = []
    for case (let file, let level?) in placed {
      for match in file.code.matches(of: declaration) {
        let name = String(match.output.2)
        home[name] = min(level, home[name] ?? level)
        if match.output.1.isEmpty { rooms.insert(name) }
      }
    }
    return placed.flatMap { file, level -> [String] in
      guard let level else { return ["\(file.path): stands in none of \(order.joined(separator: ", "))"] }
      let words = Set(file.code.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init))
      return words.intersection(rooms).sorted().compactMap { name in
        guard let below = home[name], below > level else { return nil }
        return "\(file.path): names \(name), which stands below it in \(order[below])"
      }
    }
  }
}
