// SPDX-License-Identifier: Apache-2.0
import Foundation
import PackagePlugin

/// The compiler, asked which types modules have.
struct Compiler {
  private let tool: URL
  private let leading: [String]
  private let folder: URL

  init(_ context: PluginContext) throws {
    #if os(macOS)
    // By itself it does not know where the SDK is.
    (tool, leading) = (URL(filePath: "/usr/bin/xcrun"), ["swiftc"])
    #else
    (tool, leading) = (try context.tool(named: "swiftc").url, [])
    #endif
    folder = context.pluginWorkDirectoryURL
  }

  /// For each name that a module has a type of, a module that has it.
  ///
  /// A module that is not on this machine has none.
  func owners(of names: [String], in modules: [String]) throws -> [String: String] {
    var lines = modules.flatMap { ["#if canImport(\($0))", "import \($0)", "#endif"] }
    var asked: [Int: (name: String, module: String)] = [:]
    for module in modules {
      lines.append("#if canImport(\(module))")
      for name in names {
        lines.append("typealias Asked\(asked.count) = \(module).\(name)")
        asked[lines.count] = (name, module)
      }
      // The error about this name shows that the questions about the module were answered.
      lines += ["typealias Asked\(asked.count) = \(module).\(Self.nothing)", "#endif"]
      asked[lines.count - 1] = (Self.nothing, module)
    }
    let messages = try messages(about: lines.joined(separator: "\n") + "\n")
    guard messages.keys.allSatisfy({ asked[$0] != nil }) else {
      throw Mistake("the compiler says: \(messages.values.joined().prefix(500))")
    }
    // Of a module that is not there it says nothing at all.
    let answering = Set(asked.filter { $0.value.name == Self.nothing && messages[$0.key] != nil }.map(\.value.module))
    var owners: [String: String] = [:]
    for (line, (name, module)) in asked.sorted(by: { $0.key < $1.key }) where answering.contains(module) {
      if messages[line]?.contains("no type named") != true { owners[name] = owners[name] ?? module }
    }
    return owners
  }

  private static let nothing = "NoTypeHasThisName"

  /// The compiler's diagnostics of a source, by lines; one about no line is about line 0.
  private func messages(about source: String) throws -> [Int: String] {
    let file = folder.appending(path: "Asked.swift")
    try source.write(to: file, atomically: true, encoding: .utf8)
    let process = Process()
    process.executableURL = tool
    process.arguments = leading + ["-typecheck", "-diagnostic-style", "llvm", file.path]
    let output = Pipe()
    process.standardError = output
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    var messages: [Int: String] = [:]
    for line in text.split(separator: "\n") where line.contains(": error: ") {
      let place = line.dropFirst(line.hasPrefix(file.path + ":") ? file.path.count + 1 : line.count)
      messages[Int(place.prefix { $0.isNumber }) ?? 0, default: ""] += line + "\n"
    }
    return messages
  }
}
