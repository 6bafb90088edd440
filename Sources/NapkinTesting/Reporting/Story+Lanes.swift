// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

extension Story {
  /// The most lanes side by side; with more, each row begins with the name of its task.
  private static var mostLanes: Int { 7 }

  /// No line is longer, in characters: that of a narrow terminal less the testing library's indentation, or 118.
  package static let width: Int = {
    let columns = Int(napkin_terminal_columns())
    return columns == 0 ? 118 : min(118, max(60, columns - 2))
  }()

  /// The rows as text: a lane for each task, time going down, in at most `limit` lines.
  package func lanes(limit: Int, width: Int = Story.width) -> String {
    if rows.isEmpty { return "" }
    let hasDeviations = rows.contains(where: \.isDeviation)
    let shown = pieces(within: max(1, limit - (hasDeviations ? 2 : 1)))
    let columns = Columns(of: self, shown, width: width)
    var lines = [columns.header]
    var time = Duration.zero
    for piece in shown {
      switch piece {
      case .row(let index):
        lines.append(columns.line(of: rows[index], at: index, isLater: rows[index].time != time))
        time = rows[index].time
      case .gap(let range):
        lines.append(columns.gap(range))
      }
    }
    if hasDeviations { lines.append("◆ marks a scheduling decision that differs from FIFO order.") }
    return lines.joined(separator: "\n")
  }

  /// The column of each task, and the rows in which the task has it.
  private struct Assignment {
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

  /// The positions of the columns.
  private struct Columns {
    private let story: Story
    private let width: Int
    private let assignment: Assignment
    private let isSideBySide: Bool
    private let stepWidth: Int
    private let timeWidth: Int
    private let laneWidth: Int
    private let linesAt: Int

    init(of story: Story, _ pieces: [Piece], width: Int) {
      self.story = story
      self.width = width
      assignment = Assignment(of: story, pieces, most: mostLanes)
      let shown = pieces.compactMap { if case .row(let index) = $0 { story.rows[index] } else { nil } }
      // In a single column that several tasks have had, nothing would say which task runs.
      isSideBySide =
        assignment.columns.count <= mostLanes && (assignment.columns.count > 1 || assignment.lives.count < 2)
      stepWidth = max(4, story.rows.map { Self.steps(of: $0).count }.max() ?? 0)
      let times = Set(shown.map(\.time)).union([.zero])
      timeWidth = times.count > 1 ? 2 + (times.map { $0.brief.count }.max() ?? 0) : 0
      let widest = assignment.columns.map { story.title(of: $0[0]).count }.max() ?? 0
      laneWidth = min(24, max(12, min(widest + 3, (width - 20) / max(1, assignment.columns.count))))
      let linesWidth = min(width * 2 / 5, shown.map(\.lines.count).max() ?? 0)
      linesAt = linesWidth == 0 ? width : width - linesWidth - 2
      let texts = shown.map { stepWidth + timeWidth + 4 + position(of: $0) + label(of: $0).count }
      longest = min(linesAt, texts.max() ?? 0)
    }

    /// How far the text of the rows goes; the files and lines come after it.
    private var longest = 0

    var header: String {
      var line =
        pad("step", to: stepWidth + 2, isRight: true) + pad(timeWidth > 0 ? "  time" : "", to: timeWidth) + "  "
      guard isSideBySide else { return line + "task: event" }
      for tasks in assignment.columns { line += pad(clip(story.title(of: tasks[0]), to: laneWidth - 2), to: laneWidth) }
      return clip(trimmed(line), to: width)
    }

    func line(of row: Row, at index: Int, isLater: Bool) -> String {
      var line = (row.isDeviation ? "◆ " : "  ") + pad(Self.steps(of: row), to: stepWidth, isRight: true)
      line += pad(isLater ? "  " + row.time.brief : "", to: timeWidth) + "  "
      let start = position(of: row)
      var rest = ""
      if isSideBySide {
        let end = start + label(of: row).count
        for (position, tasks) in assignment.columns.enumerated() {
          let column = position * laneWidth
          if column == start, row.task.map({ tasks.contains($0) }) ?? true {
            rest = pad(rest, to: start) + label(of: row)
          }
          guard column < start || column > end else { continue }
          if tasks.contains(where: { assignment.lives[$0]!.contains(index) }) { rest = pad(rest, to: column) + "│" }
        }
      } else {
        rest = label(of: row)
      }
      guard !row.lines.isEmpty else { return clip(trimmed(line + rest), to: width) }
      return clip(pad(clip(line + rest, to: linesAt), to: longest) + "  " + row.lines, to: width)
    }

    /// The text of a row, with its task's name where no column has it.
    private func label(of row: Row) -> String {
      guard let task = row.task else { return row.text }
      if !isSideBySide { return "\(story.title(of: task)): \(row.text)" }
      guard assignment.isSuccessor(task), story.rows.first(where: { $0.task == task }) == row else { return row.text }
      return "\(story.title(of: task)): \(row.text)"
    }

    /// The column at which the text of a row begins, counted from the first lane.
    private func position(of row: Row) -> Int {
      guard isSideBySide, let task = row.task else { return 0 }
      return (assignment.columns.firstIndex { $0.contains(task) } ?? 0) * laneWidth
    }

    func gap(_ range: Range<Int>) -> String {
      let count = range.count
      let tasks = Set(range.compactMap { story.rows[$0].task }).count
      return pad("⋮", to: stepWidth + 2, isRight: true) + pad("", to: timeWidth)
        + "  \(count) \(count == 1 ? "row" : "rows") of \(tasks) \(tasks == 1 ? "task" : "tasks") left out"
    }

    /// One step as its number, several as the first and the last.
    private static func steps(of row: Row) -> String {
      if row.steps.isEmpty { return "" }
      let last = row.steps.upperBound - 1
      return row.steps.lowerBound == last ? "\(last)" : "\(row.steps.lowerBound)–\(last)"
    }

    private func pad(_ text: String, to width: Int, isRight: Bool = false) -> String {
      let spaces = String(repeating: " ", count: max(0, width - text.count))
      return isRight ? spaces + text : text + spaces
    }

    private func clip(_ text: String, to width: Int) -> String {
      text.count <= width ? text : text.prefix(width - 1) + "…"
    }

    private func trimmed(_ line: String) -> String {
      var line = line[...]
      while line.last == " " { line.removeLast() }
      return String(line)
    }
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
  /// Issues are kept first, then deviations, then what touches the same actors as those, then details. Among equals the
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
      // A row replaces the gap that it falls into by itself and by what is left of the gap on either side.
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
      guard case .gap(let range) = piece else { return nil }
      let steps = range.flatMap { Array(rows[$0].steps) }.filter { !shown.contains($0) }
      return steps.min().map { $0...(steps.max() ?? $0) }
    }
  }

  /// The actors that the deviations touch, and the failing task last: what does not touch them had no part in it.
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
