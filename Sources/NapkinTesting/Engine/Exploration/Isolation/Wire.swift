// SPDX-License-Identifier: Apache-2.0

package import Testing

/// A message between a worker process and the process that started it: a line of texts, read in the order in which they were
/// written.
///
/// Both processes run one program, so a message says nothing of its own form.
package struct Wire: Sendable {
  private var texts: [String]
  private var position = 0

  /// Whether a value was read that was not there, or was of another form: nothing that was read can be relied on.
  package private(set) var isBroken = false

  /// A message that consists of these values.
  package init<each Value: WireValue>(_ value: repeat each Value) {
    texts = []
    write(repeat each value)
  }

  // The bytes that would end a line or a text, each with the letter that stands for it behind a backslash.
  private static let escapes: [(byte: UInt8, letter: UInt8)] = [
    (0x5C, 0x5C), (0x0A, UInt8(ascii: "n")), (0x0D, UInt8(ascii: "r")), (0x09, UInt8(ascii: "t")),
    (0, UInt8(ascii: "0")),
  ]

  /// Reads a line; nil if it has no end.
  package init?(line: some Collection<UInt8>) {
    var (bytes, isEscaped, isWhole): ([UInt8], Bool, Bool) = ([], false, false)
    texts = []
    for byte in line {
      isWhole = byte == 0x0A
      if isEscaped {
        bytes.append(Self.escapes.first { $0.letter == byte }?.byte ?? byte)
        isEscaped = false
      } else if byte == 0x5C {
        isEscaped = true
      } else if byte == 0x09 {
        texts.append(String(decoding: bytes, as: UTF8.self))
        bytes = []
      } else {
        bytes.append(byte)
      }
    }
    if !isWhole { return nil }
  }

  /// The message as a line, with its end: each text ends with a tab.
  package var line: String {
    var bytes: [UInt8] = []
    for text in texts {
      for byte in text.utf8 {
        if let escape = Self.escapes.first(where: { $0.byte == byte }) {
          bytes += [0x5C, escape.letter]
        } else {
          bytes.append(byte)
        }
      }
      bytes.append(0x09)
    }
    return String(decoding: bytes + [0x0A], as: UTF8.self)
  }

  package mutating func write<each Value: WireValue>(_ value: repeat each Value) {
    repeat (each value).write(to: &self)
  }

  package mutating func read<Value: WireValue>() -> Value { Value(from: &self) }

  fileprivate mutating func add(_ text: String) { texts.append(text) }

  /// The next text as a value; the message is broken where it is none, and then there is no other.
  fileprivate mutating func next<Value>(or substitute: Value, _ parse: (String) -> Value?) -> Value {
    guard !isBroken, position < texts.count, let value = parse(texts[position]) else {
      isBroken = true
      return substitute
    }
    position += 1
    return value
  }

  fileprivate mutating func fail() { isBroken = true }

  /// The next text as a count of the values that follow.
  fileprivate mutating func nextCount() -> Int {
    let left = texts.count - position
    return next(or: 0) { Int($0).flatMap { (0..<left).contains($0) ? $0 : nil } }
  }
}

/// A value that goes from one process to another.
package protocol WireValue: Sendable {
  func write(to wire: inout Wire)
  init(from wire: inout Wire)
}

extension String: WireValue {
  package func write(to wire: inout Wire) { wire.add(self) }
  package init(from wire: inout Wire) { self = wire.next(or: "") { $0 } }
}

extension Int: WireValue {
  package func write(to wire: inout Wire) { wire.add("\(self)") }
  package init(from wire: inout Wire) { self = wire.next(or: 0) { Int($0) } }
}

extension UInt64: WireValue {
  package func write(to wire: inout Wire) { wire.add("\(self)") }
  package init(from wire: inout Wire) { self = wire.next(or: 0) { UInt64($0) } }
}

extension Bool: WireValue {
  package func write(to wire: inout Wire) { wire.add("\(self)") }
  package init(from wire: inout Wire) { self = wire.next(or: false) { Bool($0) } }
}

extension Duration: WireValue {
  package func write(to wire: inout Wire) { wire.write(Int(self / .nanoseconds(1))) }
  package init(from wire: inout Wire) { self = .nanoseconds(wire.read() as Int) }
}

extension WireValue where Self: RawRepresentable & CaseIterable, RawValue == String {
  package func write(to wire: inout Wire) { wire.add(rawValue) }
  package init(from wire: inout Wire) { self = wire.next(or: Self.allCases.first!) { Self(rawValue: $0) } }
}

extension Optional: WireValue where Wrapped: WireValue {
  package func write(to wire: inout Wire) {
    wire.write(self != nil)
    if let self { wire.write(self) }
  }

  package init(from wire: inout Wire) { self = wire.read() ? .some(wire.read()) : nil }
}

