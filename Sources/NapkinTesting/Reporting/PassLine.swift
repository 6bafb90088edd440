// SPDX-License-Identifier: Apache-2.0

internal import Testing

/// The line on standard output that sums up a passing exploration.
///
/// `NAPKIN_VERBOSE=1` prints it for each when it is over; otherwise a run has a ``RunSummary`` at its end.
enum PassLine {
  /// Takes a passing exploration; a failing one has a report.
  static func print(_ exploration: Exploration, at sourceLocation: SourceLocation) {
    guard exploration.failure == nil else { return }
    let entry = RunSummary.Entry(of: exploration, named: subject(sourceLocation), inModule: sourceLocation.moduleName)
    if isSet("NAPKIN_VERBOSE") { RunSummary.write(entry) } else { RunSummary.add(entry) }
  }

  private static func isSet(_ variable: String) -> Bool {
    guard let value = Environment[variable] else { return false }
    return !value.isEmpty && value != "0"
  }

  /// The test by its suite, with its arguments; a line of code where no test of Swift Testing runs.
  private static func subject(_ sourceLocation: SourceLocation) -> String {
    guard let test = Test.current else { return "\(sourceLocation.fileName):\(sourceLocation.line)" }
    let id = "\(test.id)"
    // The module comes first, and the file and the line last.
    let path = id.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    let name = path.drop { $0 != "." }.dropFirst()
    // Arguments are known by their JSON, in which a slash is escaped.
    let arguments = FailureDatabase.testKey.dropFirst(id.count).replacing(#"\/"#, with: "/")
    return String(name.isEmpty ? path[...] : name) + arguments
  }
}

extension Exploration {
  /// A sentence without its subject: executions, discards, schedules, the share of new schedules, preemptions and warnings.
  package var worth: String {
    var text =
      "\(executions.grouped) \(executions == 1 ? "execution" : "executions")\(Self.discarded(discardedExecutions))"
    if distinctSchedules > 0 {
      text +=
        ", \(distinctSchedules.grouped) different \(distinctSchedules == 1 ? "schedule" : "schedules") \(countedBy)"
    }
    if !claimOfAll.isEmpty {
      text += claimOfAll
    } else if let unseen = saturation.estimatedUnseenProbability {
      text += "; about \(Self.percent(unseen)) of further executions would be new"
    }
    if let preemptions, Instrumentation.splitsSteps {
      text += preemptions == 0 ? "; no step was split" : "; steps were split at \(Self.accesses(preemptions))"
    }
    if !diagnostics.isEmpty { text += "; \(diagnostics.count) \(diagnostics.count == 1 ? "warning" : "warnings")" }
    return text + "."
  }
}
