// SPDX-License-Identifier: Apache-2.0

public import Testing

extension Gen where Value == Bool {
  /// Draws true or false, with even odds; false is the simpler.
  public static var bool: Gen {
    Gen { source in source.draw(below: 2, shape: .uniform) == 1 }
  }
}

extension Gen where Value == Double {
  /// Draws a floating-point number; the ends of the range come up more often than their share.
  ///
  /// It shrinks towards zero, or to the end nearest to zero, and prefers whole numbers, halves and quarters to longer
  /// fractions. An infinite end is reported at `sourceLocation`, and the largest finite number takes its place.
  public static func double(
    in range: ClosedRange<Double>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Gen {
    let largest = Double.greatestFiniteMagnitude
    let lower = min(max(range.lowerBound, -largest), largest)
    let upper = min(max(range.upperBound, -largest), largest)
    let positive = upper >= 0 ? MagnitudeOrder(from: max(lower, 0), through: upper) : nil
    let negative = lower < 0 ? MagnitudeOrder(from: max(-upper, 0), through: -lower) : nil
    let negativeShare = UInt64(1024 * min(1, -min(lower, 0) / (-min(lower, 0) + max(upper, 0))))
    let problem: Diagnostic? =
      lower == range.lowerBound && upper == range.upperBound
      ? nil
      : Diagnostic(
        .misuse, "Gen.double(in:) was given the infinite range \(range).",
        likelyCause: "the range is meant to contain every number, and infinity is a value of Double.",
        suggestion: "pass finite bounds, and add infinity with .oneOf(_:) if it is wanted.",
        at: sourceLocation)
    return Gen { source in
      if let problem { source.report(problem) }
      guard let negative else { return positive?.draw(from: source) ?? 0 }
      guard let positive else { return -negative.draw(from: source) }
      let isNegative = source.draw(below: 2, shape: .odds(max(1, negativeShare), 1024)) == 1
      return isNegative ? -negative.draw(from: source) : positive.draw(from: source)
    }
  }
}

extension Gen where Value == Duration {
  /// Draws a duration in whole milliseconds, or in a smaller unit when an end of the range has one.
  ///
  /// It shrinks as integers do, towards zero or the end nearest to zero.
  public static func duration(in range: ClosedRange<Duration>) -> Gen {
    let lower = range.lowerBound.attoseconds
    let upper = range.upperBound.attoseconds
    let units: [Int128] = [1_000_000_000_000_000, 1_000_000_000_000, 1_000_000_000]
    let unit = units.first { lower % $0 == 0 && upper % $0 == 0 } ?? 1
    return Gen<Int128>.int(in: (lower / unit)...(upper / unit)).map { Duration(attoseconds: $0 * unit) }
  }
}

/// The numbers between two that are not negative, from the simplest on.
private struct MagnitudeOrder: Sendable {
  private let lower: Double
  private let upper: Double
  /// The whole numbers to start fractions from, where there are enough of them to keep the draw even.
  private let wholes: ClosedRange<UInt64>?

  /// How many fractions there are below one; the number after them stands for the upper end.
  private static let one: UInt64 = 1 << 32

  init(from lower: Double, through upper: Double) {
    self.lower = lower
    self.upper = upper
    let first = lower.rounded(.down)
    let last = upper.rounded(.up) - 1
    let isEven = lower == first && upper == last + 1 || upper - lower >= 8
    wholes = isEven && upper > lower && upper <= 0x1p53 ? UInt64(first)...UInt64(max(first, last)) : nil
  }

  func draw(from source: ChoiceTape) -> Double {
    if lower == upper { return lower }
    // The fraction first, so that leaving it out counts for more than a smaller whole number.
    let index = source.draw(below: Self.one + 1, shape: .boundaryBiased)
    // 0, 1/2, 1/4, 3/4, 1/8, 5/8, …: the bits mirrored at the point, so that small numbers are short fractions.
    let fraction = Double(UInt32(truncatingIfNeeded: index).bitReversed) / 0x1p32
    guard let wholes else { return index == Self.one ? upper : lower * (1 - fraction) + upper * fraction }
    let whole = source.draw(below: wholes.upperBound - wholes.lowerBound + 1, shape: .boundaryBiased)
    // Drawn in any case: an end that took one choice fewer would be the simplest number of all.
    return index == Self.one ? upper : min(max(lower, Double(wholes.lowerBound + whole) + fraction), upper)
  }
}

extension UInt32 {
  fileprivate var bitReversed: UInt32 {
    var rest = self
    var reversed: UInt32 = 0
    for _ in 0..<32 {
      reversed = reversed << 1 | rest & 1
      rest >>= 1
    }
    return reversed
  }
}
