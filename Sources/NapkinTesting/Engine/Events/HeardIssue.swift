// SPDX-License-Identifier: Apache-2.0

internal import Foundation
package import Testing

/// An issue that the body of an exploration recorded, by whichever way it was heard of.
package struct HeardIssue: Sendable, Equatable {
  /// The issue as the test run would print it, without its place.
  package var text: String
  package var sourceLocation: SourceLocation?

  /// Whether it makes the execution a failure; if not, it is a warning or known.
  package var isFailure: Bool

  /// Whether the body expects it, by `withKnownIssue`.
  package var isKnown = false

  /// The diagnostic that the kit recorded as this issue; nil for an issue of the test's own.
  package var diagnostic = Diagnostic.recorded

  package init(text: String, sourceLocation: SourceLocation?, isFailure: Bool) {
    self.text = text
    self.sourceLocation = sourceLocation
    self.isFailure = isFailure
  }

  /// Takes an issue that the body recorded.
  package init(_ issue: Issue) {
    let comments = issue.comments.map(\.rawValue).joined(separator: "\n")
    let text =
      if case .unconditional = issue.kind {
        comments.isEmpty ? "Issue recorded" : comments
      } else {
        comments.isEmpty ? "\(issue.kind)" : "\(issue.kind): \(comments)"
      }
    self.init(text: text, sourceLocation: issue.sourceLocation, isFailure: issue.isFailure)
    isKnown = !issue.isFailure && issue.severity == .error
  }

  /// Whether a variable was expected to be nil and refers to an object, as where a weak one is to say that the object is gone.
  package var expectsNil: Bool {
    diagnostic == nil
      && text.contains(#/^Expectation failed: \(\w+ → [A-Za-z_]\w*(\.(\w+|\(unknown context at \$\w+\)))+\) == nil/#)
  }

  /// Says which tasks may keep the object that was expected to be gone.
  package mutating func add(_ tasks: [UnendedTask]) {
    guard !tasks.isEmpty else { return }
    let which = tasks.map(\.whereabouts).listed(limit: 3)
    var kept = Diagnostic(
      .expectation,
      "An object is kept that is expected to be gone, and \(which) \(tasks.count == 1 ? "has" : "have") not ended.\n\(text)",
      likelyCause:
        "\(tasks.count == 1 ? "that task" : "one of those tasks") holds it, or a strong reference closes a cycle.",
      suggestion: "let the task hold it weakly also while it waits, or end the task when its owner is no longer used.")
    kept.subject = .keptObject
    diagnostic = kept
  }

  /// The issue as a warning of its exploration, or as a known issue; it keeps its place.
  package var warning: Diagnostic {
    var warning = diagnostic ?? Diagnostic(.warning, text)
    if isKnown { warning.kind = .knownIssue }
    warning.sourceLocation = sourceLocation
    warning.subject = .recorded("\(sourceLocation.map { "\($0.fileID):\($0.line)" } ?? "") \(text)")
    return warning
  }

  /// Reads an issue from the record of an event, in the JSON that testing libraries pass to each other.
  ///
  /// - Returns: nil if the event is another one, or an issue that is known to occur.
  package init?(record: some Sequence<UInt8>) {
    guard let payload = try? JSONDecoder().decode(Record.self, from: Data(record)).payload,
      payload.kind == "issueRecorded", let issue = payload.issue, issue.isKnown != true
    else { return nil }
    var texts = (payload.messages ?? []).compactMap(\.text)
    if texts.count > 1, texts[0] == "Issue recorded" { texts.removeFirst() }
    text = texts.joined(separator: "\n")
    // A record of an earlier schema does not say: it counts as a failure, so that none is taken for a warning.
    isFailure = issue.isFailure ?? true
    if let place = issue.sourceLocation, let file = place.fileID, let line = place.line {
      sourceLocation = SourceLocation(
        fileID: file, filePath: place._filePath ?? place.filePath ?? file, line: line, column: place.column ?? 1)
    }
  }

  private struct Record: Decodable {
    struct Payload: Decodable {
      var kind: String?
      var issue: Issue?
      var messages: [Message]?
    }
    struct Message: Decodable { var text: String? }
    struct Issue: Decodable {
      var isKnown: Bool?
      var isFailure: Bool?
      var sourceLocation: Place?
    }
    struct Place: Decodable {
      var fileID: String?
      var filePath: String?
      var _filePath: String?
      var line: Int?
      var column: Int?
    }
    var payload: Payload
  }
}

extension Diagnostic {
  /// Records the diagnostic as one issue of the running test, at the line of the caller.
  package func record(at sourceLocation: SourceLocation) {
    Self.$recorded.withValue(self) {
      _ = Issue.record(Comment(rawValue: description), sourceLocation: sourceLocation)
    }
  }

  /// The diagnostic that is recorded by the calling code; an exploration receives the issue while it is set.
  @TaskLocal package static var recorded: Diagnostic?
}

/// A task of an execution that does not end by itself, and that no other task waits for.
package struct UnendedTask: Sendable {
  /// The name in a report.
  package let title: String

  /// The outermost function of the code under test that it is in, which is the closure that it was created with.
  package let function: SourcePlace

  /// The line that created it; nil where the timeline is not kept.
  package let start: SourcePlace?

  /// The place at which it resumes, if it ever does.
  package let resumption: SourcePlace?

  /// Whether it sleeps again and again.
  package let polls: Bool

  /// The task, the line that created it, and the place at which it waits.
  package var whereabouts: String {
    let parts = [
      start.map { "created at \($0.fileAndLine ?? $0.text)" }, resumption.map { "waiting at \($0.located())" },
    ].compactMap(\.self)
    return parts.isEmpty ? title : "\(title) (\(parts.joined(separator: ", ")))"
  }
}
