// SPDX-License-Identifier: Apache-2.0
public import Testing

/// Describes how to draw a value of one type, and with that how to shrink it.
///
/// ```swift
/// let numbers = Execution.draw(.array(of: .int(in: 0...1_000), count: 0...20))
/// ```
///
/// A generator asks for numbers and builds a value from them. A failing execution is shrunk by making those numbers
/// fewer and smaller and drawing again, so `map`, `flatMap` and `filter` need no shrinker of their own, and a shrunk
/// value always meets the conditions of the generator. Zeros make the simplest value: the number nearest to zero, the
/// empty array, the first alternative.
///
/// A generator without a value to draw, such as one over an empty list, is a failed precondition of the call that makes
/// it. Other wrong arguments are recorded as an issue at the line of that call, when a value is drawn.
public struct Gen<Value>: Sendable {
  private let body: @Sendable (ChoiceTape) -> Value

  /// Makes a generator of a function that draws all that it needs, and nothing else, from the source.
  package init(_ body: @escaping @Sendable (ChoiceTape) -> Value) {
    self.body = body
  }

  /// Draws one value.
  package func draw(from source: ChoiceTape) -> Value {
    body(source)
  }
}

extension Gen {
  /// Makes another value of each that is drawn.
  public func map<NewValue>(_ transform: @escaping @Sendable (Value) -> NewValue) -> Gen<NewValue> {
    Gen<NewValue> { source in transform(self.draw(from: source)) }
  }

  /// Draws from a generator that depends on a value drawn first.
  ///
  /// ```swift
  /// let bounds = Gen<Int>.int(in: 1...100).flatMap { upper in Gen<Int>.int(in: 0...upper).map { ($0, upper) } }
  /// ```
  ///
  /// Both shrink, the first too: the value that depends on it is drawn anew from the same numbers.
  public func flatMap<NewValue>(_ transform: @escaping @Sendable (Value) -> Gen<NewValue>) -> Gen<NewValue> {
    Gen<NewValue> { source in transform(self.draw(from: source)).draw(from: source) }
  }

  /// Draws until a value satisfies a predicate, at most sixteen times; after that the execution is discarded.
  ///
  /// A filter that rejects most values wastes executions, which is reported. If a valid value can be constructed, use
  /// `map`: `.int(in: 0...50).map { $0 * 2 }` rather than a filter for even numbers.
  public func filter(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ isIncluded: @escaping @Sendable (Value) -> Bool
  ) -> Gen {
    let problem = Diagnostic(
      .rejection, "Gen.filter(_:) rejected \(attemptLimit) values in a row.",
      likelyCause: "few of the drawn values satisfy the filter.",
      suggestion: "construct a valid value with map(_:) or flatMap(_:), or draw from a narrower range.",
      at: sourceLocation
    )
    return Gen { source in
      var value: Value?
      let isFound = attempt(from: source) {
        let candidate = self.draw(from: source)
        value = candidate
        return isIncluded(candidate)
      }
      if !isFound { source.reject(problem) }
      return value ?? self.draw(from: source)
    }
  }

  /// Draws one value from each of several generators, from left to right.
  ///
  /// ```swift
  /// let (name, age) = Execution.draw(.zip(.string(count: 1...10), .int(in: 0...120)))
  /// ```
  public static func zip<each Part>(_ parts: repeat Gen<each Part>) -> Gen where Value == (repeat each Part) {
    Gen { source in (repeat (each parts).draw(from: source)) }
  }

  /// Draws nil, or a value: nil once in four times, and it is the simpler.
  public static func optional<Wrapped>(_ wrapped: Gen<Wrapped>) -> Gen where Value == Wrapped? {
    Gen { source in
      source.draw(below: 2, shape: .odds(3, 4)) == 0 ? nil : wrapped.draw(from: source)
    }
  }

  /// Draws a value that may contain others of its kind, such as a tree, at most `depth` levels deep.
  ///
  /// ```swift
  /// indirect enum Tree {
  ///   case leaf(Int)
  ///   case node(Tree, Tree)
  /// }
  /// let tree = Gen<Tree>.recursive(Gen<Int>.int(in: 0...9).map { .leaf($0) }) { part in
  ///   Gen.zip(part, part).map { .node($0, $1) }
  /// }
  /// ```
  ///
  /// `step` is called `depth` times, with a generator of values one level less deep; each level is a leaf in half of
  /// the draws. It shrinks to leaves, and to parts of itself. A negative depth is reported at `sourceLocation`, and a leaf
  /// drawn.
  public static func recursive(
    _ leaf: Gen,
    depth: Int = 5,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ step: (Gen) -> Gen
  ) -> Gen {
    var level = leaf
    for _ in 0..<max(0, depth) { level = .oneOf(leaf, step(level)) }
    guard depth < 0 else { return level }
    let problem = Diagnostic(
      .misuse, "Gen.recursive(_:depth:_:) was given the depth \(depth).",
      likelyCause: "a computed difference is negative.",
      suggestion: "pass a depth of zero or more; zero draws leaves only.",
      at: sourceLocation
    )
    return Gen { source in
      source.report(problem)
      return leaf.draw(from: source)
    }
  }
}
