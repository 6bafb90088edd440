// SPDX-License-Identifier: Apache-2.0

/// Plays the choices of an earlier execution, goes on with new ones when they run out, and records every choice.
///
/// One tape serves one execution. Generators draw from it; a scheduler asks ``replayed(_:below:)``
/// and records its own decision with ``record(_:below:as:)``, or calls ``next(_:below:)`` for both at once.
package final class ChoiceTape {
  /// The numbers after the end of the script.
  package enum Continuation: Sendable {
    /// Zeros: FIFO order, and the simplest data.
    case zeros
    /// New numbers from a seed.
    case random(SplitMix64)
  }

  /// The choices met so far, with bounds and spans.
  package private(set) var recorded = ChoiceSequence()

  /// The diagnostics of generators with wrong arguments, each of which becomes an issue at its own line.
  package private(set) var problems: [Diagnostic] = []

  /// The first reason to discard the execution, if there is one.
  package private(set) var rejection: Diagnostic?

  /// How many numbers of the script were not below their bound: the execution is not the recorded one.
  package private(set) var outOfReach = 0

  private let script: ChoiceSequence
  private var random: SplitMix64

  /// Whether new numbers follow when the script has run out; zeros do otherwise.
  package let isRandom: Bool
  // How many numbers of each kind the script has given.
  private var cursors = SIMD4<Int>()
  private var open: [(label: Span.Label, start: Int)] = []

  package init(replaying script: ChoiceSequence = ChoiceSequence(), then continuation: Continuation = .zeros) {
    self.script = script
    switch continuation {
    case .zeros:
      isRandom = false
      random = SplitMix64(seed: 0)
    case .random(let generator):
      isRandom = true
      random = generator
    }
  }

  /// Whether the script contains cancellations.
  package var hasCancellations: Bool { !script.cancellation.isEmpty }

  /// The accesses of the script at which tasks are preempted.
  package var preemptions: [UInt64] { script.preemption.map(\.value).filter { $0 != 0 } }

  /// Takes the script's next number of this kind, brought below `bound`, or nil when the script has none left.
  package func replayed(_ kind: Choice.Kind, below bound: UInt64) -> UInt64? {
    let cursor = cursors[Int(kind.rawValue)]
    guard cursor < script[kind].count else { return nil }
    let scripted = script[kind][cursor].value
    cursors[Int(kind.rawValue)] = cursor &+ 1
    if bound == Choice.unlimited || scripted < bound { return scripted }
    outOfReach &+= 1
    return bound &- 1
  }

  /// Records a choice that was made elsewhere, such as by a strategy.
  ///
  /// Where there is no alternative (a bound of one) there is nothing to record: `next(_:below:)` skips it too, and a
  /// scheduler that does both ways must skip the same ones.
  package func record(_ value: UInt64, below bound: UInt64, as kind: Choice.Kind) {
    recorded[kind].append(Choice(value: value, bound: bound))
  }

  /// Makes the next choice of this kind: the script's, then the continuation's; one with no alternative is not recorded.
  package func next(_ kind: Choice.Kind, below bound: UInt64, shape: ChoiceShape = .uniform) -> UInt64 {
    if bound == 1 { return 0 }
    let value = replayed(kind, below: bound) ?? (isRandom ? random.next(below: bound, shape: shape) : 0)
    record(value, below: bound, as: kind)
    return value
  }

  /// Draws a number below `bound` (zero stands for 2⁶⁴); a new one is drawn with the odds of `shape`.
  package func draw(below bound: UInt64, shape: ChoiceShape) -> UInt64 {
    next(.data, below: bound, shape: shape)
  }

  /// Records a number that has no alternative this time, so that the numbers after it keep their position.
  package func force(_ value: UInt64, below bound: UInt64) {
    _ = replayed(.data, below: bound)
    record(value, below: bound, as: .data)
  }

  /// Opens a span of choices that belong together; every span is closed again, in reverse order.
  package func beginSpan(_ label: Span.Label) {
    open.append((label, recorded.data.count))
  }

  /// Closes the span opened last; discarded ones can be deleted with no effect on the value.
  package func endSpan(isDiscarded: Bool) {
    guard let (label, start) = open.popLast(), start < recorded.data.count else { return }
    recorded.spans.append(Span(label, start..<recorded.data.count, depth: open.count, isDiscarded: isDiscarded))
  }

  /// Discards the execution: no value was drawn that the body asked for.
  package func reject(_ diagnostic: Diagnostic) {
    if rejection == nil { rejection = diagnostic }
  }

  /// Reports a generator with a wrong argument, such as a negative count.
  package func report(_ diagnostic: Diagnostic) {
    if !problems.contains(diagnostic) { problems.append(diagnostic) }
  }
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
