// SPDX-License-Identifier: Apache-2.0

/// Describes how to draw a value of one type, and with that how to shrink it.
///
/// ```swift
/// let numbers = Execution.draw(.array(of: .int(in: 0...1_000), count: 0...20))
/// ```
///
/// A generator asks for numbers and builds a value from them. A failing execution is shrunk by making those numbers
/// fewer and smaller and drawing again, so `map`, `flatMap` and `filter` need no shrinker of their own, and a shrunk
/// value always keeps what the generator promises. Zeros make the simplest value: the number nearest to zero, the
/// empty array, the first alternative.
///
/// A generator without a value to draw, such as one over an empty list, is a failed precondition of the call that makes
/// it. Other wrong arguments are recorded as an issue at the line of that call, when a value is drawn.
public struct Gen<Value>: Sendable {
  private let body: @Sendable (any ChoiceSource) -> Value

  /// Makes a generator of a function that draws all that it needs, and nothing else, from the source.
  package init(_ body: @escaping @Sendable (any ChoiceSource) -> Value) {
    self.body = body
  }

  /// Draws one value.
  package func draw(from source: any ChoiceSource) -> Value {
    body(source)
  }
}
