// SPDX-License-Identifier: Apache-2.0

import Foundation
import NapkinTesting
import Testing

private actor Cell {
  private(set) var value = 0
  func set(_ newValue: Int) { value = newValue }
}

private actor Response {
  private var waiting: CheckedContinuation<Void, Never>?
  func wait() async { await withCheckedContinuation { waiting = $0 } }
  func arrive() { waiting?.resume() }
  func end() { waiting?.resume() }
}

/// Two tasks that update a cell; the first may lose the update of the second.
@Sendable private func update(_ cell: Cell) async {
  await withTaskGroup { group in
    for number in 1...2 { group.addTask(name: "writer \(number)") { await cell.set(await cell.value + 1) } }
  }
}

@Sendable @_optimize(none) private func sum(to number: Int) -> Int { number == 0 ? 0 : number &+ sum(to: number - 1) }

private func waitForByte() {
  var ends: [Int32] = [0, 0]
  pipe(&ends)
  var byte: UInt8 = 0
  read(ends[0], &byte, 1)
}

private final class Box {
  var number = 0
}
private nonisolated(unsafe) let box = Box()
private func touch(_ number: inout Int) { box.number += number }
private func assumeMainActor() { MainActor.assumeIsolated {} }

/// Explorations that end the process they run in, each in the test that runs it.
@Suite(.serialized) struct IsolationTests {
  private static func explored(
    _ explorer: Explorer, jobs: Int = 1, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: @escaping @Sendable () async throws -> Void
  ) async -> Exploration {
    let database = FailureDatabase(folder: NSTemporaryDirectory() + "napkin-failures-\(UUID().uuidString)")
    // Each try is a process of its own: on a busy machine ten seconds are too few to shrink a failure.
    var context = SearchContext(explorer)
    (context.shrinkingTime, context.jobs) = (.seconds(600), jobs)
    return await context.runAsATest(FailureDatabase.key(sourceLocation), keptIn: database, body)
  }

  @Test func `a crash is a failure with message, line and lanes, and the test goes on`() async throws {
    let exploration = await Self.explored(Explorer(executions: 1_000, strategy: .random, seed: 7, isolated: true)) {
      let cell = Cell()
      await update(cell)
      let value = await cell.value
      precondition(value == 2, "an update is lost")
    }
    let line = #line - 2
    let failure = try #require(exploration.failure)
    let diagnostic = try #require(failure.diagnostics.first)
    #expect(diagnostic.kind == .crash)
    // An optimised precondition has no message.
    let message = PlatformWays.isOptimised ? "Crash: " : "Precondition failed: an update is lost"
    #expect(diagnostic.summary.contains(message), "\(diagnostic)")
    if PlatformWays.findFunctions { #expect(diagnostic.sourceLocation?.line == line, "\(diagnostic)") }
    #expect(failure.timeline.contains("writer 1") && failure.timeline.contains("Cell"), "\(failure.timeline)")
    #expect(failure.deviations <= 1)
    #expect(exploration.warnings == [])
  }

  @Test(.enabled(if: PlatformWays.findFunctions, "functions are found by a library of Linux's toolchain"))
  func `both resumers of a continuation are named, and no pair of steps`() async throws {
    let exploration = await Self.explored(Explorer(executions: 10, isolated: true)) {
      let response = Response()
      let wait = Task { await response.wait() }
      await Execution.settle()
      let (answer, end) = (Task { await response.arrive() }, Task { await response.end() })
      _ = await (wait.value, answer.value, end.value)
    }
    let failure = try #require(exploration.failure)
    // Which of the two is first is the schedule's.
    let resumer = #"by task (\d) in step \d+, at IsolationTests\.swift:\d+ in Response\.(arrive|end)\(\)"#
    let sentence = try Regex<(Substring, Substring, Substring, Substring, Substring)>(
      "Crash: a continuation is resumed more than once: \(resumer); and \(resumer)\\.")
    let resumers = try #require(failure.report.prefixMatch(of: sentence)?.output, "\(failure.report)")
    #expect(Set(["\(resumers.1) \(resumers.2)", "\(resumers.3) \(resumers.4)"]) == ["2 arrive", "3 end"])
    #expect(!failure.report.contains("It fails where"))
  }

  @Test func `drawn values of a crash are shrunk, and those that do not matter are named`() async throws {
    let exploration = await Self.explored(Explorer(executions: 100, isolated: true)) {
      // Each value that is tried and crashes costs a process, so there are few.
      let amount = Execution.draw(.int(in: 0...30), "amount")
      _ = Execution.draw(.int(in: 0...30), "tip")
      precondition(amount < 10)
    }
    let failure = try #require(exploration.failure)
    #expect(failure.draws == ["amount = 10", "tip = 0"])
    #expect(failure.remarks.contains { $0.hasPrefix("The failure does not depend on tip: ") }, "\(failure.remarks)")
  }

  @Test func `an isolated replay keeps the decisions of its token`() async throws {
    let body: @Sendable () async throws -> Void = {
      let cell = Cell()
      await withTaskGroup { group in
        for number in 1...4 { group.addTask(name: "writer \(number)") { await cell.set(await cell.value + 1) } }
      }
      let value = await cell.value
      #expect(value >= 3)
    }
    let found = await Self.explored(Explorer(executions: 1_000, strategy: .random, seed: 7, shrinks: false), body)
    let token = try #require(found.failure?.schedule)
    let explorer = Explorer(executions: 1, strategy: .replay(token), shrinks: false, isolated: true)
    let replayed = await Self.explored(explorer, body)
    #expect(replayed.failure?.schedule == token)
    #expect((found.failure?.deviations ?? 0) > 1)
  }

  @Test(.disabled(if: Instrumentation.splitsSteps, "queues are tasks of the schedule where steps are split"))
  func `an isolated exploration hears a thread that is not known to work for it`() async throws {
    let exploration = await Self.explored(Explorer(executions: 3, isolated: true)) {
      await withUnsafeContinuation { continuation in
        OperationQueue().addOperation {
          #expect(1 + 1 == 3)
          continuation.resume()
        }
      }
    }
    let failure = try #require(exploration.failure)
    #expect(failure.messages.first?.hasPrefix("Expectation failed: ") == true, "\(failure.messages)")
    #expect(failure.report.contains("Lost control: "), "\(failure.report)")
  }

  @Test func `outside of Swift Testing a warning names the argument that has no effect`() async throws {
    let exploration = await Task.detached {
      await Self.explored(Explorer(executions: 3, isolated: true)) { await Task.yield() }
    }.value
    #expect(exploration.executions == 3)
    let warning = try #require(exploration.warnings.first { $0.contains("no effect") })
    #expect(
      warning.hasPrefix("isolated: true, NAPKIN_ISOLATE or NAPKIN_JOBS has no effect here: the executions ran in this"))
    #expect(warning.contains("an XCTestCase cannot be started again by its name"))
  }

