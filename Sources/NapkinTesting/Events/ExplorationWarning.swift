// SPDX-License-Identifier: Apache-2.0

package import Testing

/// A reason to trust a passing exploration less than its number of executions suggests.
///
/// An execution adds one with `ExecutionScope.warn(_:)`, or with `Scheduler.warn(_:)`; the exploration keeps one for each `id`, with the number of executions
/// that added it. It ends as a warning of the test, in ``Exploration/warnings`` and in the exploration's description.
package struct ExplorationWarning: Sendable {
  /// What the warning is about, such as "shared actor Database": equal in every execution that meets the same thing.
  package var id: String

  /// What happened, the likely cause, what to do, and where to record it; no line for that of the exploration.
  package var diagnostic: Diagnostic

  /// In how many of how many executions it was added; nil for all.
  package var frequency: (seen: Int, of: Int)?

  package init(_ id: String, _ diagnostic: Diagnostic) {
    self.id = id
    self.diagnostic = diagnostic
  }

  package init(
    _ id: String, kind: Diagnostic.Kind = .warning, _ summary: String, likelyCause: String, suggestion: String,
    sourceLocation: SourceLocation? = nil
  ) {
    self.init(id, Diagnostic(kind, summary, likelyCause: likelyCause, suggestion: suggestion, at: sourceLocation))
  }

  /// A warning that the body recorded; it keeps its place.
  package init(_ issue: HeardIssue) {
    let place = issue.sourceLocation.map { "\($0.fileID):\($0.line)" } ?? ""
    var diagnostic = issue.diagnostic ?? Diagnostic(.warning, issue.text)
    diagnostic.sourceLocation = issue.sourceLocation
    self.init("recorded \(place) \(issue.text)", diagnostic)
  }

  /// The diagnostic as text, and how often it was seen.
  package var text: String {
    guard let frequency else { return diagnostic.description }
    return "\(diagnostic)\nSeen in \(frequency.seen.grouped) of \(frequency.of.grouped) executions."
  }
}
