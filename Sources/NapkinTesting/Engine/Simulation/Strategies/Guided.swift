// SPDX-License-Identifier: Apache-2.0

/// A search that learns: it keeps schedules that showed something new, or that came close to a target, and varies them.
///
/// New is an entry of a task into an actor that came after another one than ever before: the values that it reads there
/// may be from that one. A rare pair is gone back to, by repeating the picks that led to it, and the rest is drawn anew.
/// Wolff, Shi, Duck, Mathur and Roychoudhury, "Greybox fuzzing for concurrency testing" (ASPLOS 2024). With
/// ``Execution/target(_:sourceLocation:)-(Double,_)`` the executions of the highest scores are varied, too, as in Hypothesis.
///
/// The part that is drawn anew are bursts: a task goes on alone for some entries into actors. Of most the
/// length is one entry, or all but one or two that the task has left, as earlier executions had them: like the limits among
/// numbers, these are where bugs are.
///
/// All of it is decided by the seed and by its own executions.
final class GuidedStrategy: SchedulingStrategy {
  @exclusivity(unchecked) private var random = SplitMix64(seed: 0)
  @exclusivity(unchecked) private var archive = ScheduleArchive()

  // The tasks to be picked again, up to the cut, and after the first burst if it goes on with them.
  @exclusivity(unchecked) private var repeated: [Int32] = []
  @exclusivity(unchecked) private var cut = 0
  @exclusivity(unchecked) private var cursor = 0
  @exclusivity(unchecked) private var comesBack = false

  // The task that goes on alone, after how many of its jobs, and how many picks it has had.
  @exclusivity(unchecked) private var task = GuidedStrategy.none
  @exclusivity(unchecked) private var end = 0
  @exclusivity(unchecked) private var picks = 0
  /// How likely each kind of burst is in this execution.
  @exclusivity(unchecked) private var weights: (short: UInt64, nearlyAll: UInt64, any: UInt64, all: UInt64) = (
    1, 1, 1, 1
  )

  // Of each task, entries into actors and jobs: those that became ready in this execution, and the most in any so far.
  @exclusivity(unchecked) private var entries = Counts()
  @exclusivity(unchecked) private var jobs = Counts()
  @exclusivity(unchecked) private var mostEntries = Counts()
  @exclusivity(unchecked) private var mostJobs = Counts()

  private static let none = -1
  // A task may wait in a loop for one that does not go on meanwhile; after this many picks another one does.
  private static let longestWait = 512

  init() { super.init(.learns) }

  override func begin(seed: SplitMix64) -> ChoiceSequence? {
    random = seed
    switch random.next(below: 8) {
    case 0: weights = (1, 0, 0, 0)
    case 1: weights = (1 &+ weight(), weight(), weight(), weight())
    default: weights = (1, 1, 1, 1)
    }
    entries.removeAll()
    jobs.removeAll()
    task = Self.none
    cursor = 0
    cut = 0
    comesBack = false
    repeated = []
    guard let start = archive.select(&random) else { return ChoiceSequence() }
    repeated = start.picks
    cut = start.cut
    comesBack = start.comesBack
    return ChoiceSequence(data: start.data)
  }

  override func arrived(_ job: inout ReadyJob) {
    jobs[job.task] &+= 1
    if job.target != 0 { entries[job.task] &+= 1 }
  }

  override func pick(_ ready: inout ReadyQueue, after running: Int) -> Int {
    if cursor < cut {
      cursor &+= 1
      if let rank = ready.rank(ofTask: Int(repeated[cursor &- 1])) { return rank }
      // The data, or the time, is another one.
      cut = 0
      comesBack = false
    }
    if task != Self.none, let rank = ready.rank(ofTask: task), !isOver(ready[rank]) {
      picks &+= 1
      return rank
    }
    if comesBack, task != Self.none {
      while cursor < repeated.count {
        cursor &+= 1
        if let rank = ready.rank(ofTask: Int(repeated[cursor &- 1])) { return rank }
      }
      comesBack = false
    }
    return beginBurst(ready)
  }

  override func end(choices: Int, lesson: Lesson?) {
    if let lesson { archive.add(lesson) }
    for task in 0..<jobs.count where jobs[task] > mostJobs[task] { mostJobs[task] = jobs[task] }
    for task in 0..<entries.count where entries[task] > mostEntries[task] { mostEntries[task] = entries[task] }
  }

  /// Whether the task has had the entries that it was to have, and is about to go on.
  @inline(__always)
  private func isOver(_ job: ReadyJob) -> Bool { done(job) >= end || picks >= Self.longestWait }

  /// How many entries a task has made, or jobs if it enters no actor.
  @inline(__always)
  private func done(_ job: ReadyJob) -> Int {
    mostEntries[job.task] == 0 ? jobs[job.task] &- 1 : entries[job.task] &- (job.target != 0 ? 1 : 0)
  }

  private func beginBurst(_ ready: borrowing ReadyQueue) -> Int {
    var rank = Int(truncatingIfNeeded: random.next(below: UInt64(truncatingIfNeeded: ready.count)))
    // The same task again would be no other burst.
    if ready[rank].task == task, let other = other(than: rank, ready) { rank = other }
    task = ready[rank].task
    picks = 1
    let done = done(ready[rank])
    let left = max(1, (mostEntries[task] == 0 ? mostJobs[task] : mostEntries[task]) &- done)
    end = done &+ length(left)
    return rank
  }

  private func other(than rank: Int, _ ready: borrowing ReadyQueue) -> Int? {
    guard ready.count > 1 else { return nil }
    let other = Int(truncatingIfNeeded: random.next(below: UInt64(truncatingIfNeeded: ready.count &- 1)))
    return other >= rank ? other &+ 1 : other
  }

