// SPDX-License-Identifier: Apache-2.0

/// The picks of one execution where there was a choice, and a number that distinguishes two schedules.
struct Trace: ~Copyable {
  private var picks: UnsafeMutablePointer<UInt64>
  private var capacity = 256

  /// How many choices there were.
  private(set) var count = 0

  /// A 64-bit hash of the picks: two executions with the same one had the same schedule, but for a chance in 2⁶⁴.
  private(set) var hash: UInt64 = Trace.emptyHash

  private static let emptyHash: UInt64 = 0xcbf2_9ce4_8422_2325

  init() { picks = .allocate(capacity: capacity) }

  deinit { picks.deallocate() }

  @inline(__always)
  mutating func append(rank: Int, count ready: Int) {
    if count == capacity { grow() }
    let pick = UInt64(truncatingIfNeeded: rank) << 32 | UInt64(truncatingIfNeeded: ready)
    picks[count] = pick
    count &+= 1
    hash = (hash ^ pick) &* 0x9E37_79B9_7F4A_7C15
    hash ^= hash >> 29
  }

  mutating func removeAll() {
    count = 0
    hash = Self.emptyHash
  }

  /// The picks as choices: ranks in the order of arrival, below the number of jobs that were ready.
  var choices: [Choice] {
    (0..<count).map { Choice(value: picks[$0] >> 32, bound: picks[$0] & 0xffff_ffff) }
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: picks, count: count)
    picks.deallocate()
    picks = larger
    capacity *= 2
  }
}
