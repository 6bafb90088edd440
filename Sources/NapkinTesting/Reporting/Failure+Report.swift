// SPDX-License-Identifier: Apache-2.0

package import Testing

extension Exploration.Failure {
  /// The shrunk execution, step by step: a lane for each task, time going down.
  ///
  /// It has 400 lines at most, and says where it leaves something out. The report of the failure shows the 40 that tell
  /// most.
  public var timeline: String {
    Story(of: log).lanes(limit: 400)
  }

  /// Tells the failure to the test run, as one issue.
  package func record(of exploration: Exploration, sourceLocation: SourceLocation) {
    Issue.recordEverywhere(report(of: exploration), at: self.sourceLocation ?? sourceLocation)
  }

  /// The failure as text, with the line that replays it last.
  package func report(of exploration: Exploration) -> String {
    var report = FailureReport(messages: messages, token: schedule)
    report.sequence = sequence
    report.log = log
    report.execution = execution
    report.seed = seed
    report.distinctSchedules = exploration.distinctSchedules
    report.shrinkingExecutions = shrinking.executions
    report.isShrinkingCutShort = shrinking.isBudgetSpent
    report.remarks = remarks
    return report.text
  }
}
