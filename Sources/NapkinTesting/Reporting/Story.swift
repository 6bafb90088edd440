// SPDX-License-Identifier: Apache-2.0

/// An execution as a reader follows it: who ran, where, and what came of it, a row for each turn of a task.
package struct Story: Sendable {
  /// The rows in the order of what happened.
  package private(set) var rows: [Row] = []

  /// The tasks in the order of their first row, with what to call them.
  package private(set) var lanes: [(task: Int, title: String)] = []

  private let log: EventLog

  /// How long a row may become by what is joined to it, in characters.
  private static let fullRow = 44

  package init(of log: EventLog) {
    self.log = log
    for event in log.events { tell(event) }
    var seen: Set<Int> = []
    for case let task? in rows.map(\.task) where seen.insert(task).inserted {
      lanes.append((task, log.title(ofTask: task)))
    }
  }

  private mutating func tell(_ event: Event) {
    switch event.kind {
    case .ran(let place, let rank, _): run(event, at: place == .global ? "runs" : log.title(of: place), rank)
    case .started(let starter): start(event, by: starter)
    case .timerFired: add("its sleep ends", event, .detail)
    case .cancelled: add("is cancelled by the exploration", event, .turningPoint)
    case .drew(let label, let value): add("draws " + (label.map { "\($0) = " } ?? "") + value, event, .detail)
    case .note(let text): add("“\(text)”", event, .detail)
    case .lifecycle(let text): add(text, event, .detail)
    case .issue(let text): add("✘ \(text)", event, .issue)
    }
  }

  /// Goes on with the row of the same task, or begins a new one.
  private mutating func run(_ event: Event, at place: String, _ rank: Int) {
    if rank == 0, let last = rows.last, last.task == event.task, last.time == event.time, last.canGoOn {
      rows[rows.count - 1].goOn(at: place, step: event.step)
    } else {
      rows.append(Row(event, turn: place, isDeviation: rank != 0))
    }
  }

  private mutating func start(_ event: Event, by starter: Int?) {
    guard let starter, let task = event.task else { return }
    let title = log.title(ofTask: task)
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
    let isShort = weight != .issue && (rows.last?.text.count ?? 0) + text.count < Self.fullRow
    if let last = rows.last, isShort, last.task == event.task, last.time == event.time, last.weight != .issue {
      rows[rows.count - 1].join(" · " + text, weight)
    } else {
      rows.append(Row(event, detail: text, weight))
    }
  }
}
