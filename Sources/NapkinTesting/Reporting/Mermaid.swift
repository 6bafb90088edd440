// SPDX-License-Identifier: Apache-2.0

/// Draws an execution as a Mermaid sequence diagram: tasks, actors, and the order in which tasks enter actors.
///
/// The text goes into a fenced block of a pull request or an issue, or into https://mermaid.live. Texts of the test are
/// escaped, so that none of them becomes syntax.
package enum Mermaid {
  /// The diagram of the last `limit` events, with a note on how many came before them.
  package static func sequenceDiagram(of log: EventLog, limit: Int = 400) -> String {
    let shown = log.events.filter { $0.count != 0 }
    let events = shown.suffix(max(0, limit))
    var tasks: [Int] = []
    var places: [Event.Place] = []
    for event in events {
      for task in [event.starter, event.task, event.cancelled].compactMap(\.self) where !tasks.contains(task) {
        tasks.append(task)
      }
      if case .ran(let place, _, _) = event.kind, place != .global, !places.contains(place) { places.append(place) }
    }
    var lines = ["sequenceDiagram"]
    let titles = log.titles
    lines += tasks.map { "  participant T\($0) as \(escape(titles[$0] ?? "task \($0)"))" }
    lines += places.map { "  participant \(id($0)) as \(escape(log.title(of: $0)))" }
    guard let first = tasks.first.map({ "T\($0)" }) else { return lines[0] }
    let omitted = shown.dropLast(events.count).reduce(0) { $0 + $1.count }
    if omitted > 0 { lines.append("  Note over \(first): \(omitted) earlier events are left out") }
    lines += events.map { "  " + line(for: $0, in: log, default: first) }
    return lines.joined(separator: "\n")
  }

  private static func line(for event: Event, in log: EventLog, default first: String) -> String {
    let task = event.task.map { "T\($0)" } ?? first
    let words = event.words(in: log) ?? ""
    switch event.kind {
    case .ran(let place, let rank, let ready):
      let choice = rank == 0 ? "" : " ◆ #\(rank + 1) of \(ready) ready"
      return "\(task)->>\(place == .global ? task : id(place)): \(escape("\(event.step)\(choice)"))"
    case .started(let starter): return "\(starter.map { "T\($0)" } ?? task)-)\(task): starts"
    case .timerFired: return note(task, "\(event.time.brief): its sleep ends")
    case .timePassed: return note(first, "◆ \(words)")
    case .preempted: return note(task, "◆ \(words)")
    case .cancelled: return note(task, "cancelled by the exploration")
    case .cancels(let other?) where other != event.task: return "\(task)-xT\(other): cancels"
    case .cancels: return note(task, words)
    case .drew: return note(task, "draws \(words)")
    case .note, .lifecycle, .leftOut: return note(task, words)
    case .launch, .tree: return ""
    case .issue: return note(task, "✘ \(words)")
    }
  }

  private static func note(_ task: String, _ text: String) -> String {
    "Note over \(task): \(escape(text))"
  }

  private static func id(_ place: Event.Place) -> String {
    switch place {
    case .global: "G"
    case .main: "M"
    case .actor(let number): "A\(number)"
    }
  }

  /// Writes the characters of Mermaid's syntax as entities: separators, comments, markup and line breaks.
  static func escape(_ text: String) -> String {
    var escaped = ""
    for character in text.prefix(200) {
      switch character {
      case "#": escaped += "#35;"
      case ";": escaped += "#59;"
      case "%": escaped += "#37;"
      case "<": escaped += "#lt;"
      case ">": escaped += "#gt;"
      case "\"": escaped += "#quot;"
      case _ where character.isNewline: escaped += "<br/>"
      default: escaped.append(character)
      }
    }
    if text.count > 200 { escaped += "…" }
    return escaped.isEmpty ? "–" : escaped
  }
}
