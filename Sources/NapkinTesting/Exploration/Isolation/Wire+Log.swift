// SPDX-License-Identifier: Apache-2.0

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
