// SPDX-License-Identifier: Apache-2.0

package import Testing

/// A failure as one page that needs nothing but a browser: the lanes, the tree beside them, and the keyboard to walk.
///
/// It is one file without any address in it, and its policy forbids the browser to fetch anything. Texts of the test are
/// escaped, in the markup and in the data of the script.
package struct HTMLPage: Sendable {
  let failure: Exploration.Failure
  let title: String
  let limit: Int

  /// The test, as a filter finds it and where it is; nil where none is known.
  package var test: (filter: String, location: SourceLocation)?

  /// Makes the page of a failure.
  ///
  /// - Parameters:
  ///   - failure: The failure, with its log.
  ///   - title: The heading of the page, such as the name of the test.
  ///   - limit: How many events have a row, the last ones; a note counts those before them.
  package init(of failure: Exploration.Failure, title: String, limit: Int = 2_000) {
    self.failure = failure
    self.title = title
    self.limit = max(1, limit)
  }

  var log: EventLog { failure.log }

  /// The page, to be written to a file.
  package var text: String {
    Self.fill(Self.resource(PackageResources.page_html)) { name in
      switch name {
      case "title": Self.escape(title)
      case "style": Self.resource(PackageResources.page_css)
      case "summary": Self.escape(failure.summary)
      case "provenance":
        Self.escape(([failure.provenance] + failure.explanation.explanation + failure.remarks).joined(separator: " "))
      case "token": Self.escape(failure.schedule)
      case "note": note
      case "command": command.map(Self.copyButton) ?? ""
      case "place": place
      case "text": Self.escape(failure.report)
      case "data": record.json
      case "script": Self.resource(PackageResources.page_js)
      default: nil
      }
    }
  }

  private static func resource(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  /// Replaces each `{{name}}` of a template by its value, in one pass: a value that contains `{{` stays as it is.
  static func fill(_ template: String, _ value: (Substring) -> String?) -> String {
    var filled = ""
    var rest = template[...]
    while let open = rest.firstRange(of: "{{"), let close = rest[open.upperBound...].firstRange(of: "}}") {
      filled += rest[..<open.lowerBound]
      filled += value(rest[open.upperBound..<close.lowerBound]) ?? String(rest[open.lowerBound..<close.upperBound])
      rest = rest[close.upperBound...]
    }
    return filled + rest
  }

  /// The command that replays the failure.
  private var command: String? {
    test.map { "NAPKIN_REPLAY=\(failure.schedule) swift test --filter '\($0.filter.replacing("'", with: "'\\''"))'" }
  }

  private static func copyButton(_ command: String) -> String {
    "<button class=\"copy\" type=\"button\" data-copy=\"\(escape(command))\">Copy command</button>"
  }

  private var place: String {
    guard let location = test?.location else { return "" }
    let address = "vscode://file\(location.filePath):\(location.line)"
    let text = Self.escape("\(location.fileID):\(location.line)")
    return "<p>Test: <a href=\"\(Self.escape(address))\">\(text)</a></p>\n"
  }

  private var note: String {
    if omitted == 0 { return "" }
    return """
      <p><strong>This page shows the last \(limit) events.</strong> \(omitted) earlier \(omitted == 1 ? "one is" : "ones are") \
      left out; the tree takes them into account.</p>

      """
  }

  /// Writes the characters of HTML's syntax as entities.
  static func escape(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case "\u{0}"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}", "\u{7F}": escaped += "�"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

extension HTMLPage {
  /// The failure as data: the rows that are shown, the tree before them, and names.
  package var record: FailureRecord {
    let shown = log.events[start...]
    let rows = Self.rows(shown)
    let titles = log.titles
    var places: [Event.Place] = [.global, .main]
    var tasks: [Int] = []
    for event in shown {
      if case .ran(let place, _, _) = event.kind, !places.contains(place) { places.append(place) }
      for case let task? in [event.task, event.starter] where !tasks.contains(task) { tasks.append(task) }
    }
    return FailureRecord(
      test: test.map { FailureRecord.Test(filter: $0.filter, path: $0.location.filePath, line: $0.location.line) },
      command: command, token: failure.schedule, sentence: failure.decisivePair?.description, summary: failure.summary,
      kinds: failure.diagnostics.map { "\($0.kind)" }, messages: failure.diagnostics.map(\.description),
      draws: failure.draws, cancellations: failure.cancellations,
      tasks: tasks.map { FailureRecord.Task(id: $0, name: titles[$0] ?? "task \($0)") },
      places: places.map { log.title(of: $0) },
      folded: Story(of: log, marking: failure.decisivePair).folded(limit: 40).map { [$0.lowerBound, $0.upperBound] },
      pair: failure.decisivePair.map { [$0.first.step, $0.second.step] },
      hasTime: shown.contains { $0.time != .zero },
      tree: TreePicture(of: log, after: start + rows.lead).nodes.map { Self.change(.node($0)) }, omitted: omitted,
      events: rows.rows.map { Self.row($0.event, of: log, $0.changes, places) })
  }

  static let dataBegins = "<script type=\"application/json\" id=\"data\">"

  /// The data that a page carries; nil if the text is no page.
  static func data(in page: String) -> Substring? {
    guard let start = page.firstRange(of: dataBegins), let end = page[start.upperBound...].firstRange(of: "</script>")
    else { return nil }
    return page[start.upperBound..<end.lowerBound]
  }

  /// The index at which the last `limit` events that are rows begin.
  private var start: Int {
    var left = limit
    for index in log.events.indices.reversed() {
      if log.events[index].count == 0 { continue }
      if left == 0 { return index + 1 }
      left -= 1
    }
    return 0
  }

  /// How many events come before those that the page shows.
  var omitted: Int {
    log.events[..<start].reduce(0) { $0 + $1.count }
  }

  /// The event of a row, and the changes of the tree in it.
  private typealias Row = (event: Event, changes: [TreeChange])

  /// Changes of the tree belong to the row before them; `lead` of them come before the first row.
  private static func rows(_ events: ArraySlice<Event>) -> (lead: Int, rows: [Row]) {
    var lead = 0
    var rows: [Row] = []
    for event in events {
      if case .launch = event.kind { continue }
      guard case .tree(let change) = event.kind else {
        rows.append((event, []))
        continue
      }
      if rows.isEmpty { lead += 1 } else { rows[rows.count - 1].changes.append(change) }
    }
    return (lead, rows)
  }

  private static func row(
    _ event: Event, of log: EventLog, _ changes: [TreeChange], _ places: [Event.Place]
  ) -> FailureRecord.Event {
    var row = FailureRecord.Event(
      kind: kind(event), step: event.step, time: event.time.brief, task: event.task, by: event.starter,
      own: event.source.map(log.isNamed) == false ? true : nil,
      function: event.isOfFramework ? nil : event.source?.text, at: event.ownLine,
      path: event.source?.file ?? event.path, text: event.words(in: log),
      changes: changes.isEmpty ? nil : changes.map(change))
    if case .ran(let place, let rank, let ready) = event.kind {
      (row.place, row.rank, row.ready) = (places.firstIndex(of: place), rank, ready)
    }
    if case .timePassed = event.kind { row.rank = 1 }
    return row
  }

  /// The word by which the script knows the kind of an event.
  private static func kind(_ event: Event) -> String {
    switch event.kind {
    case .ran: "ran"
    case .started: "started"
    case .timerFired: "timer"
    case .timePassed, .preempted, .note, .leftOut: "note"
    case .cancelled: "cancelled"
    case .cancels: "cancels"
    case .drew: "drew"
    case .lifecycle: "lifecycle"
    case .issue: "issue"
    case .launch, .tree: "tree"
    }
  }

  private static func change(_ change: TreeChange) -> FailureRecord.Node {
    switch change {
    case .node(let node):
      FailureRecord.Node(
        number: node.number, name: node.name, parent: node.parent, state: node.state.rawValue,
        tasks: node.tasks == 0 ? nil : node.tasks)
    case .gone(let number): FailureRecord.Node(number: number, gone: true)
    }
  }
}

extension Event {
  /// The task that the one of this event cancels.
  var cancelled: Int? {
    if case .cancels(let task) = kind { task } else { nil }
  }

  /// The task that started the one this event is about, if it is a start.
  var starter: Int? {
    if case .started(let starter) = kind { starter } else { nil }
  }
}
