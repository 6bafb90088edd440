// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct WireTests {
  /// The copy of a value that another process would read.
  private func received<Value: WireValue>(_ value: Value) throws -> Value {
    let line = Wire(value, "the end").line
    #expect(line.last == "\n" && line.dropLast().allSatisfy { !$0.isNewline })
    var wire = try #require(Wire(line: line.utf8))
    let copy: Value = wire.read()
    #expect(wire.read() == "the end")
    return copy
  }

  private static let kinds: [Event.Kind] = [
    .ran(.actor(3), rank: 1, ready: 2), .ran(.global, rank: 0, ready: 1), .ran(.main, rank: 0, ready: 1),
    .started(by: nil), .started(by: 0), .timerFired, .timePassed(.nanoseconds(1_500), while: [0, 2]), .cancelled,
    .preempted(.unlock),
    .drew(label: nil, value: ""), .drew(label: "amount", value: "3"),
    .note("two\nlines, a \"quote\", a \\, a\ttab, a\r\nCRLF and a \0"),
    .lifecycle(.begins("a()")), .lifecycle(.returns("a()")), .lifecycle(.other("a")), .tree(.gone(2)),
    .tree(.node(TreeNode(number: 1, name: "Home", parent: 7, state: .becoming, tasks: 2))), .issue("✘ – 😀"),
  ]

  @Test(arguments: kinds)
  func `an event of every kind arrives`(kind: Event.Kind) throws {
    var event = Event(step: 4, time: .milliseconds(1), task: nil, kind: kind)
    (event.line, event.path) = ("File.swift:1", "/File.swift")
    event.source = SourcePlace(module: "App", type: "Home", member: "open()")
    #expect(try received(event) == event)
  }

  @Test func `a log arrives with its names`() throws {
    let event = Event(step: 1, time: .zero, task: 2, kind: .timerFired)
    let log = EventLog(
      events: [event], taskNames: [2: "saving", 10: "10"], actorNames: [.actor(1): ActorName(type: "Account")],
      testFunction: "test()")
    let copy = try received(log)
    #expect(copy.events == log.events && copy.taskNames == log.taskNames)
    #expect(copy.actorNames == log.actorNames && copy.testFunction == log.testFunction)
  }

  private static let diagnostics: [Diagnostic.Kind] = [
    .misuse, .expectation, .timeout, .rejection, .thrownError(type: "Offline"), .violation(rule: "T4 detachment"),
    .deadlock, .livelock, .outlivingTask, .doubleResume, .dataRace, .hang, .crash, .lostControl, .divergence, .warning,
  ]

  @Test(arguments: diagnostics)
  func `a diagnostic of every kind arrives, and is the same failure`(kind: Diagnostic.Kind) throws {
    var diagnostic = Diagnostic(kind, "What happened.", likelyCause: "a cause", at: #_sourceLocation)
    diagnostic.subject = "login()"
    let copy = try received(diagnostic)
    #expect(copy == diagnostic && copy.isSameFailure(as: diagnostic))
  }

  @Test func `choices arrive, however large they are`() throws {
    let sequence = ChoiceSequence(
      data: [Choice(value: .max, bound: 0)], schedule: [Choice(value: 1, bound: 2)],
      preemption: [Choice(value: 5, bound: 9)],
      spans: [Span(.element, 0..<1, depth: 2, isDiscarded: true)])
    let copy = try received(sequence)
    #expect(copy.data == sequence.data && copy.schedule == sequence.schedule && copy.cancellation == [])
    #expect(copy.preemption == sequence.preemption && copy.spans == sequence.spans)
  }

  private static let broken: [(line: String, as: any WireValue.Type)] = [
    ("\n", Int.self), ("1\tx\t\n", (Int?).self), ("one\t\n", Int.self), ("yes\t\n", Bool.self),
    ("1000000\t\n", [Int].self), ("-1\t\n", [Int].self), ("2\t1\t\n", [Int].self),
    ("sideways\t\n", Event.Kind.self), ("sideways\t\n", Diagnostic.Kind.self),
    ("preempted\tsideways\t\n", Event.Kind.self), ("A\t/A\t1\t1\t\n", SourceLocation.self),
  ]

  @Test(arguments: broken)
  func `a message that ends too early, or says something else, is broken`(line: String, type: any WireValue.Type) throws
  {
    func isBroken<Value: WireValue>(_ type: Value.Type) throws -> Bool {
      var wire = try #require(Wire(line: line.utf8))
      _ = wire.read() as Value
      return wire.isBroken
    }
    #expect(try isBroken(type))
  }

  @Test func `a message that is read to its end is whole`() throws {
    var wire = try #require(Wire(line: "2\t1\t2\ttrue\t\n".utf8))
    #expect(wire.read() == [1, 2] && wire.read() == true && !wire.isBroken)
  }

  @Test(arguments: ["", "a", "a\t"]) func `a line without an end is no message`(line: String) {
    #expect(Wire(line: line.utf8) == nil)
  }
}
