// SPDX-License-Identifier: Apache-2.0

package import Testing

// What a worker process and the process that started it exchange: each value as JSON, a line each.

/// A value that goes from one process to another.
package protocol WireValue: Sendable {
  var json: JSONValue { get }
  init?(_ json: JSONValue)
}

extension JSONValue {
  /// An object without the members that are nil.
  static func members(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
    .object(Dictionary(members.compactMap { name, value in value.map { (name, $0) } }) { _, last in last })
  }

  static func int(_ value: Int) -> JSONValue { .number(Double(value)) }
  static func texts(_ values: [String]) -> JSONValue { .array(values.map { .string($0) }) }
  static func values(_ values: [some WireValue]) -> JSONValue { .array(values.map(\.json)) }

  /// A number that a floating-point number may be too small for.
  static func wide(_ value: UInt64) -> JSONValue { .string(String(value, radix: 36)) }

  var wide: UInt64? { string.flatMap { UInt64($0, radix: 36) } }
  var texts: [String] { (array ?? []).compactMap(\.string) }
  func values<Value: WireValue>(as type: Value.Type) -> [Value] { (array ?? []).compactMap { Value($0) } }

  /// The value as text, in one line.
  package var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let value): Int(exactly: value).map { "\($0)" } ?? "\(value)"
    case .string(let value): JSONText.string(value)
    case .array(let values): JSONText.array(values.map(\.text))
    case .object(let members):
      "{"
        + members.sorted { $0.key < $1.key }.map { "\(JSONText.string($0.key)):\($0.value.text)" }.joined(
          separator: ",")
        + "}"
    }
  }
}

extension SourceLocation: WireValue {
  package var json: JSONValue { .array([.string(fileID), .string(filePath), .int(line), .int(column)]) }

  package init?(_ json: JSONValue) {
    guard let parts = json.array, parts.count == 4, let file = parts[0].string, let path = parts[1].string,
      let line = parts[2].int, let column = parts[3].int
    else { return nil }
    self.init(fileID: file, filePath: path, line: line, column: column)
  }
}

extension Diagnostic: WireValue {
  package var json: JSONValue {
    .members([
      "kind": .string(kind.word), "detail": kind.detail.map { .string($0) }, "summary": .string(summary),
      "cause": likelyCause.map { .string($0) }, "remedy": suggestion.map { .string($0) }, "at": sourceLocation?.json,
    ])
  }

  package init?(_ json: JSONValue) {
    guard let word = json["kind"]?.string, let kind = Kind(word: word, detail: json["detail"]?.string),
      let summary = json["summary"]?.string
    else { return nil }
    self.init(
      kind, summary, likelyCause: json["cause"]?.string, suggestion: json["remedy"]?.string,
      at: json["at"].flatMap { SourceLocation($0) })
  }
}

extension Diagnostic.Kind {
  private static let plain: [Self] = [
    .misuse, .expectation, .timeout, .rejection, .deadlock, .livelock, .outlivingTask, .doubleResume, .dataRace, .hang,
    .crash,
    .lostControl, .divergence, .warning,
  ]

  fileprivate var word: String {
    switch self {
    case .thrownError: "thrownError"
    case .violation: "violation"
    default: "\(self)"
    }
  }

  fileprivate var detail: String? {
    switch self {
    case .thrownError(let type): type
    case .violation(let rule): rule
    default: nil
    }
  }

  fileprivate init?(word: String, detail: String?) {
    switch (word, detail) {
    case ("thrownError", let type?): self = .thrownError(type: type)
    case ("violation", let rule?): self = .violation(rule: rule)
    default:
      guard let kind = Self.plain.first(where: { "\($0)" == word }) else { return nil }
      self = kind
    }
  }
}

extension ExplorationWarning: WireValue {
  package var json: JSONValue { .members(["id": .string(id), "diagnostic": diagnostic.json]) }

