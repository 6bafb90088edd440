// SPDX-License-Identifier: Apache-2.0

package import Testing

/// One thing that went wrong: what happened, the likely cause, and what to do about it.
package struct Diagnostic: Sendable, Equatable, CustomStringConvertible {
  /// What kind of thing went wrong.
  package enum Kind: Sendable, Hashable {
    /// An argument that cannot be used, or a call that cannot be answered.
    case misuse
    /// An expectation of the kit that does not hold.
    case expectation
    /// A wait that did not end within its time.
    case timeout
    /// A generator that could not draw a value, so that the execution is discarded.
    case rejection
  }

  package var kind: Kind

  /// What happened, in one sentence or more; it names the API and the value that it was given.
  package var summary: String

  /// The rest of a sentence that begins with "Likely cause:".
  package var likelyCause: String?

  /// The rest of a sentence that begins with "What to do:".
  package var suggestion: String?

  /// The line of the caller, where it is known.
  package var sourceLocation: SourceLocation?

  package init(
    _ kind: Kind, _ summary: String, likelyCause: String? = nil, suggestion: String? = nil,
    at sourceLocation: SourceLocation? = nil
  ) {
    self.kind = kind
    self.summary = summary
    self.likelyCause = likelyCause
    self.suggestion = suggestion
    self.sourceLocation = sourceLocation
  }

  /// The summary, the likely cause and the suggestion, each on a line of its own.
  package var description: String {
    [summary, likelyCause.map { "Likely cause: \($0)" }, suggestion.map { "What to do: \($0)" }]
      .compactMap(\.self).joined(separator: "\n")
  }

  /// Ends the process with the diagnostic and the line of the caller, as a failed precondition does.
  package func stop() -> Never {
    fatalError((sourceLocation.map { "\($0): " } ?? "") + description)
  }
}
