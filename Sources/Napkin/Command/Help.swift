// SPDX-License-Identifier: Apache-2.0

/// Each command's text about itself: `napkin help`, `napkin help new`, `napkin new --help`.
struct Help {
  let name: String
  let text: String

  /// The arguments of a command that ask for its help.
  static let asks: Set<String> = ["--help", "-h"]

  static var list: String { "There are \(commands.map(\.name).joined(separator: ", ")) and help." }

  /// The help of the command that is named, or of all.
  static func text(for arguments: [String]) throws -> String {
    guard let name = arguments.first else { return commands.map(\.text).joined(separator: "\n\n") }
    guard let command = commands.first(where: { $0.name == name }) else {
      throw Mistake("\"\(name)\" is no command of napkin. \(list)")
    }
    return command.text
  }

  static let commands = [
    Help(
      name: "new",
      text: """
        swift package --allow-writing-to-package-directory napkin new NAME [options]

          --kind KIND            napkin (unless given), component-extension, service-manager, app-entry or tests
          --view VIEW            swiftui (unless given), controller or none
          --launch               a root, which comes up in a window and has no listener
          --child NAME           a napkin below it; may be given several times
          --service              a service behind the service manager
          --tests                writes tests, too
          --into FOLDER          the folder in which NAME's folder is made; unless given, that of the only target
          --tests-into FOLDER    the folder of the tests; unless given, that of the only test target of the target

        Existing files are never overwritten, and no type is written that the target or a module has already.
        """),
    Help(
      name: "doubles",
      text: """
        swift package --allow-writing-to-package-directory napkin doubles --target TARGET PROTOCOL… [options]

          --target TARGET        the target that has the protocols; unless given, the only one that is no test
          --into FOLDER          the folder of the tests; unless given, that of the only test target of the target
          --overwrite            also writes files anew that were changed by hand

        A double is plain Swift that is yours to change: a recorder, stubs, and a line or two for each requirement.
        """),
    Help(
      name: "xcode-templates",
      text: """
        swift package --allow-writing-to-package-directory napkin xcode-templates --into FOLDER

          writes the same templates as file templates for Xcode.
        """),
  ]
}
