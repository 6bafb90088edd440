// SPDX-License-Identifier: Apache-2.0

/// First come, first served, but for a few random points at which the next in line has to wait.
///
/// Emmi, Qadeer and Rakamarić, "Delay-bounded scheduling" (POPL 2011). Most bugs need very few delays of an otherwise
/// ordinary schedule. A delayed job goes behind all ready jobs.
final class DelayBoundedStrategy: SchedulingStrategy {
  private let delays: Int
  private var longest = 1
  private var choice = 0
  private var points: [Int] = []
  // That of the job which is last in line.
  private var lowestKey = UInt64.max

  // Delays are looked through at every choice, and no bug takes as many.
  private static let most = 1_000

  init(delays: Int) { self.delays = min(max(0, delays), Self.most) }

  override func reset() {
    choice = 0
    lowestKey = .max
    points = (0..<delays).map { _ in Int(random.next(below: UInt64(longest))) }
  }

  override func arrived(_ job: inout ReadyJob) {
    lowestKey -= 1
    job.key = lowestKey
  }

  override func pick(_ ready: inout ReadyQueue, after running: Int) -> Int {
    var first = ready.rankOfHighestKey
    for point in points where point == choice {
      lowestKey -= 1
      ready[first].key = lowestKey
      first = ready.rankOfHighestKey
    }
    choice += 1
    return first
  }

  override func end(choices: Int) { longest = max(longest, choices) }
}
