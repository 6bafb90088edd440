// SPDX-License-Identifier: Apache-2.0

/// A random walk in which a task's odds are the number of jobs that it has still to run, and the tasks that it has still to
/// start.
///
/// Where tasks do not wait for each other this draws every interleaving with the same probability, while a plain random
/// walk hardly ever lets a long task come before a short one. Zhao, Wolff, Mathur and Roychoudhury, "Selectively uniform
/// concurrency testing" (ASPLOS 2025), there called URW. The numbers are the most that earlier executions had, by name.
final class UniformStrategy: SchedulingStrategy {
  @exclusivity(unchecked) private var names = TaskNames()

  // Jobs of each task, by name: those that became ready in this execution, and the most in any so far.
  @exclusivity(unchecked) private var met = Counts()
  @exclusivity(unchecked) private var expected = Counts()

  // Jobs of the tasks that a task starts, and of those that they start: of all that are expected, and of those that it has
  // started in this execution.
  @exclusivity(unchecked) private var below = Counts()
  @exclusivity(unchecked) private var startedBelow = Counts()

  override func reset() {
    startedBelow.removeAll()
    names.begin()
  }

  override func started(_ task: Int, by starter: Int?) {
    let name = names.add(task, startedBy: starter)
    startedBelow[names.parent(of: name)] += expected[name] + below[name]
  }

  /// Keeps with the job how many its task has still to run, this one included; a task has one ready job at a time.
  override func arrived(_ job: inout ReadyJob) {
    let name = names.name(of: job.task)
    let count = met[name] &+ 1
    met[name] = count
    job.key = UInt64(max(1, expected[name] &- count &+ 1) &+ max(0, below[name] &- startedBelow[name]))
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
    var isMore = false
    for name in 0..<met.count where met[name] > expected[name] {
      expected[name] = met[name]
      isMore = true
    }
    met.removeAll()
    guard isMore else { return }
    below.removeAll()
    for name in stride(from: names.count - 1, through: 1, by: -1) {
      below[names.parent(of: name)] += expected[name] + below[name]
    }
  }
}
