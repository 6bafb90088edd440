// SPDX-License-Identifier: Apache-2.0

extension Story {
  /// The most lanes that stand side by side; with more, each row begins with the name of its task.
  private static var mostLanes: Int { 7 }

  /// No line is longer, in characters.
  private static var width: Int { 118 }

  /// The rows as text: a lane for each task, time going down, in at most `limit` lines.
  package func lanes(limit: Int) -> String {
    if rows.isEmpty { return "" }
    let hasDeviations = rows.contains(where: \.isDeviation)
    let shown = pieces(within: max(1, limit - (hasDeviations ? 2 : 1)))
    let columns = Columns(of: self, shown)
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

  /// The positions of the columns.
  private struct Columns {
    private let story: Story
    private let tasks: [(task: Int, title: String)]
    private let isSideBySide: Bool
    private let stepWidth: Int
    private let timeWidth: Int
    private let laneWidth: Int
    private let lives: [Int: ClosedRange<Int>]

    init(of story: Story, _ pieces: [Piece]) {
      self.story = story
      var lives: [Int: ClosedRange<Int>] = [:]
      var times: Set<Duration> = [.zero]
      for case .row(let index) in pieces {
        times.insert(story.rows[index].time)
        if let task = story.rows[index].task { lives[task] = (lives[task]?.lowerBound ?? index)...index }
      }
      self.lives = lives
      tasks = story.lanes.filter { lives[$0.task] != nil }
      isSideBySide = tasks.count <= mostLanes
      stepWidth = max(4, story.rows.map { Self.steps(of: $0).count }.max() ?? 0)
      timeWidth = times.count > 1 ? 2 + (times.map { $0.brief.count }.max() ?? 0) : 0
      let widest = tasks.map(\.title.count).max() ?? 0
      laneWidth = min(24, max(12, min(widest + 3, (width - 20) / max(1, tasks.count))))
    }

    var header: String {
      var line =
        pad("step", to: stepWidth + 2, isRight: true) + pad(timeWidth > 0 ? "  time" : "", to: timeWidth) + "  "
      guard isSideBySide else { return line + "task: event" }
      for (_, title) in tasks { line += pad(clip(title, to: laneWidth - 2), to: laneWidth) }
      return trimmed(line)
    }

    func line(of row: Row, at index: Int, isLater: Bool) -> String {
      var line = (row.isDeviation ? "◆ " : "  ") + pad(Self.steps(of: row), to: stepWidth, isRight: true)
      line += pad(isLater ? "  " + row.time.brief : "", to: timeWidth) + "  "
      guard isSideBySide else {
        let title = tasks.first { $0.task == row.task }.map { $0.title + ": " } ?? ""
        return clip(line + title + row.text, to: width)
      }
      var rest = ""
      var hasText = false
      for (position, lane) in tasks.enumerated() {
        let start = position * laneWidth
        guard rest.count <= start else { break }
        rest = pad(rest, to: start)
        if lane.task == row.task {
          rest += row.text + " "
          hasText = true
        } else if lives[lane.task]?.contains(index) == true {
          rest += "│"
        }
      }
      if !hasText { rest = row.text }
      return clip(trimmed(line + rest), to: width)
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
