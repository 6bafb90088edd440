// SPDX-License-Identifier: Apache-2.0

/// The rows of a timeline: one for consecutive jobs of a task, with their place and effects.
package struct Story: Sendable {
  /// The rows in the order of the events.
  package private(set) var rows: [Row] = []

  /// The tasks in the order of their first row, with their titles.
  package private(set) var lanes: [(task: Int, title: String)] = []

  /// Whether steps have no row, since they ran code of Napkin alone, and nothing came of them.
  package private(set) var leavesOutFramework = false

  private let log: EventLog
  private let pair: DecisivePair?
  private let titles: [Int: String]

  // The row of the step that ran last; nil after events that were left out.
  private var lastRun: Int?

  // The row with which the launch of a tree begins, while it goes on.
  private var launch: Int?

  /// The length in characters up to which details are joined to a row.
  private static let fullRow = 64

  /// Makes the rows of a log; the steps of a pair that decides have rows of their own, which are marked.
  package init(of log: EventLog, marking pair: DecisivePair? = nil) {
    (self.log, self.pair) = (log, pair)
    titles = log.titles
    for event in log.events { add(event) }
    let count = rows.count
    rows.removeAll(where: \.isOfFrameworkAlone)
    leavesOutFramework = rows.count < count
    foldRounds()
    var seen: Set<Int> = []
    for case let task? in rows.map(\.task) where seen.insert(task).inserted { lanes.append((task, title(of: task))) }
  }

  func title(of task: Int) -> String {
    titles[task] ?? "task \(task)"
  }

  /// The name of a job: the function that goes on, and the actor if it is another one's.
  private func label(_ place: Event.Place, _ event: Event) -> String {
    let actor = place == .global ? nil : log.title(of: place)
    if event.isOfFramework { return actor ?? "goes on in Napkin" }
    let source = event.source
    guard let source, log.isNamed(source) else { return actor ?? "runs" }
    guard let actor else { return source.brief }
    if let type = source.type, log.actorNames[place]?.type == type { return "\(actor).\(source.member)" }
    return "\(source.brief) on \(actor)"
  }

  private mutating func add(_ event: Event) {
    let words = event.words(in: log) ?? ""
    switch event.kind {
    case .ran(let place, let rank, _):
      run(event, at: Visit(place: place, label: label(place, event), line: event.ownLine), rank)
    case .started(let starter): start(event, by: starter)
    case .timerFired: add("its sleep ends", event, .detail)
    case .timePassed: rows.append(Row(event, detail: words, .deviation, isDeviation: true))
    case .cancelled: add("is cancelled by the exploration", event, .deviation)
    case .cancels:
      add(words, event, .deviation)
      rows[rows.count - 1].record(event.ownLine)
    case .preempted(let access):
      rows.append(Row(event, detail: words, .deviation, isDeviation: access != .spin))
    case .drew: add("draws \(words)", event, .detail)
    case .note:
      add(words, event, .detail)
      rows[rows.count - 1].record(event.line)
    case .lifecycle(let step):
      add(step, event)
      rows[rows.count - 1].record(event.line)
    case .launch(isOver: false): launch = rows.count
    case .launch(isOver: true): foldLaunch()
    case .tree: break
    case .issue: add("✘ \(words)", event, .issue)
    case .leftOut:
      rows.append(Row(event, detail: words, .detail))
      lastRun = nil
    }
  }

  /// Makes one row of the equal rounds of a loop, or of equal rows of many tasks, after the first two and before the last.
  private mutating func foldRounds() {
    let folded = EqualRounds.repeated(in: rows.map(\.likeness))
    for (range, rounds) in folded.reversed() {
      rows.replaceSubrange(range, with: [Row(ofRounds: rows[range], count: rounds)])
    }
  }

  /// Makes one row of those of the launch, up to the first that decides something.
  private mutating func foldLaunch() {
    guard let start = launch, start < rows.count else { return }
    let end = rows[start...].firstIndex { $0.priority >= .deviation } ?? rows.count
    if end - start > 2 { rows.replaceSubrange(start..<end, with: [Row(ofLaunch: rows[start..<end])]) }
    (launch, lastRun) = (nil, nil)
  }

  /// Extends the row of the same task, or begins a new one.
  private mutating func run(_ event: Event, at visit: Visit, _ rank: Int) {
    // The row is changed in its place: a copy of it would be copied with all its visits at each step.
    let last = rows.count - 1
    // A task that yields takes two steps: the second one goes on where the first did.
    if let lastRun { rows[lastRun].reach(event.step) }
    defer { lastRun = rows.count - 1 }
    let isDecisive = pair?.marks(event.step) ?? false
    if last >= 0, rank == 0 || rows[last].isDeviation, rows[last].isOf(event), rows[last].canProceed,
      !isDecisive, !rows[last].isDecisive
    {
      rows[last].proceed(to: visit, event)
    } else {
      rows.append(Row(event, at: visit, isDeviation: rank != 0))
      if isDecisive { rows[last + 1].markDecisive() }
    }
  }

  private mutating func start(_ event: Event, by starter: Int?) {
    guard let starter, let task = event.task else { return }
    let title = title(of: task)
    let last = rows.count - 1
    if last >= 0, rows[last].task == starter, rows[last].hasStarted, rows[last].hasRoom {
      rows[last].join(", ", title, .detail)
    } else if last < 0 || rows[last].task != starter || !rows[last].hasStarted || !rows[last].extendStarts(by: title) {
      add("starts \(title)", Event(step: event.step, time: event.time, task: starter, kind: event.kind), .detail)
    }
    rows[rows.count - 1].hasStarted = true
  }

  /// Adds a step; a call that returns with nothing in between has one detail.
  private mutating func add(_ step: LifecycleStep, _ event: Event) {
    if case .returns(let call) = step, let last = rows.last, last.task == event.task, last.time == event.time,
      rows[rows.count - 1].close(call)
    {
      return
    }
    add(step.text, event, .detail)
    if case .begins(let call) = step { rows[rows.count - 1].open(call) }
  }

  /// Joins a detail to the row of the job that caused it, or gives it a row of its own.
  private mutating func add(_ text: String, _ event: Event, _ priority: Priority) {
    let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    let text = line.count < text.count ? line + " …" : line
    let isShort = priority != .issue && (rows.last?.text.count ?? 0) + text.count < Self.fullRow
    if let last = rows.last, isShort, last.task == event.task, last.time == event.time, last.priority != .issue {
      rows[rows.count - 1].join(" · ", text, priority)
    } else {
      rows.append(Row(event, detail: text, priority))
    }
  }
}

