// SPDX-License-Identifier: Apache-2.0

internal import Testing

/// Records that an expectation does not hold, and returns false.
func recordUnmet(
  _ summary: String, likelyCause: String, suggestion: String, subject: Diagnostic.Subject? = nil,
  at sourceLocation: SourceLocation
) -> Bool {
  var diagnostic = Diagnostic(.expectation, summary, likelyCause: likelyCause, suggestion: suggestion)
  diagnostic.subject = subject
  diagnostic.record(at: sourceLocation)
  return false
}
