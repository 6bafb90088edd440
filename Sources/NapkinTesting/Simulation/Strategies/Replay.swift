// SPDX-License-Identifier: Apache-2.0

/// Repeats the picks of an earlier execution, and goes on first come, first served when they run out.
final class ReplayStrategy: SchedulingStrategy {
  private let picks: [Choice]
  private var cursor = 0

  /// How many picks were out of reach because fewer jobs were ready than in the recorded execution.
  private(set) var clamped = 0

  init(_ picks: [Choice]) { self.picks = picks }

  func begin(seed: SplitMix64) -> Bool {
    cursor = 0
    clamped = 0
    return true
  }

  func pick(_ ready: inout ReadyQueue, after running: Int) -> Int {
    guard cursor < picks.count else { return 0 }
    let rank = Int(truncatingIfNeeded: picks[cursor].value)
    cursor += 1
    if rank >= ready.count { clamped += 1 }
    return min(rank, ready.count - 1)
  }
}
