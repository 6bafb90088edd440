// SPDX-License-Identifier: Apache-2.0
import Foundation
import PackagePlugin

/// `swift package napkin …`: writes napkins, their tests, app entries, doubles or Xcode templates.
@main
struct NapkinCommand: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) async throws {
    var arguments = arguments
    let command = arguments.isEmpty ? "help" : arguments.removeFirst()
    if let help = Help.commands.first(where: { $0.name == command }), !Help.asks.isDisjoint(with: arguments) {
      return print(help.text)
    }
    switch command {
    case "new":
      try Scaffold(request: Request(arguments), context).write()
    case "doubles":
      try Doubles(arguments, package: context.package, packageManager: packageManager).write()
    case "xcode-templates":
      try XcodeTemplates.write(arguments, package: context.package)
    case "help", "--help", "-h":
      print(try Help.text(for: arguments))
    default:
      throw Mistake("\"\(command)\" is no command of napkin. \(Help.list)")
    }
  }
}

/// A mistake that the user can put right: it names the argument and the value.
struct Mistake: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