extension Story {
  /// Consecutive jobs of one task, and their effects.
  package struct Row: Sendable, Equatable {
    /// The jobs of the row; empty for an event outside any job or with a row of its own.
    package private(set) var steps: Range<Int>
    package let time: Duration
    package let task: Int?

    /// Whether the scheduling decision differs from FIFO order.
    package let isDeviation: Bool
    package private(set) var priority: Priority

    /// Whether it is one of the two steps whose order decides.
    package private(set) var isDecisive = false

    /// Whether the last detail is that the task started others.
    var hasStarted = false

    /// Whether the row stands for a launch.
    private(set) var isLaunch = false

    // Whether all jobs ran code of Napkin.
    private var isOfFramework = false

    /// The places of the row's jobs.
    private(set) var places: Set<Event.Place> = []

    // Of many the first and the last, since a row may have as many jobs as the execution.
    private var visits: [Visit] = []
    private var jobLines: [String] = []
    // The lines of the records that were made during the jobs.
    private var records: [String] = []
    private var details: [Detail] = []

    private struct Detail: Equatable {
      var separator: String
      var text: String
      /// The call that the detail says has begun, as long as no detail follows.
      var call: String?
    }

    init(_ event: Event, at visit: Visit, isDeviation: Bool) {
      steps = event.step..<event.step + 1
      time = event.time
      task = event.task
      self.isDeviation = isDeviation
      priority = isDeviation ? .deviation : .job
      visits = [visit]
      jobLines = [visit.line].compactMap(\.self)
      places = [visit.place]
      isOfFramework = event.isOfFramework
    }

    init(ofLaunch rows: ArraySlice<Row>) {
      let steps = rows.map(\.steps).filter { !$0.isEmpty }
      self.steps = (steps.first?.lowerBound ?? 0)..<(steps.last?.upperBound ?? 0)
      let last = rows[rows.endIndex - 1]
      (time, task, isDeviation, priority, isLaunch) = (last.time, rows.first?.task, false, .detail, true)
      let tasks = Set(rows.compactMap(\.task)).count
      let text =
        "launches the tree, in \(steps.reduce(0) { $0 + $1.count }) steps of \(tasks) \(tasks == 1 ? "task" : "tasks")"
      details = [Detail(separator: "", text: text)]
    }

    init(ofRounds rows: ArraySlice<Row>, count: Int) {
      let steps = rows.map(\.steps).filter { !$0.isEmpty }
      self.steps = (steps.first?.lowerBound ?? 0)..<(steps.last?.upperBound ?? 0)
      let last = rows[rows.endIndex - 1]
      let tasks = Set(rows.compactMap(\.task))
      (time, task, isDeviation, priority) = (last.time, tasks.count == 1 ? tasks.first : nil, false, .detail)
      let text =
        tasks.count > 1
        ? "… \(rows.count.grouped) equal rows of \(tasks.count.grouped) tasks" : "… \(count.grouped) equal rounds"
      details = [Detail(separator: "", text: text)]
    }

    /// Everything that a reader sees of the row but its task, its steps and its time; nil for a row that decides something.
    var likeness: [String]? { priority < .deviation && !isDecisive ? [text, lines] : nil }

    /// Takes the steps up to another one, of which the log has no event.
    mutating func reach(_ step: Int) { steps = steps.lowerBound..<max(steps.upperBound, step) }

    mutating func markDecisive() { (isDecisive, priority) = (true, .deviation) }

    /// Whether the row says nothing but that code of Napkin ran.
    var isOfFrameworkAlone: Bool { isOfFramework && priority == .job && details.isEmpty }

    init(_ event: Event, detail: String, _ priority: Priority, isDeviation: Bool = false) {
      steps = event.step..<event.step
      time = event.time
      task = event.task
      self.isDeviation = isDeviation
      self.priority = priority
      details = [Detail(separator: "", text: detail)]
      record(event.ownLine)
    }

    package var text: String {
      // Of many places the first and the last are shown.
      let all = visits.map(\.text)
      let shown = all.count > 5 ? all.prefix(2) + ["…"] + all.suffix(2) : all[...]
      return shown.joined(separator: " › ") + details.map { $0.separator + $0.text }.joined()
    }

    /// Whether a detail can be joined to the row.
    var hasRoom: Bool { text.count < Story.fullRow }

    /// Whether another job of the task can be added.
    var canProceed: Bool { !visits.isEmpty && details.isEmpty }

    /// Whether an event has the task and the time of the row.
    func isOf(_ event: Event) -> Bool { task == event.task && time == event.time }

    mutating func proceed(to visit: Visit, _ event: Event) {
      steps = steps.lowerBound..<event.step + 1
      isOfFramework = isOfFramework && event.isOfFramework
      places.insert(visit.place)
      if visits[visits.count - 1].label == visit.label {
        visits[visits.count - 1].count += 1
      } else {
        Self.append(visit, to: &visits)
      }
      if let line = visit.line, line != jobLines.last { Self.append(line, to: &jobLines) }
    }

    // More than are ever shown, whose first two and last two are.
    private static var mostKept: Int { 6 }

    private static func append<Element>(_ element: Element, to kept: inout [Element]) {
      if kept.count == mostKept { kept.remove(at: mostKept / 2) }
      kept.append(element)
    }

    /// The file and the line of each job, or of the record: once for several in a row, and the file once.
    var lines: String {
      let all = jobLines + records.filter { $0 != jobLines.last }
      var file: Substring = ""
      let short = all.map { line in
        guard let colon = line.lastIndex(of: ":"), line[..<colon] == file else {
          file = line.lastIndex(of: ":").map { line[..<$0] } ?? ""
          return line
        }
        return String(line[line.index(after: colon)...])
      }
      // Of many lines the first and the last are shown, or the last alone.
      let forms = [short, short.prefix(1) + ["…"] + short.suffix(1), all.suffix(1)].map { $0.joined(separator: ", ") }
      return forms.dropFirst(short.count > 4 ? 1 : 0).first { $0.count <= Self.mostLines } ?? forms[2]
    }

    private static var mostLines: Int { 40 }

    /// Adds the line of a detail.
    mutating func record(_ line: String?) {
      if let line, line != records.last { Self.append(line, to: &records) }
    }

    /// Marks the last detail as the beginning of a call.
    mutating func open(_ call: String) { details[details.count - 1].call = call }

    /// Replaces the beginning of a call by the call itself, if it is the last detail; returns whether it was.
    mutating func close(_ call: String) -> Bool {
      guard let last = details.last, last.call == call else { return false }
      details[details.count - 1] = Detail(separator: last.separator, text: call)
      return true
    }

    /// Adds a task to those that were started last, if its title counts on: of many the first and the last are shown.
    mutating func extendStarts(by title: String) -> Bool {
      guard let last = details.last, Self.counted(last.text).map({ "\($0) \($1 + 1)" }) == title else { return false }
      if last.separator == " to " { details.removeLast() }
      details.append(Detail(separator: " to ", text: title))
      return true
    }

    /// The name and the number of a title that ends with one.
    private static func counted(_ title: String) -> (name: Substring, number: Int)? {
      guard let space = title.lastIndex(of: " "), let number = Int(title[space...].dropFirst()) else { return nil }
      return (title[..<space], number)
    }

    mutating func join(_ separator: String, _ detail: String, _ priority: Priority) {
      details.append(Detail(separator: separator, text: detail))
      self.priority = max(self.priority, priority)
      hasStarted = false
    }
  }

