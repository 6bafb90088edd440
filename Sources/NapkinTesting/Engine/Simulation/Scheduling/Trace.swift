// SPDX-License-Identifier: Apache-2.0

/// The picks of one execution where there was a choice.
struct Trace: ~Copyable {
  private var picks: UnsafeMutablePointer<UInt64>
  private var capacity = 256

  /// How many choices there were.
  private(set) var count = 0

  init() { picks = .allocate(capacity: capacity) }

  deinit { picks.deallocate() }

  @inline(__always)
  mutating func append(rank: Int, count ready: Int) {
    if count == capacity {
      picks.grow(to: capacity &* 2, keeping: count)
      capacity &*= 2
    }
    let pick = UInt64(truncatingIfNeeded: rank) << 32 | UInt64(truncatingIfNeeded: ready)
    picks[count] = pick
    count &+= 1
  }

  /// The picks as choices: ranks in the order of arrival, below the number of jobs that were ready.
  var choices: [Choice] {
    (0..<count).map { Choice(value: picks[$0] >> 32, bound: picks[$0] & 0xffff_ffff) }
  }
}