extension Array: WireValue where Element: WireValue {
  package func write(to wire: inout Wire) {
    wire.write(count)
    for element in self { wire.write(element) }
  }

  package init(from wire: inout Wire) {
    self = (0..<wire.nextCount()).map { _ in wire.read() }
  }
}

extension Dictionary: WireValue where Key: WireValue & Comparable, Value: WireValue {
  package func write(to wire: inout Wire) {
    wire.write(count)
    for (key, value) in sorted(by: { $0.key < $1.key }) { wire.write(key, value) }
  }

  package init(from wire: inout Wire) {
    let members = (0..<wire.nextCount()).map { _ -> (Key, Value) in (wire.read(), wire.read()) }
    self.init(members) { _, last in last }
  }
}

extension SourceLocation: WireValue {
  package func write(to wire: inout Wire) { wire.write(fileID, filePath, line, column) }

  package init(from wire: inout Wire) {
    let (id, path): (String, String) = (wire.read(), wire.read())
    let (line, column): (Int, Int) = (wire.read(), wire.read())
    // The testing library stops for others.
    let isPlace = id.contains("/") && line > 0 && column > 0
    if !isPlace { wire.fail() }
    self = isPlace ? SourceLocation(fileID: id, filePath: path, line: line, column: column) : #_sourceLocation
  }
}

extension Diagnostic: WireValue {
  package func write(to wire: inout Wire) {
    wire.write(kind, summary, likelyCause, suggestion, sourceLocation, subject)
  }

  package init(from wire: inout Wire) {
    self.init(
      wire.read(), wire.read(), likelyCause: wire.read(), suggestion: wire.read(), at: wire.read())
    subject = wire.read()
  }
}

extension Diagnostic.Kind: WireValue {
  private static let plain: [Self] = [
    .misuse, .expectation, .timeout, .rejection, .deadlock, .livelock, .outlivingTask, .doubleResume, .dataRace, .hang,
    .crash, .unmetGoal, .lostControl, .divergence, .warning, .knownIssue,
  ]

  package func write(to wire: inout Wire) {
    switch self {
    case .thrownError(let type): wire.write("thrownError", type)
    case .violation(let rule): wire.write("violation", rule)
    default: wire.write("\(self)")
    }
  }

  package init(from wire: inout Wire) {
    let name: String = wire.read()
    switch name {
    case "thrownError": self = .thrownError(type: wire.read())
    case "violation": self = .violation(rule: wire.read())
    default:
      let known = Self.plain.first { "\($0)" == name }
      if known == nil { wire.fail() }
      self = known ?? .expectation
    }
  }
}

extension Goal: WireValue {
  package func write(to wire: inout Wire) { wire.write(name, share.bitPattern, sourceLocation) }

  package init(from wire: inout Wire) {
    let (name, bits): (String, UInt64) = (wire.read(), wire.read())
    self.init(name: name, share: Double(bitPattern: bits), sourceLocation: wire.read())
  }
}

extension ExecutionLabels: WireValue {
  package func write(to wire: inout Wire) { wire.write(names, goals, actions) }
  package init(from wire: inout Wire) { self.init(names: wire.read(), goals: wire.read(), actions: wire.read()) }
}

extension ActionCounts: WireValue {
  package func write(to wire: inout Wire) { wire.write(drawn, skipped) }
  package init(from wire: inout Wire) { self.init(drawn: wire.read(), skipped: wire.read()) }
}

extension AnswerTally: WireValue {
  func write(to wire: inout Wire) { wire.write(inOrder, outOfOrder) }
  init(from wire: inout Wire) { self.init(inOrder: wire.read(), outOfOrder: wire.read()) }
}

extension AwaitedCall: WireValue {
  package func write(to wire: inout Wire) { wire.write(resumption, callee, outer, hasSuspended) }
  package init(from wire: inout Wire) {
    self.init(resumption: wire.read(), callee: wire.read(), outer: wire.read(), hasSuspended: wire.read())
  }
}

extension Choice: WireValue {
  package func write(to wire: inout Wire) { wire.write(value, bound) }
  package init(from wire: inout Wire) { self.init(value: wire.read(), bound: wire.read()) }
}

extension Span: WireValue {
  package func write(to wire: inout Wire) {
    wire.write(Int(label.rawValue), range.lowerBound, range.count, depth, isDiscarded)
  }

  package init(from wire: inout Wire) {
    let label = wire.next(or: Label.draw) { UInt8($0).flatMap(Label.init) }
    let (start, count): (Int, Int) = (wire.read(), wire.read())
    self.init(label, start..<start + max(0, count), depth: wire.read(), isDiscarded: wire.read())
  }
}

extension ChoiceSequence: WireValue {
  package func write(to wire: inout Wire) { wire.write(data, schedule, cancellation, preemption, spans) }

  package init(from wire: inout Wire) {
    self.init(
      data: wire.read(), schedule: wire.read(), cancellation: wire.read(), preemption: wire.read(), spans: wire.read())
  }
}

