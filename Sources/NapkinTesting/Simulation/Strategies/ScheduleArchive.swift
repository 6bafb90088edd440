// SPDX-License-Identifier: Apache-2.0

/// The facts that an execution has shown to a strategy that learns.
struct Lesson {
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
struct ScheduleArchive {
  /// The prefix that an execution takes over from an earlier one.
  struct Start {
    var picks: [Int32]
    /// How many of the picks are repeated.
    var cut: Int
    /// Whether the others are repeated, too, after a burst of one task.
    var comesBack = false
    var data: [Choice]
  }

  private struct Cell {
    let picks: [Int32]
    let cut: Int
    let data: [Choice]
    /// How often it was met, and gone back to.
    var visits = 1
  }

  private struct Scored {
    let score: Double
    let picks: [Int32]
    let data: [Choice]
  }

  private var cells: [Cell] = []

  // The cell of each feature, by its hash, in a table that is never more than half full; a dictionary would hash the hash.
  private var index: [(hash: UInt64, cell: Int32)] = []

  private var scored: [Scored] = []
  private var size = 0

  // Bounds for memory: cells, the length of a schedule, and that of all that are kept.
  private static let mostCells = 4_096
  private static let longest = 4_096
  private static let mostPicks = 1 << 18
  private static let mostScored = 16

  // Of how many cells, drawn at random, the one that was visited least is taken.
  private static let tournament = 8

  /// Keeps what is new, and what comes closer to the target.
  mutating func add(_ lesson: Lesson) {
    guard lesson.picks.count <= Self.longest else { return }
    if index.isEmpty { index = Array(repeating: (0, -1), count: 2 * Self.mostCells) }
    var isKept = false
    for feature in lesson.features {
      let slot = slot(of: feature.hash)
      if index[slot].cell >= 0 {
        cells[Int(index[slot].cell)].visits += 1
      } else if cells.count < Self.mostCells, size < Self.mostPicks {
        index[slot] = (feature.hash, Int32(cells.count))
        cells.append(Cell(picks: lesson.picks, cut: Int(feature.picks), data: lesson.data))
        isKept = true
      }
    }
    if isKept { size += lesson.picks.count + lesson.data.count }
    if let score = lesson.score { add(Scored(score: score, picks: lesson.picks, data: lesson.data)) }
  }

  private func slot(of hash: UInt64) -> Int {
    var slot = Int(truncatingIfNeeded: hash) & (2 * Self.mostCells - 1)
    while index[slot].cell >= 0, index[slot].hash != hash { slot = (slot + 1) & (2 * Self.mostCells - 1) }
    return slot
  }

  /// Of equal scores the later one comes first, so that the search moves on a plateau.
  private mutating func add(_ execution: Scored) {
    let place = scored.firstIndex { $0.score <= execution.score } ?? scored.count
    guard place < Self.mostScored else { return }
    scored.insert(execution, at: place)
    if scored.count > Self.mostScored { scored.removeLast() }
  }

  /// Draws what the next execution begins with; nil if it is to be all new.
  mutating func select(_ random: inout SplitMix64) -> Start? {
    let kind = random.next(below: 8)
    if !scored.isEmpty, kind < 5 { return varied(scored, &random) }
    guard !cells.isEmpty, kind >= 6 else { return nil }
    var best = Int(random.next(below: UInt64(cells.count)))
    for _ in 1..<Self.tournament {
      let other = Int(random.next(below: UInt64(cells.count)))
      if cells[other].visits < cells[best].visits { best = other }
    }
    cells[best].visits += 1
    let cell = cells[best]
    return Start(picks: cell.picks, cut: cell.cut, data: cell.data)
  }

  /// One of the best executions with another schedule from some point on, another burst in it, or other data.
  private func varied(_ scored: [Scored], _ random: inout SplitMix64) -> Start {
    let count = UInt64(scored.count)
    let chosen = scored[Int(min(random.next(below: count), random.next(below: count)))]
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
