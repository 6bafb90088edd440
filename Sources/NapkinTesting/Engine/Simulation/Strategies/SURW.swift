// SPDX-License-Identifier: Apache-2.0

/// Selectively uniform random walk: the order in which tasks enter one actor is drawn as if all orders were equally likely.
///
/// Zhao, Wolff, Mathur and Roychoudhury, "Selectively uniform concurrency testing" (ASPLOS 2025). An actor is chosen for
/// the execution; the next task to enter it is drawn with the number of entries that each task has left, as counted in
/// the execution before, and all other tasks run freely.
final class SURWStrategy: SchedulingStrategy {
  @exclusivity(unchecked) private var random = SplitMix64(seed: 0)

  /// Counts of a task are kept by its name, since another execution uses them.
  @exclusivity(unchecked) private var names = TaskNames()

  // Actors are numbered as they appear: addresses differ from one execution to the next.
  @exclusivity(unchecked) private var actors = TaskNumbers()

  /// The tasks' entries into actors, in order; to count them for each task and actor would cost more than it is worth.
  @exclusivity(unchecked) private var entries: [Entry] = []

  /// Of each task: how often it has still to enter the chosen actor, and the sum of those.
  @exclusivity(unchecked) private var left = Counts()
  @exclusivity(unchecked) private var total = 0

  /// One for each task that is about to enter the chosen actor.
  @exclusivity(unchecked) private var isEntering = Counts()

  @exclusivity(unchecked) private var chosen = 0
  @exclusivity(unchecked) private var intended = SURWStrategy.none

  // The drawn task may itself wait, in a loop, for one that is held; after this number of picks that one may go.
  private static let longestWait = 512
  @exclusivity(unchecked) private var waited = 0

  private static let none = -1

  private struct Entry {
    var task: Int32
    var actor: Int32
  }

  override func begin(seed: SplitMix64) -> ChoiceSequence? {
    random = seed
    chosen = Int(random.next(below: UInt64(max(actors.count, 1))))
    names.begin()
    left.removeAll()
    isEntering.removeAll()
    total = 0
    for entry in entries where entry.actor == chosen {
      left[Int(entry.task)] += 1
      total += 1
    }
    entries.removeAll(keepingCapacity: true)
    actors = TaskNumbers()
    intended = Self.none
    waited = 0
    return ChoiceSequence()
  }

  override func started(_ task: Int, by starter: Int?) { _ = names.add(task, startedBy: starter) }

  override func arrived(_ job: inout ReadyJob) {
    let task = names.name(of: job.task)
    hasRun(task)
    guard job.target != 0 else {
      job.key = .max
      return
    }
    // The low bits of an address are equal for all objects.
    let actor = actors.number(of: UInt64(job.target >> 4))
    job.key = UInt64(truncatingIfNeeded: task) << 32 | UInt64(UInt32(truncatingIfNeeded: actor))
    entries.append(Entry(task: Int32(truncatingIfNeeded: task), actor: Int32(truncatingIfNeeded: actor)))
    if actor == chosen { isEntering[task] = 1 }
  }

  override func pick(_ ready: inout ReadyQueue, after running: Int) -> Int {
    if intended == Self.none, total > 0 { drawIntended() }
    let rank = intended == Self.none ? Int(random.next(below: UInt64(ready.count))) : pickFree(ready)
    if entersChosen(ready[rank].key) {
      // Whichever task enters, the drawn one or another, the next one is drawn anew.
      intended = Self.none
      hasRun(names.name(of: ready[rank].task))
    }
    return rank
  }

  /// Counts a task's entry as made: at the latest when its next job arrives, since where no other job is ready nothing is picked.
  @inline(__always)
  private func hasRun(_ task: Int) {
    if isEntering[task] != 0 { countEntry(of: task) }
  }

  private func countEntry(of task: Int) {
    isEntering[task] = 0
    if task == intended { intended = Self.none }
    guard left[task] > 0 else { return }
    left[task] -= 1
    total -= 1
  }

  /// Any job but those that would enter the chosen actor before the drawn task.
  private func pickFree(_ ready: borrowing ReadyQueue) -> Int {
    let count = ready.count
    var free = 0
    var rank = 0
    while rank < count {
      if !isHeld(ready[rank]) { free &+= 1 }
      rank &+= 1
    }
    let isTooLong = waited >= Self.longestWait
    waited = isTooLong || free == 0 || free == count ? 0 : waited &+ 1
    if isTooLong || free == count { return Int(random.next(below: UInt64(count))) }
    if free == 0 { return pickHeld(ready) }
    var skipped = Int(random.next(below: UInt64(free)))
    rank = 0
    while isHeld(ready[rank]) || skipped > 0 {
      if !isHeld(ready[rank]) { skipped &-= 1 }
      rank &+= 1
    }
    return rank
  }

  /// Draws anew among those that wait to enter: the drawn task waits for something that they have to do.
  private func pickHeld(_ ready: borrowing ReadyQueue) -> Int {
    var sum = 0
    for rank in 0..<ready.count { sum += weight(ready[rank]) }
    var skipped = Int(random.next(below: UInt64(sum)))
    var rank = 0
    while skipped >= weight(ready[rank]) {
      skipped -= weight(ready[rank])
      rank += 1
    }
    return rank
  }

  private func weight(_ job: ReadyJob) -> Int { max(1, left[names.name(of: job.task)]) }

  // The key of a job is the name of its task and the number of its actor: names are looked up once.
  @inline(__always)
  private func entersChosen(_ key: UInt64) -> Bool {
    UInt32(truncatingIfNeeded: key) == UInt32(truncatingIfNeeded: chosen)
  }

  @inline(__always)
  private func isHeld(_ job: ReadyJob) -> Bool {
    entersChosen(job.key) && job.key >> 32 != UInt64(UInt32(truncatingIfNeeded: intended))
  }

  private func drawIntended() {
    var skipped = Int(random.next(below: UInt64(total)))
    var task = 0
    while skipped >= left[task] {
      skipped -= left[task]
      task += 1
    }
    intended = task
  }
}
