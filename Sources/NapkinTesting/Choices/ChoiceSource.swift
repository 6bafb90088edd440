// SPDX-License-Identifier: Apache-2.0

/// The source of the numbers of a generator, and the receiver of its diagnostics.
///
/// Synchronous and bound to one execution; ``ChoiceTape`` is the one that records and replays.
package protocol ChoiceSource: AnyObject {
  /// Draws a number below `bound` (zero stands for 2⁶⁴); a new one is drawn with the odds of `shape`.
  func draw(below bound: UInt64, shape: ChoiceShape) -> UInt64

  /// Records a number that has no alternative this time, so that the numbers after it keep their position.
  func force(_ value: UInt64, below bound: UInt64)

  /// Opens a span of choices that belong together; every span is closed again, in reverse order.
  func beginSpan(_ label: Span.Label)

  /// Closes the span opened last; discarded ones can be deleted with no effect on the value.
  func endSpan(isDiscarded: Bool)

  /// Discards the execution: no value was drawn that the body asked for.
  func reject(_ diagnostic: Diagnostic)

  /// Reports a generator with a wrong argument, such as a negative count.
  func report(_ diagnostic: Diagnostic)
}

/// The odds with which a new number is drawn; a replayed number keeps its value.
package enum ChoiceShape: Sendable, Hashable {
  /// Each number with the same probability.
  case uniform
  /// Each number, with a bias towards small ones and both ends.
  case boundaryBiased
  /// One with the probability `numerator / denominator`, else zero.
  case odds(_ numerator: UInt64, _ denominator: UInt64)
}
