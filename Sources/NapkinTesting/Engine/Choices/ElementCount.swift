// SPDX-License-Identifier: Apache-2.0

package import Testing

/// The possible counts of elements of a collection, decided by one yes or no before each element.
///
/// A number drawn first would tie all elements to it; with a flag before each, deleting an element's choices is
/// deleting the element.
package struct ElementCount: Sendable {
  let lower: Int
  let upper: Int
  private let problem: Diagnostic?

  package init(_ range: ClosedRange<Int>, of api: String, at sourceLocation: SourceLocation) {
    lower = max(0, range.lowerBound)
    upper = max(0, range.upperBound)
    problem =
      range.lowerBound >= 0
      ? nil
      : Diagnostic(
        .misuse, "\(api) was given the count \(range).", likelyCause: "a computed difference is negative.",
        suggestion: "pass a count of zero or more.", at: sourceLocation)
  }

  /// Calls `element` once for each element that is decided for, each call in a span of its own.
  package func draw(from source: ChoiceTape, _ element: () -> Void) {
    if let problem { source.report(problem) }
    var index = 0
    while index < upper {
      source.beginSpan(.element)
      let isThere = wantsElement(at: index, from: source)
      if isThere { element() }
      source.endSpan(isDiscarded: false)
      if !isThere { return }
      index &+= 1
    }
  }

  /// Decides whether there is an element at `index`.
  ///
  /// With `r` elements still possible, stopping with the odds 1 in `r + 1` makes every count equally likely. Above 32
  /// the odds stay where they are, so that a generous range does not mean enormous values.
  func wantsElement(at index: Int, from source: ChoiceTape) -> Bool {
    if index < lower {
      source.force(1, below: 2)
      return true
    }
    let possible = UInt64(min(upper &- index, 32))
    return source.draw(below: 2, shape: .odds(possible, possible &+ 1)) == 1
  }

  func report(to source: ChoiceTape) {
    if let problem { source.report(problem) }
  }
}
