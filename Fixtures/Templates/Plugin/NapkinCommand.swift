// SPDX-License-Identifier: Apache-2.0
import Foundation
import PackagePlugin

/// `swift package napkin …`: writes a napkin, its tests, and what an app has around it, from the templates beside this file.
@main
struct NapkinCommand: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) async throws {
    var arguments = arguments
    let command = arguments.isEmpty ? "help" : arguments.removeFirst()
    switch command {
    case "new":
      try Scaffold(request: Request(arguments), package: context.package).write()
    case "doubles":
      try Doubles(arguments, package: context.package, packageManager: packageManager).write()
    case "xcode-templates":
      try XcodeTemplates.write(arguments, package: context.package)
    case "merge":
      try Merge(arguments).report()
    case "help", "--help", "-h":
      print(help)
    default:
      throw Mistake("\"\(command)\" is no command of napkin. \(commands)")
    }
  }

  private var commands: String { "There are new, doubles, xcode-templates, merge and help." }

  private var help: String {
    """
    swift package --allow-writing-to-package-directory napkin new NAME [options]

      --kind KIND            napkin (unless given), component-extension, service-manager, app-entry or tests
      --view VIEW            swiftui (unless given), controller or none
      --launch               a root, which comes up in a window and has no listener
      --child NAME           a napkin below it; may be given several times
      --service              a service behind the service manager
      --tests                writes tests, too
      --into FOLDER          the folder in which NAME's folder is made; unless given, that of the only target
      --tests-into FOLDER    the folder of the tests; unless given, that of the only test target of the target

    Existing files are never overwritten.

    swift package --allow-writing-to-package-directory napkin doubles --target TARGET PROTOCOL… [options]

      --target TARGET        the target that has the protocols; unless given, the only one that is no test
      --into FOLDER          the folder of the tests; unless given, that of the only test target of the target
      --overwrite            also writes files anew that were changed by hand

    A double is plain Swift that is yours to change: a recorder, stubs, and a line or two for each requirement.

    swift package --allow-writing-to-package-directory napkin xcode-templates --into FOLDER

      writes the same templates as file templates for Xcode.

    swift package napkin merge FILE…

      counts what shards have written to NAPKIN_LOG together: executions, labels, failures, and the conditions of
      Execution.sometimes, which fail it where too few of all executions met them. It writes nothing.
    """
  }
}

/// What the user can put right: it names the argument and the value.
struct Mistake: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
