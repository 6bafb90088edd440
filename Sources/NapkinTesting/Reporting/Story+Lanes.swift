// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

extension Story {
  /// The most lanes side by side; with more, each row begins with the name of its task.
  static var mostLanes: Int { 7 }

  /// No line is longer, in characters.
  package static let width = width(columns: Environment["COLUMNS"], terminal: Int(napkin_terminal_columns()))

  /// The width that `COLUMNS` says, or else the terminal's, less the testing library's indentation; 118 where neither is known.
  package static func width(columns: String?, terminal: Int) -> Int {
    let known = columns.flatMap { Int($0) } ?? terminal
    return known <= 0 ? 118 : min(118, max(60, known - 2))
  }

  /// The rows as text: a lane for each task, time going down, in at most `limit` lines.
  package func lanes(limit: Int, width: Int = Story.width) -> String {
    if rows.isEmpty { return "" }
    let hasDeviations = rows.contains { $0.isDeviation && !$0.isDecisive }
    let hasPair = rows.contains(where: \.isDecisive)
    let notes = (hasDeviations ? 1 : 0) + (hasPair ? 1 : 0) + (leavesOutFramework ? 1 : 0)
    var lines: [String] = []
    // Rows that take several lines leave room for fewer rows.
    var count = limit - 1 - notes
    repeat {
      lines = self.lines(of: pieces(within: max(1, count)), width)
      count -= max(1, (lines.count + notes - limit) / 3)
    } while lines.count + notes > limit && count > 1
    if hasPair { lines.append("▶ marks the two steps whose order decides.") }
    if hasDeviations { lines.append("◆ marks a scheduling decision that differs from FIFO order.") }
    if leavesOutFramework { lines.append("Steps without a row ran code of Napkin alone.") }
    return lines.joined(separator: "\n")
  }

  private func lines(of shown: [Piece], _ width: Int) -> [String] {
    let columns = Columns(of: self, shown, width: width)
    var lines = [columns.header]
    var time = Duration.zero
    for piece in shown {
      switch piece {
      case .row(let index):
        lines += columns.lines(of: rows[index], at: index, isLater: rows[index].time != time)
        time = rows[index].time
      case .gap(let range):
        lines.append(columns.gap(range))
      }
    }
    return lines
  }

  /// The column of each task, and the rows in which the task has it.
  struct Assignment {
    /// For each column its tasks, the first one first.
    private(set) var columns: [[Int]] = []
    private(set) var lives: [Int: ClosedRange<Int>] = [:]

    /// Gives each task a column, and with more than `most` tasks the columns of ended ones to others.
    init(of story: Story, _ pieces: [Piece], most: Int) {
      for case .row(let index) in pieces {
        if let task = story.rows[index].task { lives[task] = (lives[task]?.lowerBound ?? index)...index }
      }
      // In the order in which they begin.
      let tasks = story.lanes.map(\.task).filter { lives[$0] != nil }
      for task in tasks {
        let free = columns.firstIndex { lives[$0.last!]!.upperBound < lives[task]!.lowerBound }
        if let free, tasks.count > most { columns[free].append(task) } else { columns.append([task]) }
      }
    }

    /// Whether a task has taken over the column of another one, so that the header does not name it.
    func isSuccessor(_ task: Int) -> Bool { columns.contains { $0.dropFirst().contains(task) } }
  }
}

extension Story {
  /// A row of the story, or a gap in it.
  package enum Piece: Sendable, Equatable {
    case row(Int)
    case gap(Range<Int>)
  }

  /// Chooses the rows to show within `limit` lines, with one line for each gap.
  ///
  /// Issues are kept first, then deviations, then rows with the same actors as the deviations, then details. Among equals the
  /// nearest to the first issue is kept, or the nearest to the end if there is none; rows before it are preferred to rows
  /// after it.
  package func pieces(within limit: Int) -> [Piece] {
    if rows.count <= limit { return rows.indices.map(Piece.row) }
    let focus = rows.firstIndex { $0.priority == .issue } ?? rows.count - 1
    let decisive = decisivePlaces(focus)
    func rank(_ row: Row) -> Int {
      row.priority < .deviation && !row.places.isDisjoint(with: decisive) ? 5 : row.priority.rawValue * 3
    }
    func distance(_ index: Int) -> Int { index <= focus ? focus - index : 8 * (index - focus) }
    let order = rows.indices.sorted { left, right in
      let (first, second) = (rank(rows[left]), rank(rows[right]))
      if first != second { return first > second }
      let (near, far) = (distance(left), distance(right))
      return near != far ? near < far : left < right
    }
    var isKept = [Bool](repeating: false, count: rows.count)
    var lines = 1
    for index in order {
      // A row replaces the gap that it falls into by itself and by the rest of the gap on either side.
      let isGapBefore = index > 0 && !isKept[index - 1]
      let isGapAfter = index + 1 < rows.count && !isKept[index + 1]
      let added = (isGapBefore ? 1 : 0) + (isGapAfter ? 1 : 0)
      guard lines + added <= limit else { continue }
      lines += added
      isKept[index] = true
    }
    return pieces(isKept)
  }

  /// The steps of the rows that are left out within `limit` lines, those of one gap together.
  func folded(limit: Int) -> [ClosedRange<Int>] {
    let pieces = pieces(within: limit)
    var shown: Set<Int> = []
    for case .row(let index) in pieces { shown.formUnion(rows[index].steps) }
    return pieces.compactMap { piece in
      if case .row(let index) = piece, rows[index].isLaunch, let last = rows[index].steps.last {
        return rows[index].steps.lowerBound...last
      }
      guard case .gap(let range) = piece else { return nil }
      let steps = range.flatMap { Array(rows[$0].steps) }.filter { !shown.contains($0) }
      return steps.min().map { $0...(steps.max() ?? $0) }
    }
  }

  /// The actors that the deviations touch, and the failing task last: rows without them had no part in it.
  func decisivePlaces(_ focus: Int) -> Set<Event.Place> {
    var places: Set<Event.Place> = []
    for row in rows where row.isDeviation { places.formUnion(row.places) }
    if let last = rows[...focus].last(where: { $0.task == rows[focus].task && !$0.places.isSubset(of: [.global]) }) {
      places.formUnion(last.places)
    }
    places.remove(.global)
    // The main actor has a part in nearly everything.
    if places.count > 1 { places.remove(.main) }
    return places
  }

  private func pieces(_ isKept: [Bool]) -> [Piece] {
    var pieces: [Piece] = []
    var gap = 0
    for index in rows.indices {
      guard isKept[index] else { continue }
      if gap < index { pieces.append(.gap(gap..<index)) }
      pieces.append(.row(index))
      gap = index + 1
    }
    if gap < rows.count { pieces.append(.gap(gap..<rows.count)) }
    return pieces
  }
}
