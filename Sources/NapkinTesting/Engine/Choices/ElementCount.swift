// SPDX-License-Identifier: Apache-2.0

package import Testing

/// The possible counts of elements of a collection, decided by one yes or no before each element.
///
/// A number drawn first would tie all elements to it; with a flag before each, deleting an element's choices is
/// deleting the element.
package struct ElementCount: Sendable {
  private let range: ClosedRange<Int>
  private let api: String
  private let sourceLocation: SourceLocation

  private var lower: Int { max(0, range.lowerBound) }
  private var upper: Int { max(0, range.upperBound) }

  package init(_ range: ClosedRange<Int>, of api: String, at sourceLocation: SourceLocation) {
    (self.range, self.api, self.sourceLocation) = (range, api, sourceLocation)
  }

  /// Calls `element` once for each element that is decided for, each call in a span of its own.
  package func draw(from source: ChoiceTape, _ element: () -> Void) {
    report(to: source)
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

  /// Calls `insert` for each element that is decided for, until it returns true; too few elements reject the execution.
  func drawDistinct(from source: ChoiceTape, _ insert: () -> Bool) {
    report(to: source)
    var index = 0
    while index < upper, wantsElement(at: index, from: source) {
      guard attempt(from: source, insert) else {
        if index < lower { source.reject(tooFew(index)) }
        return
      }
      index &+= 1
    }
  }

  /// Decides whether there is an element at `index`.
  ///
  /// With `r` elements still possible, stopping with the odds 1 in `r + 1` makes every count equally likely. Above 32
  /// the odds stay where they are, so that a generous range does not mean enormous values.
  private func wantsElement(at index: Int, from source: ChoiceTape) -> Bool {
    if index < lower {
      source.force(1, below: 2)
      return true
    }
    let possible = UInt64(min(upper &- index, 32))
    return source.draw(below: 2, shape: .odds(possible, possible &+ 1)) == 1
  }

  private func report(to source: ChoiceTape) {
    guard range.lowerBound < 0 else { return }
    source.report(
      Diagnostic(
        .misuse, "\(api) was given the count \(range).", likelyCause: "a computed difference is negative.",
        suggestion: "pass a count of zero or more.", at: sourceLocation))
  }

  private func tooFew(_ found: Int) -> Diagnostic {
    Diagnostic(
      .rejection,
      "\(api) needs at least \(lower) different values and found \(found): the next \(attemptLimit) were duplicates.",
      likelyCause: "the generator of the elements has too few different values.",
      suggestion: "ask for fewer elements, or draw them from a wider range.", at: sourceLocation)
  }
}
