// SPDX-License-Identifier: Apache-2.0

/// An execution as a reader follows it: who ran, where, and what came of it, a row for each turn of a task.
package struct Story: Sendable {
  /// The rows in the order of what happened.
  package private(set) var rows: [Row] = []

  /// The tasks in the order of their first row, with what to call them.
  package private(set) var lanes: [(task: Int, title: String)] = []

  private let log: EventLog
  private let titles: [Int: String]

  /// How long a row may become by what is joined to it, in characters.
  private static let fullRow = 64

  package init(of log: EventLog) {
    self.log = log
    titles = Self.titles(of: log)
    for event in log.events { tell(event) }
    var seen: Set<Int> = []
    for case let task? in rows.map(\.task) where seen.insert(task).inserted { lanes.append((task, title(of: task))) }
  }

  /// What to call the tasks that have a name of their own; those who share one get their number with it.
  ///
  /// A task without a name goes by that of the test that runs, which tells nothing.
  static func titles(of log: EventLog) -> [Int: String] {
    let named = log.taskNames.filter { !$0.value.hasPrefix("[Swift Testing]") }
    var counts: [String: Int] = [:]
    for name in named.values { counts[name, default: 0] += 1 }
    return Dictionary(
      uniqueKeysWithValues: named.map { task, name in (task, counts[name] == 1 ? name : "\(name) (\(task))") }
    )
  }

  private func title(of task: Int) -> String {
    titles[task] ?? "task \(task)"
  }

  /// Where a job runs, and in which function of that actor's, where it is one of its own.
  ///
  /// What else is known of the function stays out of the lanes, which have little room; the page shows it.
  private func turn(at place: Event.Place, _ source: SourcePlace?) -> String {
    if place == .global { return "runs" }
    let title = log.title(of: place)
    guard let source, let type = source.type, title == type || title.hasPrefix(type + " ") else { return title }
    return "\(title).\(source.member)"
  }

  private mutating func tell(_ event: Event) {
    switch event.kind {
    case .ran(let place, let rank, _): run(event, at: turn(at: place, event.source), rank)
    case .started(let starter): start(event, by: starter)
    case .timerFired: add("its sleep ends", event, .detail)
    case .cancelled: add("is cancelled by the exploration", event, .turningPoint)
    case .drew(let label, let value): add("draws " + (label.map { "\($0) = " } ?? "") + value, event, .detail)
    case .note(let text): add(text, event, .detail)
    case .lifecycle(let text): add(text, event, .detail)
    case .tree: break
    case .issue(let text): add("✘ \(text)", event, .issue)
    }
  }

  /// Goes on with the row of the same task, or begins a new one.
  private mutating func run(_ event: Event, at place: String, _ rank: Int) {
    if let last = rows.last, rank == 0 || last.isDeviation, last.task == event.task, last.time == event.time,
      last.canGoOn
    {
      rows[rows.count - 1].goOn(at: place, step: event.step)
    } else {
      rows.append(Row(event, turn: place, isDeviation: rank != 0))
    }
  }

  private mutating func start(_ event: Event, by starter: Int?) {
    guard let starter, let task = event.task else { return }
    let title = title(of: task)
    if let last = rows.last, last.task == starter, last.hasStarted, last.text.count < Self.fullRow {
      rows[rows.count - 1].join(", \(title)", .detail)
    } else {
      add("starts \(title)", Event(step: event.step, time: event.time, task: starter, kind: event.kind), .detail)
    }
    rows[rows.count - 1].hasStarted = true
  }

  /// Joins a detail to the row of the turn that it belongs to, or gives it a row of its own.
  private mutating func add(_ text: String, _ event: Event, _ weight: Weight) {
    let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    let text = line.count < text.count ? line + " …" : line
    if let last = rows.last, last.task == event.task, last.time == event.time, rows[rows.count - 1].close(text) {
      return
    }
    let isShort = weight != .issue && (rows.last?.text.count ?? 0) + text.count < Self.fullRow
    if let last = rows.last, isShort, last.task == event.task, last.time == event.time, last.weight != .issue {
      rows[rows.count - 1].join(" · " + text, weight)
    } else {
      rows.append(Row(event, detail: text, weight))
    }
  }
}
