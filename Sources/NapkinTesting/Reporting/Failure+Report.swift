// SPDX-License-Identifier: Apache-2.0

package import Testing

extension Exploration.Failure {
  /// The shrunk execution, step by step: a lane for each task, time going down.
  ///
  /// It has 400 lines at most, and says where it leaves something out. The report of the failure shows the 40
  /// that matter most.
  public var timeline: String {
    Story(of: log).lanes(limit: 400)
  }

  /// The shrunk execution as a Mermaid sequence diagram: tasks, actors, and which task enters which actor when.
  ///
  /// Put it into a fenced block that says `mermaid` in an issue or a pull request. It has the last 400 events.
  public var sequenceDiagram: String { Mermaid.sequenceDiagram(of: log) }

  /// The failure as an HTML page that needs nothing but a browser.
  ///
  /// It has the lanes by task or by actor, the tree beside them as it changes, and what was drawn. A failed test attaches
  /// it, and writes it to the folder that `NAPKIN_REPORT_DIR` names.
  ///
  /// - Parameter title: What the page is called.
  /// - Returns: The page.
  public func htmlReport(title: String) -> String { HTMLPage(of: report, title: title).text }

  /// Reports the failure to the test run, as one issue, with the page as an attachment.
  package func record(sourceLocation: SourceLocation) {
    let place = self.sourceLocation ?? sourceLocation
    var report = report
    // An exploration that did not begin, or that ran on the thread pool, has no timeline.
    let test = Test.current
    if !schedule.isEmpty {
      var html = HTMLPage(of: report, title: test.map { $0.displayName ?? $0.name } ?? "\(place)")
      html.test = test.map { ($0.name, $0.sourceLocation) }
      let page = html.text
      let id = test.map { "\($0.id)" } ?? "\(place.fileID):\(place.line)"
      if let folder = ReportFolder.current { report.remarks.append(folder.write(page, test: id, token: schedule)) }
      if test != nil {
        Attachment.record(page, named: ReportFolder.name(test: id, token: schedule) + ".html", sourceLocation: place)
      }
    }
    Autopsy.write(report.text)
    Issue.record(Comment(rawValue: report.text), sourceLocation: place)
  }

  /// The failure as a report: its text has the line that replays it last.
  package var report: FailureReport {
    var report = FailureReport(diagnostics, draws: draws, cancellations: cancellations, token: schedule)
    report.sequence = sequence
    report.log = log
    report.execution = execution
    report.seed = seed
    report.distinctSchedules = distinctSchedules
    report.shrinkingExecutions = shrinking.executions
    report.isShrinkingCutShort = shrinking.didExhaustBudget
    report.remarks = remarks
    report.needsInterleaving = needsInterleaving
    report.explanation = explanation
    return report
  }
}
