// SPDX-License-Identifier: Apache-2.0

package import Testing

extension Exploration.Failure {
  /// The interleaving of the shrunk execution, a line a step.
  public var timeline: String {
    log.events.map { event in "\(event.step)\t\(event.task.map(log.title(ofTask:)) ?? "")\t\(event.kind)" }
      .joined(separator: "\n")
  }

  /// Tells the failure to the test run, as one issue.
  package func record(of exploration: Exploration, sourceLocation: SourceLocation) {
    Issue.record(Comment(rawValue: report(of: exploration)), sourceLocation: self.sourceLocation ?? sourceLocation)
  }

  /// The failure as text.
  package func report(of exploration: Exploration) -> String {
    """
    \(messages.joined(separator: "\n"))

    \(timeline)

    replay: .replay("\(schedule)")
    """
  }
}
