// SPDX-License-Identifier: Apache-2.0

/// Pseudo-random numbers that are the same on every platform, from a seed of one word.
///
/// This is SplitMix64 of Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (OOPSLA 2014): one
/// addition and one mixing function a number, equidistributed over its period of 2⁶⁴. It is meant for testing, not for
/// secrets. The standard library's `random(in:using:)` may change how it spends a generator's output from one release
/// to the next; ``next(below:)`` does not, so a seed keeps its meaning.
package struct SplitMix64: RandomNumberGenerator, Sendable, Hashable {
  private var state: UInt64

  /// Starts the sequence that belongs to `seed`; every seed is a good one, zero too.
  package init(seed: UInt64) {
    state = seed
  }

  /// Starts the sequence of the `index`th of many executions that share one seed.
  ///
  /// Mixing before adding keeps neighbouring seeds from meeting one another's executions: seed 1, execution 2 is not
  /// seed 2, execution 1.
  package init(seed: UInt64, index: UInt64) {
    state = Self.mix(Self.mix(seed &+ Self.gamma) ^ (index &* 0xD1B5_4A32_D192_ED03))
  }

  package mutating func next() -> UInt64 {
    state &+= Self.gamma
    return Self.mix(state)
  }

  /// Draws a number below `bound`, each with the same probability; a bound of zero stands for 2⁶⁴.
  ///
  /// This is the multiply-shift method of Lemire, "Fast random integer generation in an interval" (ACM TOMACS 2019):
  /// no division at all unless the first product lands in the small range that would bias the result. The loop that follows
  /// rejects less than half of all words, so it ends after two rounds on average.
  @inline(__always)
  package mutating func next(below bound: UInt64) -> UInt64 {
    let word = next()
    let product = word.multipliedFullWidth(by: bound)
    // Below the bound, or whatever it is for a bound of zero.
    return product.low <= bound &- 1 ? next(below: bound, goingOnFrom: word) : product.high
  }

  /// Returns a word, its product, or the product of the next word that is not rejected.
  private mutating func next(below bound: UInt64, goingOnFrom word: UInt64) -> UInt64 {
    if bound == 0 { return word }
    var product = word.multipliedFullWidth(by: bound)
    let rejectionThreshold = (0 &- bound) % bound
    while product.low < rejectionThreshold {
      product = next().multipliedFullWidth(by: bound)
    }
    return product.high
  }

  /// Returns true with the probability `numerator / denominator`.
  package mutating func chance(_ numerator: UInt64, in denominator: UInt64) -> Bool {
    next(below: denominator) < numerator
  }

  /// Splits off a generator with numbers that are independent of the rest of this one.
  package mutating func split() -> SplitMix64 {
    SplitMix64(seed: next(), index: next())
  }

  /// The odd constant of the paper: 2⁶⁴ divided by the golden ratio.
  private static let gamma: UInt64 = 0x9E37_79B9_7F4A_7C15

  private static func mix(_ word: UInt64) -> UInt64 {
    var word = word
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}

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