  enum Ending: String, CaseIterable {
    case message, overflow, exit, continuation, fault, hang, isolation, access

    func run() async {
      switch self {
      case .message: fatalError("the last word")
      case .overflow: _ = sum(to: .max)
      case .exit: Foundation.exit(3)
      case .continuation:
        await withCheckedContinuation { continuation in
          continuation.resume()
          continuation.resume()
        }
      case .fault: UnsafeMutablePointer<Int>(bitPattern: 8)!.pointee = 1
      case .hang: waitForByte()
      case .isolation: assumeMainActor()
      case .access: touch(&box.number)
      }
    }

    var text: String {
      switch self {
      case .message: "Fatal error: the last word"
      case .overflow: "Crash: the stack overflows (signal 11)"
      case .exit: "Crash: the code under test ends the process, with exit status 3"
      case .continuation: "Crash: a continuation is resumed more than once"
      case .fault: "Crash: an address is used that has no memory (signal 11)"
      case .hang: "Hang: a job has run for more than "
      case .isolation: "Crash: Incorrect actor executor assumption"
      case .access: "Crash: Simultaneous accesses to an object"
      }
    }
  }

  @Test(arguments: Ending.allCases) func `the ways to end a process are distinguished`(_ ending: Ending) async throws {
    if ending == .hang { setenv("NAPKIN_HANG", "3", 1) }
    defer { unsetenv("NAPKIN_HANG") }
    // There is nothing to shrink; but a hang alone is replayed with another timeout, which the search for less goes by.
    let explorer = Explorer(executions: 10, shrinks: ending == .hang, isolated: true)
    let exploration = await Self.explored(explorer) {
      await Task.yield()
      await ending.run()
    }
    let failure = try #require(exploration.failure)
    #expect(failure.execution == 1)
    let diagnostic = try #require(failure.diagnostics.first)
    #expect(diagnostic.summary.contains(ending.text), "\(diagnostic)")
    #expect(diagnostic.kind == (ending == .hang ? .hang : .crash))
    #expect(failure.timeline.contains("runs"))
    guard PlatformWays.findFunctions else { return }
    // Where the stack overflows nothing more can be found out, and a store may have no line of its own.
    if ending == .fault { #expect(diagnostic.summary.contains("Ending.run()"), "\(diagnostic)") }
    guard ![.overflow, .fault].contains(ending) else { return }
    // The first line says where, after what happened.
    let first = try #require(diagnostic.summary.split(separator: "\n").first)
    #expect(first.contains(", at IsolationTests.swift:") && first.hasSuffix("."), "\(diagnostic)")
  }

  @Test(arguments: [Ending.message, .exit, .fault])
  func `a line that the body prints is not taken for the message of its crash`(_ ending: Ending) async throws {
    let exploration = await Self.explored(Explorer(executions: 10, shrinks: false, isolated: true)) {
      FileHandle.standardError.write(Data("App/App.swift:1: Fatal error: printed\n".utf8))
      await Task.yield()
      await ending.run()
    }
    let summary = try #require(exploration.failure?.diagnostics.first?.summary)
    #expect(summary.contains(ending.text) && !summary.contains("printed"), "\(summary)")
  }

  // The first name takes so long that the thread exits meanwhile.
  @Test(
    .enabled(if: PlatformWays.findFunctions, "no name is looked up here"),
    .disabled(if: Instrumentation.splitsSteps, "threads are tasks of the schedule where steps are split"),
    .timeLimit(.minutes(60)))
  func `an exit is reported though the thread that is held looks up a name`() async throws {
    let exploration = await Self.explored(Explorer(executions: 3, isolated: true)) {
      Thread {
        usleep(20_000)
        exit(3)
      }.start()
      await Task.yield()
    }
    let failure = try #require(exploration.failure)
    #expect(failure.messages.first?.hasPrefix(Ending.exit.text) == true, "\(failure)")
  }

  @Test(arguments: [Explorer.Strategy.portfolio, .guided])
  func `what passes and what fails is as in this process, for any number of processes`(
    _ strategy: Explorer.Strategy
  ) async throws {
    let body: @Sendable () async throws -> Void = {
      let cell = Cell()
      let number = Execution.draw(.int(in: 0...300))
      await update(cell)
      Execution.target(number % 50)
      if number > 297 { Issue.record("drawn") }
    }
    var results: [Exploration] = []
    for jobs in 1...3 {
      let explorer = Explorer(executions: 1_000, strategy: strategy, seed: 3, isolated: true)
      results.append(await Self.explored(explorer, jobs: jobs, body))
    }
    #expect(results[0].failure != nil)
    for result in results {
      #expect(result.failure?.execution == results[0].failure?.execution)
      #expect(result.failure?.schedule == results[0].failure?.schedule)
      #expect(result.executions == results[0].executions)
      #expect(result.distinctSchedules == results[0].distinctSchedules)
    }
  }

  @Test func `other explorations of the test run before the one that is asked for`() async throws {
    let first = await Explorer(executions: 5).run {}
    let number = first.executions
    for round in 1...2 {
      let exploration = await Self.explored(Explorer(executions: 5, isolated: true)) {
        if round == 2, number == 5 { fatalError("round \(round)") }
      }
      #expect((exploration.failure != nil) == (round == 2), "\(exploration)")
      #expect(round == 1 || exploration.failure?.messages.first?.contains("round 2") == true)
    }
  }

  @Test func `a process that cannot be started fails the exploration, and is no pass`() async throws {
    // Each process but the first that comes here ends.
    if let folder = ProcessInfo.processInfo.environment["FOLDER_OF_FIRST_PROCESS"] {
      if mkdir(folder, 0o700) != 0 { exit(0) }
    } else {
      setenv("FOLDER_OF_FIRST_PROCESS", NSTemporaryDirectory() + "napkin-\(UUID().uuidString)", 1)
    }
    defer {
      rmdir(getenv("FOLDER_OF_FIRST_PROCESS"))
      unsetenv("FOLDER_OF_FIRST_PROCESS")
    }
    let exploration = await Self.explored(Explorer(executions: 200, isolated: true), jobs: 2) {
      for _ in 0..<1_000 { await Task.yield() }
    }
    let failure = try #require(exploration.failure)
    #expect(failure.diagnostics.first?.kind == .lostControl)
    #expect(failure.messages.first?.contains("could not be started, or did not come to the exploration") == true)
  }
}
