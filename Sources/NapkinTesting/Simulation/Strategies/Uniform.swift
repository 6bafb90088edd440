// SPDX-License-Identifier: Apache-2.0

/// A random walk in which a task's odds are the number of jobs that it has still to run.
///
/// Where tasks do not wait for each other this draws every interleaving with the same probability, while a plain random
/// walk hardly ever lets a long task come before a short one. Zhao, Wolff, Mathur and Roychoudhury, "Selectively uniform
/// concurrency testing" (ASPLOS 2025), there called URW. The numbers are the most that earlier executions had.
final class UniformStrategy: SchedulingStrategy {
  @exclusivity(unchecked) private var random = SplitMix64(seed: 0)

  // Jobs of each task: those that became ready in this execution, and the most in any so far.
  private var met: [Int] = []
  private var expected: [Int] = []

  func begin(seed: SplitMix64) -> Bool {
    random = seed
    return true
  }

  func arrived(_ job: inout ReadyJob) {
    while met.count <= job.task { met.append(0) }
    met[job.task] += 1
  }

  func pick(_ ready: inout ReadyQueue, after running: Int) -> Int {
    var total = 0
    for rank in 0..<ready.count { total += remaining(ready[rank].task) }
    var left = Int(random.next(below: UInt64(total)))
    for rank in 0..<ready.count {
      left -= remaining(ready[rank].task)
      if left < 0 { return rank }
    }
    return 0
  }

  func end(choices: Int) {
    for (task, count) in met.enumerated() {
      if task == expected.count { expected.append(0) }
      expected[task] = max(expected[task], count)
    }
    met.removeAll(keepingCapacity: true)
  }

  /// How many jobs the task has still to run, the one that is ready included.
  private func remaining(_ task: Int) -> Int {
    task < expected.count ? max(1, expected[task] - met[task] + 1) : 1
  }
}
