// SPDX-License-Identifier: Apache-2.0

/// A random walk: at each choice every ready job has the same chance.
///
/// Cheap, never stuck, and good at bugs that need few things in a row; the odds of a given schedule of `k` choices
/// among `n` jobs are about `n` to the power of `-k`, so long bugs of one task are out of its reach.
final class RandomStrategy: SchedulingStrategy {
  @exclusivity(unchecked) private var random = SplitMix64(seed: 0)

  override func begin(seed: SplitMix64) -> ChoiceSequence? {
    random = seed
    return ChoiceSequence()
  }

  override func pick(_ ready: inout ReadyQueue, after running: Int) -> Int {
    Int(truncatingIfNeeded: random.next(below: UInt64(truncatingIfNeeded: ready.count)))
  }
}

/// Partial order sampling: every job has a random priority, drawn anew after a job that it conflicts with has run.
///
/// Yuan, Yang and Gu, "Partial order aware concurrency sampling" (CAV 2018). Two jobs conflict when they enter the same
/// actor; jobs elsewhere keep their priority, so orders that no actor can distinguish are not drawn again and again.
final class POSStrategy: SchedulingStrategy {
  @exclusivity(unchecked) private var random = SplitMix64(seed: 0)

  override func begin(seed: SplitMix64) -> ChoiceSequence? {
    random = seed
    return ChoiceSequence()
  }

  override func arrived(_ job: inout ReadyJob) { job.key = random.next() }

  override func pick(_ ready: inout ReadyQueue, after running: Int) -> Int {
    let best = ready.rankOfHighestKey
    let target = ready[best].target
    if target != 0 {
      var rank = 0
      while rank < ready.count {
        if ready[rank].target == target, rank != best { ready[rank].key = random.next() }
        rank &+= 1
      }
    }
    return best
  }
}
