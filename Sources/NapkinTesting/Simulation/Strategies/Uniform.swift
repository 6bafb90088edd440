// SPDX-License-Identifier: Apache-2.0

/// A random walk in which a task's odds are the number of jobs that it has still to run.
///
/// Where tasks do not wait for each other this draws every interleaving with the same probability, while a plain random
/// walk hardly ever lets a long task come before a short one. Zhao, Wolff, Mathur and Roychoudhury, "Selectively uniform
/// concurrency testing" (ASPLOS 2025), there called URW. The numbers are the most that earlier executions had.
final class UniformStrategy: SchedulingStrategy {
  @exclusivity(unchecked) private var random = SplitMix64(seed: 0)

  // Jobs of each task: those that became ready in this execution, and the most in any so far.
  @exclusivity(unchecked) private var met = Counts()
  @exclusivity(unchecked) private var expected = Counts()

  override func begin(seed: SplitMix64) -> Bool {
    random = seed
    return true
  }

  /// Keeps with the job how many its task has still to run, this one included; a task has one ready job at a time.
  override func arrived(_ job: inout ReadyJob) {
    let count = met[job.task] &+ 1
    met[job.task] = count
    job.key = UInt64(max(1, expected[job.task] &- count &+ 1))
  }

  override func pick(_ ready: inout ReadyQueue, after running: Int) -> Int {
    var total: UInt64 = 0
    var rank = 0
    let count = ready.count
    while rank < count {
      total &+= ready[rank].key
      rank &+= 1
    }
    var left = random.next(below: total)
    rank = 0
    while left >= ready[rank].key {
      left &-= ready[rank].key
      rank &+= 1
    }
    return rank
  }

  override func end(choices: Int) {
    for task in 0..<met.count where met[task] > expected[task] { expected[task] = met[task] }
    met.removeAll()
  }
}
