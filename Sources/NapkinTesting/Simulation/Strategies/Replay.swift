// SPDX-License-Identifier: Apache-2.0

/// Repeats the picks of an earlier execution, and goes on first come, first served when they run out.
final class ReplayStrategy: SchedulingStrategy {
  private let picks: [Choice]
  private var cursor = 0

  /// How many picks were out of reach because fewer jobs were ready than in the recorded execution.
  private(set) var clamped = 0

  private let isHoldingBack: Bool

  override var holdsBack: Bool { isHoldingBack }
  override var letsTimePass: Bool { true }

  /// Takes the picks, and whether they count ranks in the order in which tasks that were passed over stay behind.
  init(_ picks: [Choice], holdsBack: Bool = true) {
    self.picks = picks
    isHoldingBack = holdsBack
  }

  override func begin(seed: SplitMix64) -> Bool {
    cursor = 0
    clamped = 0
    return true
  }

  override func pick(_ ready: inout ReadyQueue, after running: Int) -> Int {
    guard cursor < picks.count else { return 0 }
    let rank = Int(truncatingIfNeeded: picks[cursor].value)
    cursor += 1
    if rank > ready.lastRank { clamped += 1 }
    return min(rank, ready.lastRank)
  }
}

/// Repeats the picks of an execution that counted ranks in the order of arrival, so that they are recorded in the other.
final class TranslationStrategy: SchedulingStrategy {
  private let picks: [Choice]
  private var cursor = 0

  init(_ picks: [Choice]) { self.picks = picks }

  override var holdsBack: Bool { true }
  override var letsTimePass: Bool { true }

  override func pick(_ ready: inout ReadyQueue, after running: Int) -> Int {
    var rank = 0
    if cursor < picks.count { rank = min(Int(truncatingIfNeeded: picks[cursor].value), ready.lastRank) }
    cursor += 1
    if rank == ready.count { return rank }
    var ranks = Array(0..<ready.count)
    var orders: [Int32] = []
    for index in 0..<ready.count { orders.append(ready[index].order) }
    ranks.sort { orders[$0] < orders[$1] }
    return ranks[rank]
  }
}
