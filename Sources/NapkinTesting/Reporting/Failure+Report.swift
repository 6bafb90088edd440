// SPDX-License-Identifier: Apache-2.0

package import Testing

extension Exploration.Failure: CustomStringConvertible {
  /// The same as ``report``.
  public var description: String { report }

  /// The shrunk execution, step by step: a lane for each task, time going down.
  ///
  /// It has 400 lines at most, and says where it leaves something out. The report of the failure shows the 40
  /// that matter most.
  public var timeline: String {
    Story(of: log, marking: decisivePair).lanes(limit: 400)
  }

  /// The failure as an HTML page that needs nothing but a browser.
  ///
  /// It has the lanes by task or by actor, the tree beside them as it changes, and the drawn values. A failed test attaches
  /// it, and writes it to the folder that `NAPKIN_REPORT_DIR` names.
  ///
  /// - Parameter title: The heading of the page.
  /// - Returns: The page.
  public func htmlReport(title: String) -> String { HTMLPage(of: self, title: title).text }

  /// Reports the failure to the test run, as one issue, with the page as an attachment.
  package func record(sourceLocation: SourceLocation) {
    let place = self.sourceLocation ?? sourceLocation
    var failure = self
    // An exploration that did not begin, or that ran on the thread pool, has no timeline.
    let test = Test.current
    if !schedule.isEmpty {
      var html = HTMLPage(of: self, title: test.map { $0.displayName ?? $0.name } ?? "\(place)")
      html.test = test.map { ($0.name, $0.sourceLocation) }
      let page = html.text
      let id = test == nil ? "\(place.fileID):\(place.line)" : FailureDatabase.testKey
      if let folder = ReportFolder.current {
        let message = messages.first?.split(whereSeparator: \.isNewline).first.map(String.init)
        failure.remarks.append(folder.write(page, test: id, token: schedule, message: message ?? ""))
      }
      if test != nil {
        Attachment.record(page, named: ReportFolder.name(test: id, token: schedule) + ".html", sourceLocation: place)
      }
    }
    if FailureDatabase.current != nil { failure.remarks += [debuggerStop].compactMap(\.self) }
    let report = failure.report
    Autopsy.write(report)
    Issue.record(Comment(rawValue: report), sourceLocation: place)
  }

  /// The breakpoint at the steps that decide or, where no pair does, at the first deviation; nil where there is none.
  package var debuggerStop: String? {
    var steps = decisivePair.map { [$0.first.step, $0.second.step] } ?? []
    if steps.isEmpty, let deviation = log.events.firstIndex(where: { $0.deviation != nil }) {
      let step = log.events[deviation...].first { if case .ran = $0.kind { true } else { false } }
      steps = [step?.step].compactMap(\.self)
    }
    if steps.isEmpty { return nil }
    return "Debug: break at napkin_stop_here if \(steps.map { "step == \($0)" }.joined(separator: " || "))"
  }

  /// The whole report: what happened, the likely cause, what to do, the interleaving, and last how to replay it.
  ///
  /// It is the text of the issue that a failed test has, and what `print(failure)` writes.
  public var report: String {
    // Without a token there is no execution to explain.
    if schedule.isEmpty { return messages.joined(separator: "\n") }
    let lanes = Story(of: log, marking: decisivePair).lanes(limit: 40)
    let parts =
      [summary, lanes.isEmpty ? "" : "\n\(lanes)\n", provenance] + explanation.explanation + remarks + [
        "Replay: .replay(\"\(schedule)\")"
      ]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// The pair of steps that decides, what happened, the likely cause and the suggestion; a diagnostic that has a cause of its
  /// own keeps it.
  ///
  /// Where the body is not deterministic, that comes first, and no other cause is named.
  var summary: String { (decisivePair.map { "\($0)\n" } ?? "") + happening }

  private var happening: String {
    let messages = doubt == nil ? messages : diagnostics.map(\.summary) + self.messages.dropFirst(diagnostics.count)
    let least = messages.count < Diagnostic.mostBrokenRules ? "" : "at least "
    let shown = messages.count > 6 ? messages.prefix(5) + ["… and \(least)\(messages.count - 5) more"] : messages[...]
    let happened = shown.joined(separator: "\n")
    if var doubt {
      doubt.summary += "\n\(happened)"
      return doubt.description
    }
    if diagnostics.contains(where: { $0.likelyCause != nil }) { return happened }
    let cause = LikelyCause(of: self)
    return "\(lead(to: cause))\(happened)\nLikely cause: \(cause.text)\nWhat to do: \(cause.remedy)"
  }

  /// The beginning of a first sentence that names what was drawn, where that alone leads to the failure; empty elsewhere.
  private func lead(to cause: LikelyCause) -> String {
    guard case .data = cause, neededDraws == 1, draws.count == 1, draws[0].count <= Self.longestLead,
      !draws[0].contains(where: \.isNewline)
    else { return "" }
    return "It fails with \(draws[0]), in no special order of the tasks: "
  }

  private static let longestLead = 100

  /// The execution that failed, and the cost of shrinking it.
  var provenance: String {
    var text = "Found in execution \(execution) with seed \(seed)"
    if distinctSchedules > 1 { text += ", among \(distinctSchedules) different schedules" }
    if shrinking.executions > 0 {
      text += "; shrunk in \(shrinking.executions) \(shrinking.executions == 1 ? "execution" : "executions")"
      if shrinking.didExhaustBudget { text += ", the whole budget" }
    }
    return text + "."
  }
}
