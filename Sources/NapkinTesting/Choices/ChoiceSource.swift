// SPDX-License-Identifier: Apache-2.0

/// Where a generator gets its numbers from, and where it says what went wrong.
///
/// Synchronous and bound to one execution; ``ChoiceTape`` is the one that records and replays.
package protocol ChoiceSource: AnyObject {
  /// Draws a number below `bound` (zero stands for 2⁶⁴); a new one is drawn with the odds of `shape`.
  func draw(below bound: UInt64, shape: ChoiceShape) -> UInt64

  /// Puts down a number that had no alternative this time, so that those behind it keep their place.
  func force(_ value: UInt64, below bound: UInt64)

  /// Opens a stretch of choices that belong together; every one is closed again, in reverse order.
  func beginSpan(_ label: Span.Label)

  /// Closes the stretch opened last; discarded ones may be deleted with no effect on the value.
  func endSpan(isDiscarded: Bool)

  /// Says that what was drawn is not what the body asked for, so the execution is to be discarded, not judged.
  func reject(_ problem: GeneratorProblem)

  /// Reports a generator that is wrong whatever is drawn, such as one over an empty list.
  func report(_ problem: GeneratorProblem)

  /// Ends the process, because a value was asked for that does not exist and cannot be made up.
  func abandon(_ problem: GeneratorProblem) -> Never
}

/// The odds with which a new number is drawn; a replayed number is what it is.
package enum ChoiceShape: Sendable, Hashable {
  /// Every number alike.
  case uniform
  /// Every number, with small ones and the two ends more often than their share.
  case edgy
  /// One with the probability `numerator / denominator`, else zero.
  case odds(_ numerator: UInt64, _ denominator: UInt64)
}
