// SPDX-License-Identifier: Apache-2.0

/// The order that replays and shrinking count ranks in: a task that was passed over stays behind until it is alone.
///
/// In the plain order of arrival, holding one task back takes a deviation at every choice, since the others come back to
/// the queue behind it. In this one it takes a single deviation, as a change point of PCT does: the jobs that a rank
/// passes over take the next level, and a level runs when those above it are empty. Zero still means what FIFO order
/// does, and every schedule can still be written down.
///
/// A new task joins those passed over last: a task that was preferred once can start ten tasks and go on, for the one
/// deviation that let it go.
struct HeldBack: ~Copyable {
  private var levels: [Int32] = []
  private var deepest: Int32 = 0

  mutating func removeAll() {
    if !levels.isEmpty { levels.removeAll(keepingCapacity: true) }
    deepest = 0
  }

  mutating func level(of task: Int) -> Int32 {
    while levels.count <= task { levels.append(deepest) }
    return levels[task]
  }

  /// Puts a task behind all others: it was preempted.
  mutating func holdBack(_ task: Int) {
    _ = level(of: task)
    deepest += 1
    levels[task] = deepest
  }

  /// Puts the jobs before a rank behind all others, each with its task; the job at the rank has been taken out.
  mutating func passOver(_ count: Int, in ready: inout ReadyQueue) {
    guard count > 0 else { return }
    deepest += 1
    for _ in 0..<count {
      var job = ready.remove(at: 0)
      levels[job.task] = deepest
      job.level = deepest
      _ = ready.append(job)
    }
  }
}
