// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct WireTests {
  /// The copy of a value that another process would read.
  private func received<Value: Codable>(_ value: Value) throws -> Value {
    let line = Wire.line(value)
    #expect(line.last == "\n" && line.dropLast().allSatisfy { !$0.isNewline })
    return try #require(Wire.message(line.utf8))
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
    diagnostic.subject = .call("login()")
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

  @Test(arguments: ["\n", "1", "\"1\"\n", "[1,\n", "[1,\"2\"]\n", "{\"timerFired\":\n", "✘\n"])
  func `a message that ends too early, or says something else, is none`(line: String) {
    #expect(Wire.message(line.utf8) as [Int]? == nil)
    #expect(Wire.message(line.utf8) as Event.Kind? == nil)
    #expect(Wire.message(line.utf8) as Diagnostic? == nil)
  }

  @Test func `a value that JSON does not have is an empty line`() {
    #expect(Wire.line([Double.nan]) == "\n")
  }
}
