// SPDX-License-Identifier: Apache-2.0

public import Testing

extension Gen where Value: FixedWidthInteger & Sendable {
  /// Draws an integer, small ones and the ends of the range more often than their share.
  ///
  /// ```swift
  /// let port = Execution.draw(.int(in: 1...65_535))
  /// ```
  ///
  /// It shrinks towards zero, or to the end of the range nearest to zero; of two numbers equally far from zero the
  /// positive one is the simpler.
  public static func int(in range: ClosedRange<Value>) -> Gen {
    guard let order = IntegerOrder(range) else { return wide(in: range) }
    let origin = order.origin
    return Gen { source in
      let index = source.draw(below: order.bound, shape: .boundaryBiased)
      let (distance, isNegative) = order.offset(at: index)
      return isNegative ? origin &- Value(truncatingIfNeeded: distance) : origin &+ Value(truncatingIfNeeded: distance)
    }
  }

  /// Draws an integer from a half-open range, small ones and the ends more often than their share.
  ///
  /// - Precondition: The range is not empty; otherwise the process stops with a message that names `sourceLocation`.
  public static func int(in range: Range<Value>, sourceLocation: SourceLocation = #_sourceLocation) -> Gen {
    if range.isEmpty {
      nothingToDraw(
        from: "Gen.int(in:)", "the empty range \(range)", suggestion: "pass a closed range, or do not draw.",
        at: sourceLocation)
    }
    return int(in: range.lowerBound...(range.upperBound - 1))
  }

  /// A range of more than 2⁶⁴ integers takes a sign and two words.
  private static func wide(in range: ClosedRange<Value>) -> Gen {
    let origin = IntegerOrder<Value>.origin(of: range)
    let above = UInt128(truncatingIfNeeded: range.upperBound &- origin)
    let below = UInt128(truncatingIfNeeded: origin &- range.lowerBound)
    return Gen { source in
      let isNegative = above == 0 || (below > 0 && source.draw(below: 2, shape: .uniform) == 1)
      let farthest = isNegative ? below : above
      let lastHigh = UInt64(farthest >> 64)
      let high = source.draw(below: lastHigh &+ 1, shape: .boundaryBiased)
      let low = source.draw(
        below: high == lastHigh ? UInt64(truncatingIfNeeded: farthest) &+ 1 : Choice.unlimited,
        shape: .boundaryBiased
      )
      let distance = Value(truncatingIfNeeded: UInt128(high) << 64 | UInt128(low))
      return isNegative ? origin &- distance : origin &+ distance
    }
  }
}

/// The integers of a range from the simplest on: the one nearest to zero, then outwards, the positive side first.
struct IntegerOrder<Value: FixedWidthInteger & Sendable>: Sendable {
  let origin: Value
  /// How many integers there are; zero stands for 2⁶⁴.
  let bound: UInt64
  private let above: UInt64
  private let below: UInt64
  private let alternating: UInt64

  /// Fails for a range of more than 2⁶⁴ integers.
  init?(_ range: ClosedRange<Value>) {
    origin = Self.origin(of: range)
    // On wide types only, a distance may not fit; on signed ones the wrapped difference has the right bits.
    let above = Value.Magnitude(truncatingIfNeeded: range.upperBound &- origin)
    let below = Value.Magnitude(truncatingIfNeeded: origin &- range.lowerBound)
    guard let above = UInt64(exactly: above), let below = UInt64(exactly: below) else { return nil }
    let (sum, overflow) = above.addingReportingOverflow(below)
    if overflow { return nil }
    self.above = above
    self.below = below
    bound = sum &+ 1
    alternating = 2 &* min(above, below)
  }

  static func origin(of range: ClosedRange<Value>) -> Value {
    range.contains(0) ? 0 : range.lowerBound > 0 ? range.lowerBound : range.upperBound
  }

  /// How far from the origin the integer at `index` is, and on which side.
  func offset(at index: UInt64) -> (distance: UInt64, isNegative: Bool) {
    if index > alternating {
      return above > below ? (index &- below, false) : (index &- above, true)
    }
    return index & 1 == 1 ? ((index >> 1) &+ 1, false) : (index >> 1, true)
  }
}
