// SPDX-License-Identifier: Apache-2.0

package import Testing

/// What is wrong with a generator, in the three beats of every failure text.
package struct GeneratorProblem: Sendable, Equatable, CustomStringConvertible {
  /// What happened; it names the function of `Gen` and the value that it was given.
  package var happened: String
  package var likelyCause: String
  package var remedy: String

  /// The user's line: where the generator was made.
  package var sourceLocation: SourceLocation

  package init(_ happened: String, likelyCause: String, remedy: String, at sourceLocation: SourceLocation) {
    self.happened = happened
    self.likelyCause = likelyCause
    self.remedy = remedy
    self.sourceLocation = sourceLocation
  }

  package var description: String {
    """
    \(happened)
    Likely cause: \(likelyCause)
    What to do: \(remedy)
    """
  }
}
