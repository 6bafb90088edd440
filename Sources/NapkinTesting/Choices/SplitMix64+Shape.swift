// SPDX-License-Identifier: Apache-2.0

extension SplitMix64 {
  /// Draws a number below `bound` with the odds of `shape`; a bound of zero stands for 2⁶⁴.
  package mutating func next(below bound: UInt64, shape: ChoiceShape) -> UInt64 {
    switch shape {
    case .uniform:
      return next(below: bound)
    case .odds(let numerator, let denominator):
      return next(below: denominator) < numerator ? 1 : 0
    case .boundaryBiased:
      return nextBoundaryBiased(below: bound)
    }
  }

  /// One draw in eight is below 16, one in sixteen is zero or one of the last three, and the rest are uniform.
  ///
  /// Bugs sit at the ends and at small numbers more often than in the middle of a wide range, and two equal numbers
  /// are only likely when both are small. The last three of a range
  /// around zero contain both its ends, that of a two's complement with its odd one out too.
  private mutating func nextBoundaryBiased(below bound: UInt64) -> UInt64 {
    let largest = bound &- 1
    if largest < 16 { return next(below: bound) }
    switch next() >> 60 {
    case 0:
      let end = next(below: 4)
      return end == 0 ? 0 : largest &- (end &- 1)
    case 1, 2: return next(below: 16)
    default: return next(below: bound)
    }
  }
}
