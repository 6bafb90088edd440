// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// Shows on a terminal how far an exploration is, if it takes more than two seconds.
///
/// It is a line that is written over and in the end wiped out. Where errors do not go to a terminal, as under `swift test`, a line
/// is added every ten seconds. Nothing is decided by the time that it shows.
@MainActor
package final class ProgressLine {
  /// The one that has the line: explorations of several tests go on at the same time.
  private static weak var shown: ProgressLine?
  private static weak var added: ProgressLine?

  /// Whether errors go to a terminal, whose line can be written over.
  package static let isAtTerminal = napkin_error_is_terminal() && Environment["CI"] == nil

  /// Writes to standard error.
  package static let terminal: (String) -> Void = { napkin_write_error($0, $0.utf8.count) }

  private var delay: Duration { isRewritten ? .seconds(2) : .seconds(10) }
  private var pause: Duration { isRewritten ? .milliseconds(200) : .seconds(10) }

  private let executions: Int?
  private let budget: Duration?
  private let isRewritten: Bool
  /// Whether it adds lines to an output of its own, which no other one has.
  private let isAlone: Bool
  private let write: (String) -> Void
  private var last = Duration.zero

  /// Creates a line that shows nothing yet.
  ///
  /// - Parameters:
  ///   - executions: How many there will be, if that is known.
  ///   - budget: How long it may take, if the time ends it.
  ///   - isRewritten: Whether the text goes to a terminal.
  ///   - write: Puts text on the terminal; standard error if it is nil.
  package init(
    executions: Int?, budget: Duration?, isRewritten: Bool = ProgressLine.isAtTerminal,
    write: ((String) -> Void)? = nil
  ) {
    self.isRewritten = isRewritten
    self.executions = executions
    self.budget = budget
    self.write = write ?? Self.terminal
    isAlone = write != nil && !isRewritten
  }

  /// Shows how far the exploration is, unless it is too early, or was just shown.
  package func show(executions done: Int, schedules: Int?, elapsed: Duration) {
    guard elapsed >= delay, elapsed - last >= pause else { return }
    let holder = isRewritten ? Self.shown : Self.added
    guard isAlone || holder == nil || holder === self else { return }
    if isRewritten { Self.shown = self } else if !isAlone { Self.added = self }
    last = elapsed
    write(isRewritten ? Self.clear + line(done, schedules, elapsed) : line(done, schedules, elapsed) + "\n")
  }

  /// Shows that a failure was found, and is being shrunk.
  package func failed(execution: Int) {
    guard isRewritten, Self.shown === self else { return }
    write(Self.clear + "napkin: execution \(execution.grouped) failed; shrinking it …")
  }

  /// Wipes the line out.
  package func end() {
    if Self.added === self { Self.added = nil }
    guard Self.shown === self else { return }
    write(Self.clear)
    Self.shown = nil
  }

  // Back to the first column, and the rest of the line away.
  private static let clear = "\r\u{1B}[K"

  private func line(_ done: Int, _ schedules: Int?, _ elapsed: Duration) -> String {
    let rate = Double(done) / (elapsed / .seconds(1))
    var parts = [done.grouped + (executions.map { " of \($0.grouped)" } ?? "") + " executions"]
    if let schedules { parts.append("\(schedules.grouped) schedules") }
    parts.append("\(Int(rate).grouped)/s")
    if let budget {
      parts.append("\(max(.zero, budget - elapsed).rounded) left")
    } else if let executions, rate > 0 {
      parts.append("\(Duration.seconds((Double(max(0, executions - done)) / rate).rounded(.up)).rounded) left")
    }
    return "napkin: " + parts.joined(separator: " · ")
  }
}
