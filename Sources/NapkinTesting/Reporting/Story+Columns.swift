// SPDX-License-Identifier: Apache-2.0

extension Story {
  /// The form of the lanes.
  private enum Form {
    /// Each row in the lane of its task, under the task's title.
    case inLanes
    /// A mark in the lane of the task, and the row after the lanes.
    case besideLanes
    /// No lanes, since there are too many.
    case list
  }

  /// The positions of the columns, and the lines of rows.
  ///
  /// A row is never without its task and its words: where its lane has no room, they begin at the left, with the task's title,
  /// and go on in the next line.
  struct Columns {
    private let story: Story
    private let width: Int
    private let assignment: Assignment
    private var form: Form
    private let stepWidth: Int
    private let timeWidth: Int
    private let laneWidth: Int
    private let linesAt: Int

    /// How far the text of the rows goes; the files and lines come after it.
    private var longest = 0

    /// Text has this number of characters at least; with less beside it, the files and lines are below.
    private static var leastRoom: Int { 28 }

    init(of story: Story, _ pieces: [Piece], width: Int) {
      self.story = story
      self.width = width
      let assignment = Assignment(of: story, pieces, most: mostLanes)
      self.assignment = assignment
      let shown = pieces.compactMap { if case .row(let index) = $0 { story.rows[index] } else { nil } }
      let count = assignment.columns.count
      // In a single column that several tasks have had, nothing would say which task runs.
      form = count <= mostLanes && (count > 1 || assignment.lives.count < 2) ? .inLanes : .list
      stepWidth = max(4, story.rows.map { Self.steps(of: $0).count }.max() ?? 0)
      let times = Set(shown.map(\.time)).union([.zero])
      timeWidth = times.count > 1 ? 2 + (times.map { $0.brief.count }.max() ?? 0) : 0
      let widest = assignment.columns.map { story.title(of: $0[0]).count }.max() ?? 0
      laneWidth = min(24, max(12, min(widest + 3, (width - 20) / max(1, count))))
      let linesWidth = min(width * 2 / 5, shown.map(\.lines.count).max() ?? 0)
      linesAt = linesWidth == 0 ? width : width - linesWidth - 2
      // A few rows that have no room in their lanes begin at the left.
      let unfit = shown.filter { $0.priority != .issue && !fits($0) }.count
      if form == .inLanes, count > 1, unfit * 4 > shown.count { form = .besideLanes }
      let texts = shown.map { min(linesAt, lead + extent(of: $0)) }
      longest = texts.max() ?? 0
    }

    /// The characters before the lanes.
    private var indent: Int { stepWidth + timeWidth + 4 }

    /// The characters before the text of a row that is not in its lane.
    private var lead: Int { form == .besideLanes ? indent + 2 * assignment.columns.count + 1 : indent }

    private func extent(of row: Row) -> Int {
      form == .inLanes && fits(row) ? position(of: row) + label(of: row).count : named(row).count
    }

    private func fits(_ row: Row) -> Bool {
      let room = row.lines.isEmpty ? width : linesAt
      return indent + position(of: row) + label(of: row).count <= room
    }

    var header: String {
      var line =
        pad("step", to: stepWidth + 2, isRight: true) + pad(timeWidth > 0 ? "  time" : "", to: timeWidth) + "  "
      guard form == .inLanes else { return pad(line, to: lead) + "task: event" }
      for tasks in assignment.columns { line += pad(clip(story.title(of: tasks[0]), to: laneWidth - 2), to: laneWidth) }
      return clip(trimmed(line), to: width)
    }

    func lines(of row: Row, at index: Int, isLater: Bool) -> [String] {
      var line = row.isDecisive ? "▶ " : row.isDeviation ? "◆ " : "  "
      line += pad(Self.steps(of: row), to: stepWidth, isRight: true)
      line += pad(isLater ? "  " + row.time.brief : "", to: timeWidth) + "  "
      guard form == .inLanes else {
        if form == .besideLanes { line += marks(of: row, at: index) }
        return broken(named(row), of: row, after: line)
      }
      if row.priority != .issue, !fits(row) { return broken(named(row), of: row, after: line) }
      return [joined(line + inLane(row, at: index), row.lines)]
    }