extension TaskOrder: WireValue {
  package func write(to wire: inout Wire) { wire.write(starts, entries, overtakes) }
  package init(from wire: inout Wire) {
    self.init(starts: wire.read(), entries: wire.read(), overtakes: wire.read())
  }
}

extension EventLog: WireValue {
  package func write(to wire: inout Wire) {
    wire.write(events, taskNames, actorNames, testFunction, stacks, resumptions, yields)
  }

  package init(from wire: inout Wire) {
    self.init(events: wire.read(), taskNames: wire.read(), actorNames: wire.read(), testFunction: wire.read())
    (stacks, resumptions, yields) = (wire.read(), wire.read(), wire.read())
  }
}

extension ActorName: WireValue {
  package func write(to wire: inout Wire) { wire.write(type, number) }
  package init(from wire: inout Wire) { self.init(type: wire.read(), number: wire.read()) }
}

extension Event.Place: WireValue, Comparable {
  private var number: Int {
    switch self {
    case .global: -2
    case .main: -1
    case .actor(let number): number
    }
  }

  package static func < (one: Self, other: Self) -> Bool { one.number < other.number }
  package func write(to wire: inout Wire) { wire.write(number) }

  package init(from wire: inout Wire) {
    let number: Int = wire.read()
    self = number == -2 ? .global : number == -1 ? .main : .actor(number)
  }
}

extension SourcePlace: WireValue {
  package func write(to wire: inout Wire) { wire.write(module, type, member, file, line, isResumption) }

  package init(from wire: inout Wire) {
    self.init(module: wire.read(), type: wire.read(), member: wire.read())
    (file, line, isResumption) = (wire.read(), wire.read(), wire.read())
  }
}

extension Event: WireValue {
  package func write(to wire: inout Wire) { wire.write(step, time, task, kind, source, line, path) }

  package init(from wire: inout Wire) {
    self.init(step: wire.read(), time: wire.read(), task: wire.read(), kind: wire.read())
    (source, line, path) = (wire.read(), wire.read(), wire.read())
  }
}

extension Event.Kind: WireValue {
  package func write(to wire: inout Wire) {
    switch self {
    case .ran(let place, let rank, let ready): wire.write("ran", place, rank, ready)
    case .started(let starter): wire.write("started", starter)
    case .timerFired: wire.write("timerFired")
    case .timePassed(let duration, let ready): wire.write("timePassed", duration, ready)
    case .cancelled: wire.write("cancelled")
    case .cancels(let task): wire.write("cancels", task)
    case .preempted(let access): wire.write("preempted", access.rawValue)
    case .drew(let label, let value): wire.write("drew", label, value)
    case .note(let text): wire.write("note", text)
    case .lifecycle(.begins(let call)): wire.write("begins", call)
    case .lifecycle(.returns(let call)): wire.write("returns", call)
    case .lifecycle(.other(let text)): wire.write("lifecycle", text)
    case .tree(.node(let node)):
      wire.write("node", node.number, node.name, node.parent, node.state.rawValue, node.tasks)
    case .launch(let isOver): wire.write("launch", isOver)
    case .tree(.gone(let number)): wire.write("gone", number)
    case .issue(let text): wire.write("issue", text)
    case .leftOut(let count): wire.write("leftOut", count)
    }
  }

  package init(from wire: inout Wire) {
    switch wire.read() as String {
    case "ran": self = .ran(wire.read(), rank: wire.read(), ready: wire.read())
    case "started": self = .started(by: wire.read())
    case "timerFired": self = .timerFired
    case "timePassed": self = .timePassed(wire.read(), while: wire.read())
    case "cancelled": self = .cancelled
    case "cancels": self = .cancels(wire.read())
    case "preempted": self = .preempted(wire.next(or: .read) { Event.Access(rawValue: $0) })
    case "drew": self = .drew(label: wire.read(), value: wire.read())
    case "note": self = .note(wire.read())
    case "begins": self = .lifecycle(.begins(wire.read()))
    case "returns": self = .lifecycle(.returns(wire.read()))
    case "lifecycle": self = .lifecycle(.other(wire.read()))
    case "node":
      let node = TreeNode(
        number: wire.read(), name: wire.read(), parent: wire.read(),
        state: wire.next(or: .inactive) { TreeNode.State(rawValue: $0) }, tasks: wire.read())
      self = .tree(.node(node))
    case "launch": self = .launch(isOver: wire.read())
    case "gone": self = .tree(.gone(wire.read()))
    case "leftOut": self = .leftOut(wire.read())
    case "issue": self = .issue(wire.read())
    default:
      wire.fail()
      self = .timerFired
    }
  }
}

extension DrawnValue: WireValue {
  package func write(to wire: inout Wire) { wire.write(label, text) }
  package init(from wire: inout Wire) { self.init(label: wire.read(), text: wire.read()) }
}
