// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime
internal import Testing

/// The line on standard output that says what a passing exploration was worth.
///
/// It has the form of Swift Testing's own lines. `NAPKIN_QUIET=1` turns it off.
enum PassLine {
  /// Prints the line of an exploration, unless it failed, which has a report.
  static func print(_ exploration: Exploration, at sourceLocation: SourceLocation) {
    guard exploration.failure == nil, !isQuiet, !RunLog.isOnOutput else { return }
    let line = "◇ \(subject(sourceLocation)) explored \(exploration.worth)\n"
    napkin_write_output(line, line.utf8.count)
  }

  private static var isQuiet: Bool {
    guard let value = Environment["NAPKIN_QUIET"] else { return false }
    return !value.isEmpty && value != "0"
  }

  private static func subject(_ sourceLocation: SourceLocation) -> String {
    guard let test = Test.current else { return "\(sourceLocation.fileName):\(sourceLocation.line)" }
    return "Test \(test.displayName.map { "\"\($0)\"" } ?? test.name)"
  }
}

extension Exploration {
  /// Executions, different schedules, what is likely to be left and warnings, in a sentence without its subject.
  package var worth: String {
    var text = "\(executions.grouped) \(executions == 1 ? "execution" : "executions")"
    if distinctSchedules > 0 {
      text +=
        ", \(distinctSchedules.grouped) different \(distinctSchedules == 1 ? "schedule" : "schedules") \(countedBy)"
    }
    if isExhaustive {
      text += claimOfAll
    } else if let unseen = saturation.estimatedUnseenProbability {
      text += "; about \(Self.percent(unseen)) of further executions would be new"
    }
    if let preemptions {
      text += preemptions == 0 ? "; no step was split" : "; steps were split at \(preemptions.grouped) accesses"
    }
    if !diagnostics.isEmpty { text += "; \(diagnostics.count) \(diagnostics.count == 1 ? "warning" : "warnings")" }
    return text + "."
  }
}
