// SPDX-License-Identifier: Apache-2.0

/// Partial order sampling: every job has a random priority, drawn anew after a job that it conflicts with has run.
///
/// Yuan, Yang and Gu, "Partial order aware concurrency sampling" (CAV 2018). Two jobs conflict when they enter the same
/// actor; jobs elsewhere keep their priority, so orders that no actor can distinguish are not drawn again and again.
final class POSStrategy: SchedulingStrategy {
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