  package init?(_ json: JSONValue) {
    guard let id = json["id"]?.string, let diagnostic = json["diagnostic"].flatMap({ Diagnostic($0) }) else {
      return nil
    }
    self.init(id, diagnostic)
  }
}

extension ChoiceSequence: WireValue {
  package var json: JSONValue {
    .members([
      "data": Self.write(data), "schedule": Self.write(schedule), "cancellation": Self.write(cancellation),
      "preemption": preemption.isEmpty ? nil : Self.write(preemption),
      "spans": .array(
        spans.map { span in
          .array([
            .int(Int(span.label.rawValue)), .int(span.range.lowerBound), .int(span.range.upperBound), .int(span.depth),
            .bool(span.isDiscarded),
          ])
        }),
    ])
  }

  package init?(_ json: JSONValue) {
    guard let data = Self.read(json["data"]), let schedule = Self.read(json["schedule"]),
      let cancellation = Self.read(json["cancellation"])
    else { return nil }
    let spans = (json["spans"]?.array ?? []).compactMap { json -> Span? in
      guard let parts = json.array, parts.count == 5,
        let label = parts[0].int.flatMap({ Span.Label(rawValue: UInt8($0)) }),
        let start = parts[1].int, let end = parts[2].int, start <= end, let depth = parts[3].int,
        let isDiscarded = parts[4].bool
      else { return nil }
      return Span(label, start..<end, depth: depth, isDiscarded: isDiscarded)
    }
    self.init(
      data: data, schedule: schedule, cancellation: cancellation, preemption: Self.read(json["preemption"]) ?? [],
      spans: spans)
  }

  private static func write(_ choices: [Choice]) -> JSONValue {
    .string(
      choices.map { "\(String($0.value, radix: 36)):\(String($0.bound, radix: 36))" }.joined(separator: " "))
  }

  private static func read(_ json: JSONValue?) -> [Choice]? {
    guard let text = json?.string else { return nil }
    return text.split(separator: " ").compactMap { pair in
      let parts = pair.split(separator: ":")
      guard parts.count == 2, let value = UInt64(parts[0], radix: 36), let bound = UInt64(parts[1], radix: 36) else {
        return nil
      }
      return Choice(value: value, bound: bound)
    }
  }
}

extension EventLog: WireValue {
  package var json: JSONValue {
    .members([
      "events": .values(events),
      "tasks": .array(taskNames.sorted { $0.key < $1.key }.map { .array([.int($0.key), .string($0.value)]) }),
      "places": .array(
        placeNames.map { .array([$0.key.json, .string($0.value)]) }.sorted { $0.text < $1.text }),
      "test": testFunction.map { .string($0) },
    ])
  }

  package init?(_ json: JSONValue) {
    self.init()
    for event in (json["events"] ?? .null).values(as: Event.self) { append(event) }
    for pair in (json["tasks"]?.array ?? []).compactMap(\.array) where pair.count == 2 {
      if let task = pair[0].int, let title = pair[1].string { name(task: task, title) }
    }
    for pair in (json["places"]?.array ?? []).compactMap(\.array) where pair.count == 2 {
      if let place = Event.Place(pair[0]), let title = pair[1].string { name(place: place, title) }
    }
    testFunction = json["test"]?.string
  }
}

extension Event.Place: WireValue {
  package var json: JSONValue {
    switch self {
    case .global: .int(-2)
    case .main: .int(-1)
    case .actor(let number): .int(number)
    }
  }

  package init?(_ json: JSONValue) {
    guard let number = json.int else { return nil }
    self = number == -2 ? .global : number == -1 ? .main : .actor(number)
  }
}

extension SourcePlace: WireValue {
  package var json: JSONValue {
    .members([
      "module": .string(module), "type": type.map { .string($0) }, "member": .string(member),
      "file": file.map { .string($0) }, "line": line.map { .int($0) },
    ])
  }