  /// The place and the name of a job, how often it runs in a row, and the line of the first time.
  struct Visit: Sendable, Equatable {
    let place: Event.Place
    let label: String
    var count = 1
    let line: String?

    var text: String { count == 1 ? label : "\(label) ×\(count)" }
  }

  /// How important a row is to the reader, from the least to the most.
  package enum Priority: Int, Sendable, Comparable {
    case job, detail, deviation, issue

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }
}

extension Event {
  /// The file and the line in the code under test, or of the record.
  var ownLine: String? { isOfFramework ? line : fileAndLine }

  /// The words of an event besides its kind; nil where the kind, the task and the place are all.
  func words(in log: EventLog) -> String? {
    switch kind {
    case .timePassed(let duration, let ready): log.words(for: duration, while: ready)
    case .preempted(let access): access.text + (source.map { " in \($0.brief)" } ?? "")
    case .drew(let label, let value): (label.map { "\($0) = " } ?? "") + value
    case .note(let text), .issue(let text): text
    case .leftOut(let count): "… \(count.grouped) more events, and nothing among them that decides anything"
    case .lifecycle(let step): step.text
    case .cancels(let other):
      switch other {
      case nil: "cancels its task group"
      case task: "cancels itself"
      case let other?: "cancels \(log.titles[other] ?? "task \(other)")"
      }
    case .ran, .started, .timerFired, .cancelled, .launch, .tree: nil
    }
  }
}
