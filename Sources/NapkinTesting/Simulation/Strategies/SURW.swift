// SPDX-License-Identifier: Apache-2.0

/// Selectively uniform random walk: the order in which tasks enter one actor is drawn as if all orders were equally likely.
///
/// Zhao, Wolff, Mathur and Roychoudhury, "Selectively uniform concurrency testing" (ASPLOS 2025). An actor is chosen for
/// the execution; whose turn it is to enter it is drawn with the number of entries that each task has left, as counted
/// in earlier executions, and everybody else runs freely.
final class SURWStrategy: SchedulingStrategy {
  @exclusivity(unchecked) private var random = SplitMix64(seed: 0)

  // Entries a task made into an actor, by both numbers: in this execution, and the most of any so far.
  private var entered: [[Int]] = []
  private var expected: [[Int]] = []
  private var actors: [UInt] = []

  private var chosen = 0
  private var intended: Int?

  // The task whose turn it is may itself wait, in a loop, for one that is held; after so many picks that one may go.
  private static let patience = 512
  private var waited = 0

  func begin(seed: SplitMix64) -> Bool {
    random = seed
    for (task, counts) in entered.enumerated() {
      if expected.count <= task { expected.append([]) }
      for (actor, count) in counts.enumerated() {
        if expected[task].count <= actor { expected[task].append(0) }
        expected[task][actor] = max(expected[task][actor], count)
      }
    }
    let known = max(actors.count, 1)
    entered.removeAll(keepingCapacity: true)
    actors.removeAll(keepingCapacity: true)
    chosen = Int(random.next(below: UInt64(known)))
    intended = nil
    waited = 0
    return true
  }

  func arrived(_ job: inout ReadyJob) {
    // Actors are numbered as they appear: addresses differ from one execution to the next.
    guard job.target != 0 else {
      job.key = .max
      return
    }
    var number = 0
    while number < actors.count, actors[number] != job.target { number += 1 }
    if number == actors.count { actors.append(job.target) }
    job.key = UInt64(number)
  }

  func pick(_ ready: inout ReadyQueue, after running: Int) -> Int {
    if intended == nil { intended = drawIntended() }
    var free = 0
    for rank in 0..<ready.count where !isHeld(ready[rank]) { free += 1 }
    // When everybody is held, the task whose turn it is is not ready: another one's turn comes first.
    let isAllHeld = free == 0 || waited >= Self.patience
    waited = isAllHeld || free == ready.count ? 0 : waited + 1
    var left = Int(random.next(below: UInt64(isAllHeld ? ready.count : free)))
    for rank in 0..<ready.count where isAllHeld || !isHeld(ready[rank]) {
      if left == 0 {
        note(ready[rank])
        return rank
      }
      left -= 1
    }
    return 0
  }

  private func isHeld(_ job: borrowing ReadyJob) -> Bool {
    guard let intended, job.key == UInt64(chosen) else { return false }
    return job.task != intended
  }

  private func note(_ job: borrowing ReadyJob) {
    guard job.key != .max else { return }
    let actor = Int(job.key)
    while entered.count <= job.task { entered.append([]) }
    while entered[job.task].count <= actor { entered[job.task].append(0) }
    entered[job.task][actor] += 1
    if actor == chosen { intended = nil }
  }

  private func drawIntended() -> Int? {
    var total = 0
    for task in expected.indices { total += remaining(task) }
    guard total > 0 else { return nil }
    var left = Int(random.next(below: UInt64(total)))
    for task in expected.indices {
      left -= remaining(task)
      if left < 0 { return task }
    }
    return nil
  }

  private func remaining(_ task: Int) -> Int {
    guard expected[task].count > chosen else { return 0 }
    let done = entered.count > task && entered[task].count > chosen ? entered[task][chosen] : 0
    return max(0, expected[task][chosen] - done)
  }
}