    /// The text of a row in its lane, between those of the others.
    private func inLane(_ row: Row, at index: Int) -> String {
      let start = position(of: row)
      let end = start + label(of: row).count
      var rest = ""
      for (position, tasks) in assignment.columns.enumerated() {
        let column = position * laneWidth
        if column == start, row.task.map({ tasks.contains($0) }) ?? true {
          rest = pad(rest, to: start) + label(of: row)
        }
        guard column < start || column > end else { continue }
        if tasks.contains(where: { assignment.lives[$0]!.contains(index) }) { rest = pad(rest, to: column) + "│" }
      }
      return rest
    }

    /// A mark for each lane: the row's own, those of other tasks, and those of none.
    private func marks(of row: Row, at index: Int) -> String {
      assignment.columns.map { tasks in
        if let task = row.task, tasks.contains(task) { return "● " }
        return tasks.contains { assignment.lives[$0]!.contains(index) } ? "│ " : "  "
      }.joined() + " "
    }

    /// The lines of a text that has no room in one; of an issue, which the report has in full, the first one.
    private func broken(_ text: String, of row: Row, after start: String) -> [String] {
      let beside = linesAt - start.count
      let isBelow = !row.lines.isEmpty && beside < Self.leastRoom
      let room = max(Self.leastRoom, row.lines.isEmpty || isBelow ? width - start.count : beside)
      let most = row.priority == .issue ? 1 : 3
      var parts: [String] = []
      var rest = text[...]
      while parts.count < most - 1, rest.count > room {
        let part = Self.beginning(of: rest, within: room)
        parts.append(trimmed(String(part)))
        rest = rest[part.endIndex...].drop { $0 == " " }
      }
      parts.append(clip(String(rest), to: room))
      let space = String(repeating: " ", count: start.count)
      var lines = [isBelow ? start + parts[0] : joined(start + parts[0], row.lines)]
      lines += parts.dropFirst().map { space + $0 }
      if isBelow { lines.append(space + row.lines) }
      return lines
    }

    /// As much of a text as there is room for, up to a separator if one is in its second half, or to a space.
    private static func beginning(of text: Substring, within room: Int) -> Substring {
      let most = text.prefix(room + 1)
      for separator in [" · ", " › ", ", ", " "] {
        guard let last = most.ranges(of: separator).last, separator == " " || most[..<last.lowerBound].count > room / 2
        else { continue }
        // The separator ends the line, so that the next one begins with a word.
        let end = separator == ", " ? last.upperBound : last.lowerBound
        return text[..<(separator == " · " || separator == " › " ? text.index(end, offsetBy: 2) : end)]
      }
      return text.prefix(room)
    }

    /// A line and the files and lines of its row.
    private func joined(_ line: String, _ lines: String) -> String {
      guard !lines.isEmpty else { return clip(trimmed(line), to: width) }
      return clip(pad(clip(line, to: linesAt), to: longest) + "  " + lines, to: width)
    }

    /// The text of a row after its task's name, unless there is one task.
    private func named(_ row: Row) -> String {
      guard let task = row.task, form != .inLanes || assignment.lives.count > 1 else { return row.text }
      return "\(story.title(of: task)): \(row.text)"
    }

    /// The text of a row, with its task's name where no column has it.
    private func label(of row: Row) -> String {
      guard let task = row.task else { return row.text }
      guard assignment.isSuccessor(task), assignment.lives[task].map({ story.rows[$0.lowerBound] }) == row else {
        return row.text
      }
      return "\(story.title(of: task)): \(row.text)"
    }

    /// The column at which the text of a row begins, counted from the first lane.
    private func position(of row: Row) -> Int {
      guard let task = row.task else { return 0 }
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
