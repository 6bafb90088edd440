// SPDX-License-Identifier: Apache-2.0

internal import Testing

/// Records that an expectation does not hold, and returns false.
func recordUnmet(
  _ summary: String, likelyCause: String, suggestion: String, at sourceLocation: SourceLocation
) -> Bool {
  Diagnostic(.expectation, summary, likelyCause: likelyCause, suggestion: suggestion).record(at: sourceLocation)
  return false
}
