// SPDX-License-Identifier: Apache-2.0

/// Counts different 64-bit hashes in bounded memory: exactly at first, then by estimate.
///
/// It keeps the smallest `capacity` hashes. While there are fewer, their number is the answer; after that the largest of
/// them shows how dense all of them lie. Bar-Yossef et al., "Counting distinct elements in a data stream" (RANDOM 2002);
/// the standard error is 1 / √capacity.
package struct DistinctCounter {
  private static let capacity = 65_536

  private var smallest: Set<UInt64> = []
  private var limit = UInt64.max

  // Those of them that were counted more than once, and how often all of them together were.
  private var repeated: Set<UInt64> = []
  private var total = 0

  package init() {}

  /// Counts a hash; one that was counted before adds nothing to `count`.
  package mutating func insert(_ hash: UInt64) {
    guard hash < limit else { return }
    total &+= 1
    guard smallest.insert(hash).inserted else {
      repeated.insert(hash)
      return
    }
    // Half of twice the capacity is thrown out at once, so that an insertion costs the same on average as a look-up.
    if smallest.count >= 2 * Self.capacity { shed() }
  }

  /// How many different hashes there were, or about how many.
  package var count: Int {
    if limit == .max { return smallest.count }
    return Int(Double(smallest.count) / (Double(limit) / Double(UInt64.max)))
  }

  /// The share of hashes to come that will be new, as Good and Turing estimate it: the share of those that came once.
  ///
  /// Good, "The population frequencies of species and the estimation of population parameters", 1953. The hashes that are
  /// kept are as good as drawn at random, so they represent all. It is nil before anything was counted.
  package var unseen: Double? {
    total == 0 ? nil : Double(smallest.count - repeated.count) / Double(total)
  }

  private mutating func shed() {
    let sorted = smallest.sorted()
    limit = sorted[Self.capacity]
    // As good as drawn at random, those that stay were counted as often as those that go.
    total = total * Self.capacity / smallest.count
    smallest = Set(sorted[..<Self.capacity])
    repeated = repeated.filter { $0 < limit }
  }
}
