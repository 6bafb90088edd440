// SPDX-License-Identifier: Apache-2.0

/// Counts different 64-bit hashes in bounded memory: exactly at first, then by estimate.
///
/// It keeps the smallest `capacity` hashes. While there are fewer, their number is the answer; after that the largest of
/// them tells how dense all of them lie. Bar-Yossef et al., "Counting distinct elements in a data stream" (RANDOM 2002);
/// the standard error is 1 / √capacity.
package struct DistinctCounter {
  private static let capacity = 65_536
  private var smallest: Set<UInt64> = []
  private var limit = UInt64.max

  package init() {}

  /// Counts a hash, unless it was counted before.
  package mutating func insert(_ hash: UInt64) {
    guard hash < limit else { return }
    smallest.insert(hash)
    // Half of twice the capacity is thrown out at once, so that an insertion costs the same on average as a look-up.
    if smallest.count >= 2 * Self.capacity { shed() }
  }

  /// How many different hashes there were, or about how many.
  package var count: Int {
    if limit == .max { return smallest.count }
    return Int(Double(smallest.count) / (Double(limit) / Double(UInt64.max)))
  }

  private mutating func shed() {
    let sorted = smallest.sorted()
    limit = sorted[Self.capacity]
    smallest = Set(sorted[..<Self.capacity])
  }
}
