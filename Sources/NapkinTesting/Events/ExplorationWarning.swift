// SPDX-License-Identifier: Apache-2.0

package import Testing

/// A reason to trust a passing exploration less than its number of executions suggests.
///
/// An execution adds one with `ExecutionScope.warn(_:)`, or with `Scheduler.warn(_:)`; the exploration keeps one for each `id`, with the number of executions
/// that added it. It ends as a warning of the test, in ``Exploration/warnings`` and in the exploration's description.
package struct ExplorationWarning: Sendable, Hashable {
  /// What the warning is about, such as "shared actor Database": equal in every execution that meets the same thing.
  package var id: String

  /// What happened, the likely cause and what to do, one line each.
  package var text: String

  /// Where to record it; nil for the line of the exploration.
  package var sourceLocation: SourceLocation?

  package init(_ id: String, text: String, sourceLocation: SourceLocation? = nil) {
    self.id = id
    self.text = text
    self.sourceLocation = sourceLocation
  }

  package init(
    _ id: String, _ summary: String, likelyCause: String, suggestion: String, sourceLocation: SourceLocation? = nil
  ) {
    self.init(
      id, text: "\(summary)\nLikely cause: \(likelyCause)\nWhat to do: \(suggestion)", sourceLocation: sourceLocation)
  }

  /// A warning that the body recorded; it keeps its place.
  package init(_ issue: HeardIssue) {
    let place = issue.sourceLocation.map { "\($0.fileID):\($0.line)" } ?? ""
    self.init("recorded \(place) \(issue.text)", text: issue.text, sourceLocation: issue.sourceLocation)
  }
}