  private func length(_ left: Int) -> Int {
    var kind = random.next(below: weights.short &+ weights.nearlyAll &+ weights.any &+ weights.all)
    if kind < weights.short { return 1 }
    kind &-= weights.short
    if kind < weights.nearlyAll { return max(1, left &- 1 &- Int(random.next() & 1)) }
    kind &-= weights.nearlyAll
    return kind < weights.any ? 1 &+ Int(random.next(below: UInt64(left))) : .max / 2
  }

  private func weight() -> UInt64 { [0, 1, 2, 4][Int(random.next() & 3)] }
}

/// The facts that an execution has shown to a strategy that learns.
package struct Lesson {
  /// The facts, each with the number of picks before it.
  var features: [EntryOrder.Feature]

  /// The tasks that were picked.
  var picks: [Int32]

  /// The numbers that were drawn.
  var data: [Choice]

  /// How close it came to the target of the test, if that has one.
  var score: Double?
}

/// The schedules that are worth varying: the first for each pair of entries that was met, and those of the highest scores.
struct ScheduleArchive: ~Copyable {
  /// The prefix that an execution takes over from an earlier one.
  struct Start {
    var picks: [Int32]
    /// How many of the picks are repeated.
    var cut: Int
    /// Whether the others are repeated, too, after a burst of one task.
    var comesBack = false
    var data: [Choice]
  }

  private struct Schedule {
    let picks: [Int32]
    let data: [Choice]
  }

  private struct Cell {
    /// The schedule that came by first, by its number among those that are kept.
    let schedule: Int
    let cut: Int
    /// How often it was met, and gone back to.
    var visits = 1
  }

  private var schedules: [Schedule] = []
  private var cells: [Cell] = []

  // The cell of each feature, by its hash; a dictionary would hash the hash.
  private var numbers = TaskNumbers(size: 2 * ScheduleArchive.mostCells)

  private var scored: [(score: Double, schedule: Schedule)] = []
  private var size = 0

  // Bounds for memory: cells, the length of a schedule, and that of all that are kept.
  private static let mostCells = 4_096
  private static let longest = 4_096
  private static let mostPicks = 1 << 18
  private static let mostScored = 16

  // Of how many cells, drawn at random, the one that was visited least is taken.
  private static let tournament = 8

  /// Keeps a lesson that is new, or comes close to the target.
  mutating func add(_ lesson: Lesson) {
    guard lesson.picks.count <= Self.longest else { return }
    let schedule = Schedule(picks: lesson.picks, data: lesson.data)
    var isKept = false
    for feature in lesson.features {
      if let cell = numbers.existingNumber(of: feature.hash) {
        cells[cell].visits += 1
      } else if cells.count < Self.mostCells, size < Self.mostPicks {
        _ = numbers.number(of: feature.hash)
        cells.append(Cell(schedule: schedules.count, cut: Int(feature.picks)))
        isKept = true
      }
    }
    if isKept {
      schedules.append(schedule)
      size += lesson.picks.count + lesson.data.count
    }
    if let score = lesson.score { add(schedule, of: score) }
  }

  /// Of equal scores the later one comes first, so that the search moves on a plateau.
  private mutating func add(_ schedule: Schedule, of score: Double) {
    let place = scored.firstIndex { $0.score <= score } ?? scored.count
    guard place < Self.mostScored else { return }
    scored.insert((score, schedule), at: place)
    if scored.count > Self.mostScored { scored.removeLast() }
  }

  /// Draws the beginning of the next execution; nil if it is to be all new.
  mutating func select(_ random: inout SplitMix64) -> Start? {
    let kind = random.next(below: 8)
    if !scored.isEmpty, kind < 5 { return varied(&random) }
    guard !cells.isEmpty, kind >= 6 else { return nil }
    var best = Int(random.next(below: UInt64(cells.count)))
    for _ in 1..<Self.tournament {
      let other = Int(random.next(below: UInt64(cells.count)))
      if cells[other].visits < cells[best].visits { best = other }
    }
    cells[best].visits += 1
    let cell = cells[best]
    let schedule = schedules[cell.schedule]
    return Start(picks: schedule.picks, cut: cell.cut, data: schedule.data)
  }

  /// One of the best executions with another schedule from some point on, another burst in it, or other data.
  private func varied(_ random: inout SplitMix64) -> Start {
    let count = UInt64(scored.count)
    let chosen = scored[Int(min(random.next(below: count), random.next(below: count)))].schedule
    let point = Int(random.next(below: UInt64(chosen.picks.count) + 1))
    var start = Start(picks: chosen.picks, cut: chosen.picks.count, data: chosen.data)
    switch random.next(below: chosen.data.isEmpty ? 2 : 4) {
    case 0: start.cut = point
    case 1: (start.cut, start.comesBack) = (point, true)
    case 2: start.data.vary(&random)
    default:
      start.data.vary(&random)
      start.cut = point
    }
    return start
  }
}

extension [Choice] {
  /// Changes a number or two, a little or altogether, or has the last ones drawn anew.
  fileprivate mutating func vary(_ random: inout SplitMix64) {
    for _ in 0...random.next(below: 2) {
      guard !isEmpty else { return }
      let place = Int(random.next(below: UInt64(count)))
      let choice = self[place]
      switch random.next(below: 8) {
      case 0: removeSubrange(place...)
      case 1, 2, 3: self[place] = Choice(value: random.next(below: choice.bound), bound: choice.bound)
      default:
        let step = 1 + random.next(below: 1 << random.next(below: 6))
        let last = choice.bound &- 1
        let value =
          random.next() & 1 == 0
          ? choice.value &+ Swift.min(step, last &- choice.value) : choice.value &- Swift.min(step, choice.value)
        self[place] = Choice(value: value, bound: choice.bound)
      }
    }
  }
}
