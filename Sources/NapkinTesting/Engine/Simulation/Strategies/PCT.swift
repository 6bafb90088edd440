// SPDX-License-Identifier: Apache-2.0

/// Probabilistic concurrency testing: the ready task of the highest priority runs, and at a few random points the
/// running task drops below all others.
///
/// Burckhardt, Kothari, Musuvathi and Nagarakatte, "A randomized scheduler with probabilistic guarantees of finding
/// bugs" (ASPLOS 2010): with `n` tasks and `k` choices, a bug that needs `d` ordering constraints is found with
/// a probability of at least 1 / (n · k^(d−1)) an execution that has d − 1 change points. Their number is drawn too, from
/// 0 to `depth` − 1, so that shallower bugs keep their better odds; an execution has the right one with a probability of
/// 1 / `depth`, which makes 1 / (depth · n · k^(d−1)) of it. `k` is the most choices that an execution had so far.
final class PCTStrategy: SchedulingStrategy {
  private let depth: Int
  @exclusivity(unchecked) private var random = SplitMix64(seed: 0)
  private var longest = 0
  @exclusivity(unchecked) private var choice = 0
  @exclusivity(unchecked) private var changePoints: [Int] = []
  @exclusivity(unchecked) private var lowest: Int64 = 0
  @exclusivity(unchecked) private var priorities: [Int64] = []

  // Tasks that wait in a loop for another one would keep it out for ever, so the task that is picked after this number of
  // choices drops, too. Executions of fewer choices are as in the paper.
  private static let longestWait = 512
  private var nextDrop = PCTStrategy.longestWait

  // Change points are looked through at every choice, and no bug takes as many.
  private static let deepest = 1_000

  init(depth: Int) {
    self.depth = min(max(1, depth), Self.deepest)
    super.init()
  }

  override func begin(seed: SplitMix64) -> ChoiceSequence? {
    random = seed
    choice = 0
    lowest = 0
    nextDrop = Self.longestWait
    priorities.removeAll(keepingCapacity: true)
    changePoints.removeAll(keepingCapacity: true)
    // Nothing is known of the first execution's length, so it has no change points.
    if longest > 0 {
      for _ in 0..<random.next(below: UInt64(depth)) {
        changePoints.append(Int(random.next(below: UInt64(longest))))
      }
    }
    return ChoiceSequence()
  }

  override func arrived(_ job: inout ReadyJob) {
    while priorities.count <= job.task { priorities.append(Int64(random.next() >> 2) + 1) }
    job.key = key(of: job.task)
  }

  override func pick(_ ready: inout ReadyQueue, after running: Int) -> Int {
    var best = ready.rankOfHighestKey
    for point in changePoints where point == choice { best = drop(best, of: &ready) }
    if choice == nextDrop {
      best = drop(best, of: &ready)
      nextDrop += Self.longestWait
    }
    choice += 1
    return best
  }

  override func end(choices: Int, lesson: Lesson?) { longest = max(longest, choices) }

  /// Puts the task of a job below all others, and returns the one on top now.
  private func drop(_ rank: Int, of ready: inout ReadyQueue) -> Int {
    lowest -= 1
    priorities[ready[rank].task] = lowest
    ready[rank].key = key(of: ready[rank].task)
    return ready.rankOfHighestKey
  }

  /// The priority of a task, from the lowest one that there is.
  private func key(of task: Int) -> UInt64 { UInt64(bitPattern: priorities[task] ^ .min) }
}
