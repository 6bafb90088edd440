// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

private actor Mailbox {
  private var letters: [String] = []
  private var readers: [CheckedContinuation<String, Never>] = []

  func put(_ letter: String) { letters.append(letter) }

  func next() async -> String {
    if !letters.isEmpty { return letters.removeFirst() }
    return await withCheckedContinuation { readers.append($0) }
  }
}

/// The first sentence of a failure names the code that has the bug.
@Suite(.enabled(if: PlatformWays.findFunctions, "functions are found by a library of Linux's toolchain"))
struct FirstSentenceTests {
  @Test func `a step in the test's own code is named by its line`() async throws {
    // Code in the argument of a macro has no line.
    let exploration = await Explorer(seed: 1).run {
      let mailbox = Mailbox()
      let reader = Task(name: "reader") { await mailbox.next() }
      let writer = Task(name: "writer") { await mailbox.put("news") }
      _ = await (reader.value, writer.value)
    }
    let failure = try #require(exploration.failure)
    let pair = try #require(failure.decisivePair)
    #expect(pair.first.code == nil && pair.first.function == "Mailbox.next()", "\(pair)")
    #expect(pair.second.code == #"let writer = Task(name: "writer") { await mailbox.put("news") }"#, "\(pair)")
    let end = #") before writer runs `let writer = Task(name: "writer") { await mailbox.put("news") }` on Mailbox (:"#
    #expect(failure.report.contains(end), "\(failure.report)")
  }

  @Test func `a long line is cut, and neither a brace nor the beginning of a function is shown`() {
    var place = SourcePlace(module: "Tests", type: nil, member: "test()")
    place.file = #filePath
    place.line = #line + 1
    let sentence = "a line of the test that is longer than a sentence has room for, and goes on for a while"
    #expect(place.quotation?.hasPrefix("let sentence = \"a line of the test") == true)
    #expect(place.quotation?.count == 80 && place.quotation?.hasSuffix("…") == true, "\(sentence)")
    for line in [#line - 7, #line + 3] {
      place.line = line
      #expect(place.quotation == nil)
    }
  }

  @Test func `a deadlock begins with the task that waits in the code under test`() async throws {
    let failure = try #require(
      await Explorer(executions: 1, strategy: .fifo).run {
        let mailbox = Mailbox()
        let first = Task(name: "first") { await mailbox.next() }
        await mailbox.put("news")
        let second = Task(name: "second") { await mailbox.next() }
        _ = await (first.value, second.value)
      }.failure)
    let sentence =
      #/Deadlock: second waits since step \d+ in Mailbox, at FirstSentenceTests\.swift:\d+ in Mailbox\.next\(\), and nothing resumes it\.\n/#
    #expect(failure.report.prefixMatch(of: sentence) != nil, "\(failure.report)")
    #expect(failure.report.contains("\nWaiting: body waits since step "), "\(failure.report)")
  }

  @Test func `a deadlock of the test alone names no task of it in its first sentence`() async throws {
    let failure = try #require(
      await Explorer(executions: 1, strategy: .fifo).run {
        Task { await Task.yield() }
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      }.failure)
    let sentence = "Deadlock: the body has not returned, no task is ready and no timer is set.\nWaiting: body waits "
    #expect(failure.report.hasPrefix(sentence), "\(failure.report)")
  }
}
