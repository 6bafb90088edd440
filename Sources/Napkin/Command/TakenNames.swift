// SPDX-License-Identifier: Apache-2.0
import Foundation
import PackagePlugin

/// Finds types that a new file would hide, or declare a second time.
struct TakenNames {
  let context: PluginContext
  let place: Place

  /// Throws if one of the types that files declare exists already.
  func refuse(_ files: [(url: URL, text: String)], for name: String) throws {
    for (url, text) in files {
      let names = Self.declared(in: text)
      let sources = place.target(of: url)?.sourceFiles.map(\.url) ?? []
      if let (type, file) = Self.declaring(names, in: sources) {
        throw Mistake("NAME \"\(name)\": \(type) is declared in \(place.relative(file)) already. Nothing was written.")
      }
      if let (type, module) = try owner(of: names, imports: Self.imports(in: [text] + sources.map(Self.contents))) {
        throw Mistake(
          "NAME \"\(name)\": \(type) is a type of \(module), and would be hidden by the new one. Nothing was written.")
      }
    }
  }

  /// The types at the top level of a source.
  static func declared(in text: String) -> [String] {
    text.split(separator: "\n").compactMap { line in
      guard let first = line.first, !first.isWhitespace, !line.hasPrefix("//") else { return nil }
      return line.firstMatch(of: #/\b(?:class|actor|struct|enum|protocol|typealias) (\w+)/#).map { String($0.output.1) }
    }
  }

  private func owner(of names: [String], imports: Set<String>) throws -> (type: String, module: String)? {
    if let (type, file) = Self.declaring(names, in: Self.sourcesOfNapkin()) {
      return (type, file.path.contains("/NapkinTesting/") ? "NapkinTesting" : "Napkin")
    }
    if let type = names.first(where: Self.elsewhere.contains) { return (type, "SwiftUI, UIKit or AppKit") }
    do {
      let modules = imports.union(Self.usual).subtracting(Self.own).sorted()
      let owners = try Compiler(context).owners(of: names, in: modules)
      return names.lazy.compactMap { name in owners[name].map { (name, $0) } }.first
    } catch {
      Diagnostics.warning("Whether the new types hide others was not found out: \(error)")
      return nil
    }
  }

  private static func imports(in texts: [String]) -> Set<String> {
    Set(
      texts.flatMap { text in
        text.matches(of: #/(?m)^(?:[\w@()]+ )*import (?:\w+ )?(\w+)/#).map { String($0.output.1) }
      })
  }

  static func declaring(_ names: [String], in files: [URL]) -> (type: String, file: URL)? {
    for file in files {
      let text = contents(file)
      if let name = names.first(where: { text.contains(" \($0)") && GeneratedFile.declares($0, in: text) }) {
        return (name, file)
      }
    }
    return nil
  }

  private static func contents(_ file: URL) -> String { (try? String(contentsOf: file, encoding: .utf8)) ?? "" }

  /// The sources of both products: a plugin is compiled where it lies, among them.
  private static func sourcesOfNapkin() -> [URL] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL
    return ["Napkin", "NapkinTesting"].flatMap { product in
      let folder = root.appending(path: product)
      let paths = FileManager.default.subpaths(atPath: folder.path) ?? []
      return paths.filter { $0.hasSuffix(".swift") && !$0.hasPrefix("Command/") }.map { folder.appending(path: $0) }
    }
  }

  private static let own: Set<String> = ["Napkin", "NapkinTesting"]

  /// The modules that apps import sooner or later.
  private static let usual: Set<String> = [
    "Swift", "_Concurrency", "Foundation", "Observation", "SwiftUI", "UIKit", "AppKit",
  ]

  /// Types of Apple's frameworks that a template could make, for machines without these, where no compiler can be asked.
  private static let elsewhere: Set<String> = [
    "AnyView", "CommandsBuilder", "ContentUnavailableView", "EmptyView", "KeyframesBuilder", "NavigationView",
    "NSSplitViewController", "NSTabViewController", "NSViewController", "ProgressView", "SceneBuilder", "ScrollView",
    "SubscriptionView", "TabView", "TableColumnBuilder", "TableRowBuilder", "TimelineView", "ToolbarContentBuilder",
    "TupleView", "UIActivityViewController", "UIInputViewController", "UIPageViewController", "UISplitViewController",
    "UIViewController", "ViewBuilder",
  ]
}
