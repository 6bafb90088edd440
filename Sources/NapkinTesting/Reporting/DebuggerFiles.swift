// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// The commands with which a debugger replays a failure and stops at the steps that decide it: a file for gdb, one for LLDB.
///
/// They stand beside the failure in the database, and nowhere where failures are not kept, as on a hosted runner: they are
/// good on this machine alone.
package struct DebuggerFiles: Sendable {
  private let token: String
  private let stops: [(stop: DebuggerStops.Stop, title: String)]

  /// Nil where a failure has no step that decides: it fails in FIFO order, and at any breakpoint.
  package init?(_ failure: Exploration.Failure) {
    (token, stops) = (failure.schedule, failure.debuggerStops)
    if stops.isEmpty { return nil }
  }

  /// Writes both files.
  ///
  /// - Returns: A remark for the report: the command to type; nil where they cannot be written.
  package func write(_ arguments: [String], into database: FailureDatabase, for key: String) -> String? {
    guard let lldb = database.keep(lldb(arguments), for: key, as: .lldb) else { return nil }
    let command = "Debug: lldb -s \(lldb)"
    #if os(Linux)
    return database.keep(gdb(arguments), for: key, as: .gdb).map { "\(command), or gdb -x \($0)" } ?? command
    #else
    return command
    #endif
  }

  /// The commands for gdb, which run the program with these arguments.
  package func gdb(_ arguments: [String]) -> String {
    let words = arguments.dropFirst().map(Self.quoted).joined(separator: " ")
    var text = """
      set pagination off
      set confirm off
      set disable-randomization off
      file \(Self.quoted(arguments[0]))
      set args \(words)

      """
    for (name, value) in variables { text += "set environment \(name) \(value)\n" }
    for (stop, title) in stops {
      for (condition, place) in Self.ways(to: stop, address: "*address", line: { $0 }) {
        text += """
          break napkin_stop_here if \(condition)
          commands
          silent
          echo \\n\(Self.plain(title))\\n
          tbreak \(place)
          continue
          end

          """
      }
    }
    return text + "run\n"
  }

  /// The commands for LLDB.
  package func lldb(_ arguments: [String]) -> String {
    // A backtick begins an expression, whatever is around it; in a filter a dot stands for any character.
    let words = arguments.dropFirst().map { Self.quoted($0.replacing("`", with: ".")) }.joined(separator: " ")
    var text = """
      target create \(Self.quoted(arguments[0]))
      settings set target.disable-aslr false
      settings set -- target.run-args \(words)

      """
    for (name, value) in variables { text += "settings append target.env-vars \(name)=\(value)\n" }
    for (stop, _) in stops {
      for (condition, place) in Self.ways(to: stop, address: "--address `$arg2`", line: Self.fileAndLine) {
        text += """
          breakpoint set --name napkin_stop_here --condition "\(condition)"
          breakpoint command add
          breakpoint set --one-shot true \(place)
          continue
          DONE

          """
      }
    }
    return text + "run\n"
  }

  /// The breakpoints for a stop, each with its condition: at the address where the task goes on, or else at the line.
  private static func ways(
    to stop: DebuggerStops.Stop, address: String, line: (String) -> String
  ) -> [(condition: String, place: String)] {
    let step = "step == \(stop.step)"
    guard let place = stop.line else { return [(step, address)] }
    return [("\(step) && address != 0", address), ("\(step) && address == 0", line(place))]
  }

  private var variables: [(String, String)] {
    [
      ("NAPKIN_REPLAY", token), ("NAPKIN_STOP", stops.map { "\($0.stop)" }.joined(separator: ",")),
      ("SWIFT_BACKTRACE", "enable=no"),
    ]
  }

  private static func fileAndLine(_ line: String) -> String {
    guard let colon = line.lastIndex(of: ":") else { return "" }
    return "--file \(quoted(String(line[..<colon]))) --line \(line[line.index(after: colon)...])"
  }

  private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }

  /// A text with escaped backslashes and without line breaks, which a debugger would interpret.
  private static func plain(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\n", with: " ")
  }
}

extension Exploration.Failure {
  /// The command that replays the failure in a debugger, whose commands it writes; nil where there is none.
  func debuggerCommand(for key: String) -> String? {
    guard !DebuggerStops.areAsked, let files = DebuggerFiles(self), let arguments = RunningTest.arguments,
      let database = FailureDatabase.current
    else { return nil }
    return files.write(arguments, into: database, for: key)
  }

  /// The steps at which a debugger is to stop, each in words: the pair that decides, or else the first deviation.
  var debuggerStops: [(stop: DebuggerStops.Stop, title: String)] {
    if let decisivePair {
      return [decisivePair.first, decisivePair.second].map { step in
        (DebuggerStops.Stop(step: step.step, line: step.line), "Step \(step.step) decides: \(step.clause()).")
      }
    }
    guard let deviation = log.events.firstIndex(where: { $0.deviation != nil }),
      let step = log.events[deviation...].first(where: \.isStep)
    else { return [] }
    let title = "Step \(step.step) is the first that deviates from FIFO order."
    return [(DebuggerStops.Stop(step: step.step, line: step.fileAndLine), title)]
  }
}

extension Event {
  fileprivate var isStep: Bool { if case .ran = kind { true } else { false } }
}