  package init?(_ json: JSONValue) {
    guard let module = json["module"]?.string, let member = json["member"]?.string else { return nil }
    self.init(module: module, type: json["type"]?.string, member: member)
    (file, line) = (json["file"]?.string, json["line"]?.int)
  }
}

extension Event: WireValue {
  package var json: JSONValue {
    let (name, details) = kind.parts
    return .members([
      "kind": .string(name), "details": .array(details), "step": .int(step), "time": .int(Int(time / .nanoseconds(1))),
      "task": task.map { .int($0) }, "source": source?.json, "line": line.map { .string($0) },
      "path": path.map { .string($0) },
    ])
  }

  package init?(_ json: JSONValue) {
    guard let name = json["kind"]?.string, let kind = Kind(name, json["details"]?.array ?? []),
      let step = json["step"]?.int
    else { return nil }
    self.init(step: step, time: .nanoseconds(json["time"]?.int ?? 0), task: json["task"]?.int, kind: kind)
    source = json["source"].flatMap { SourcePlace($0) }
    (line, path) = (json["line"]?.string, json["path"]?.string)
  }
}

extension Event.Kind {
  fileprivate var parts: (name: String, details: [JSONValue]) {
    switch self {
    case .ran(let place, let rank, let ready): ("ran", [place.json, .int(rank), .int(ready)])
    case .started(let starter): ("started", [starter.map { .int($0) } ?? .null])
    case .timerFired: ("timer", [])
    case .timePassed(let duration): ("passed", [.int(Int(duration / .nanoseconds(1)))])
    case .cancelled: ("cancelled", [])
    case .preempted(let access): ("preempted", [.string(access.rawValue)])
    case .drew(let label, let value): ("drew", [label.map { .string($0) } ?? .null, .string(value)])
    case .note(let text): ("note", [.string(text)])
    case .lifecycle(.begins(let call)): ("begins", [.string(call)])
    case .lifecycle(.returns(let call)): ("returns", [.string(call)])
    case .lifecycle(.other(let text)): ("lifecycle", [.string(text)])
    case .tree(.node(let node)):
      (
        "node",
        [
          .int(node.number), .string(node.name), node.parent.map { .int($0) } ?? .null, .string(node.state.rawValue),
          .int(node.tasks),
        ]
      )
    case .tree(.gone(let number)): ("gone", [.int(number)])
    case .issue(let text): ("issue", [.string(text)])
    }
  }

  fileprivate init?(_ name: String, _ details: [JSONValue]) {
    let text = details.last?.string ?? ""
    switch (name, details.count) {
    case ("ran", 3):
      guard let place = Event.Place(details[0]), let rank = details[1].int, let ready = details[2].int else {
        return nil
      }
      self = .ran(place, rank: rank, ready: ready)
    case ("started", 1): self = .started(by: details[0].int)
    case ("timer", _): self = .timerFired
    case ("passed", 1): self = .timePassed(.nanoseconds(details[0].int ?? 0))
    case ("cancelled", _): self = .cancelled
    case ("preempted", 1):
      guard let access = Event.Access(rawValue: text) else { return nil }
      self = .preempted(access)
    case ("drew", 2): self = .drew(label: details[0].string, value: text)
    case ("note", 1): self = .note(text)
    case ("begins", 1): self = .lifecycle(.begins(text))
    case ("returns", 1): self = .lifecycle(.returns(text))
    case ("lifecycle", 1): self = .lifecycle(.other(text))
    case ("node", 5):
      guard let number = details[0].int, let title = details[1].string, let tasks = details[4].int,
        let state = details[3].string.flatMap({ TreeNode.State(rawValue: $0) })
      else { return nil }
      self = .tree(.node(TreeNode(number: number, name: title, parent: details[2].int, state: state, tasks: tasks)))
    case ("gone", 1):
      guard let number = details[0].int else { return nil }
      self = .tree(.gone(number))
    case ("issue", 1): self = .issue(text)
    default: return nil
    }
  }
}
