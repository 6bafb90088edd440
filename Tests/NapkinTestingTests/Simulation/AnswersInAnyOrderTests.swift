// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

/// Apps with a fake of a server that is an actor, as one writes it: it answers in the order of the calls.
@Suite struct AnswersInAnyOrderTests {
  actor Server {
    private var validToken = "stale"
    @_optimize(none) func search(_ text: String) -> String { "results of \(text)" }
    func accepts(_ token: String) -> Bool { token == validToken }

    func login() -> String {
      validToken = "fresh"
      return validToken
    }

    func expire() { validToken = "none" }
  }

  @MainActor final class SearchModel {
    private let server: Server
    private let dropsStale: Bool
    private var text = ""
    private(set) var results = ""

    init(_ server: Server, dropsStale: Bool) { (self.server, self.dropsStale) = (server, dropsStale) }

    func type(_ text: String) async {
      self.text = text
      let results = await server.search(text)
      if dropsStale, self.text != text { return }
      self.results = results
    }
  }

  actor Session {
    private let server: Server
    private let checksToken: Bool
    private(set) var token = "stale"

    init(_ server: Server, checksToken: Bool) { (self.server, self.checksToken) = (server, checksToken) }

    func load() async {
      let used = token
      guard await !server.accepts(used) else { return }
      if !checksToken || token == used { token = "" }
    }

    func logIn() async { token = await server.login() }
  }

  @Sendable static func search(dropsStale: Bool, isLate: Bool = true) async {
    let server = Server()
    if isLate { Execution.answersInAnyOrder(of: server) }
    let model = await SearchModel(server, dropsStale: dropsStale)
    let first = Task { @MainActor in await model.type("r") }
    await Execution.settle()
    let second = Task { @MainActor in await model.type("ri") }
    await first.value
    await second.value
    #expect(await model.results == "results of ri")
  }

  @Sendable static func logIn(checksToken: Bool, isLate: Bool = true) async {
    let server = Server()
    if isLate { Execution.answersInAnyOrder(of: server) }
    await server.expire()
    let session = Session(server, checksToken: checksToken)
    let first = Task { await session.load() }
    let second = Task { await session.logIn() }
    await first.value
    await second.value
    #expect(await session.token == "fresh")
  }

  // Twenty seeds; by the odds of two drawn latencies each seed needs about three executions.
  @Test func `a stale answer that wins is found with an actor as fake`() async {
    var executions = 0
    for seed in 1...20 as ClosedRange<UInt64> {
      let result = await Explorer(executions: 1_000, seed: seed, shrinks: false).run {
        await Self.search(dropsStale: false)
      }
      #expect(result.failure != nil, "seed \(seed)")
      executions += result.executions
    }
    #expect(executions <= 20 * 20, "\(executions) in all")
  }

  @Test func `a late refusal that ends a new session is found with an actor as fake`() async {
    var executions = 0
    for seed in 1...20 as ClosedRange<UInt64> {
      let result = await Explorer(executions: 1_000, seed: seed, shrinks: false).run {
        await Self.logIn(checksToken: false)
      }
      #expect(result.failure != nil, "seed \(seed)")
      executions += result.executions
    }
    #expect(executions <= 20 * 20, "\(executions) in all")
  }

  private actor Drafts {
    private(set) var saved = ""
    func save(_ text: String) { saved = text }
  }

  @MainActor private final class Form {
    private let drafts: Drafts
    init(_ drafts: Drafts) { self.drafts = drafts }
    func save(_ text: String) async { await drafts.save(text) }
  }

  /// Both calls leave the main actor in the order in which they were made.
  @Sendable private static func saveTwice(isLate: Bool) async {
    let drafts = Drafts()
    if isLate { Execution.answersInAnyOrder(of: drafts) }
    let form = await Form(drafts)
    let first = Task { @MainActor in await form.save("a") }
    let second = Task { @MainActor in await form.save("b") }
    _ = await (first.value, second.value)
    #expect(await drafts.saved == "b")
  }

  @Test func `a request that is late makes an earlier save the last one`() async throws {
    #expect(await Explorer(executions: 300).run { await Self.saveTwice(isLate: false) }.failure == nil)
    for seed in 1...20 as ClosedRange<UInt64> {
      let result = await Explorer(executions: 50, seed: seed, shrinks: seed == 1).run {
        await Self.saveTwice(isLate: true)
      }
      let failure = try #require(result.failure, "seed \(seed)")
      guard seed == 1 else { continue }
      #expect(
        failure.draws.contains("a call of Drafts takes = 0.25 seconds there, 0.0 seconds back"), "\(failure.draws)")
    }
  }

  @Test(.interleavings(500)) func `a request and its answer take the longest time at most`() async {
    let server = Server()
    Execution.answersInAnyOrder(of: server, within: .seconds(4))
    let start = Execution.clock.now
    _ = await server.search("")
    #expect(start.duration(to: Execution.clock.now) <= .seconds(4))
  }

  @Test(.interleavings(3_000)) func `a search that drops stale answers passes`() async {
    await Self.search(dropsStale: true)
  }
  @Test(.interleavings(3_000)) func `a session that looks at its token passes`() async {
    await Self.logIn(checksToken: true)
  }

  @Test func `an actor that answers at once hides the stale answer`() async {
    let result = await Explorer(executions: 300).run { await Self.search(dropsStale: false, isLate: false) }
    #expect(result.failure == nil)
  }

  private static let module = "NapkinTestingTests"

  /// Sees nearly all schedules of these apps.
  ///
  /// Preempted steps have too many for that, and an exhaustive search preempts none.
  static let thorough =
    Instrumentation.splitsSteps
    ? Explorer(executions: 10_000, strategy: .exhaustive()) : Explorer(executions: 300)

  @Test func `a pass names an actor that always answered in the order of the calls`() async {
    let search = await Self.thorough.run { await Self.search(dropsStale: true, isLate: false) }
    #expect(search.alwaysInOrder(inModule: Self.module) == ["AnswersInAnyOrderTests.Server"])
    #expect(search.alwaysInOrder(inModule: "App") == [])
    let session = await Self.thorough.run { await Self.logIn(checksToken: true, isLate: false) }
    #expect(session.alwaysInOrder(inModule: Self.module) == ["AnswersInAnyOrderTests.Server"])
  }

  @Test func `an actor is not named that is varied, or may be in executions to come`() async {
    let late = await Explorer(executions: 300).run { await Self.search(dropsStale: true) }
    let few = await Explorer(executions: 2).run { await Self.logIn(checksToken: true, isLate: false) }
    let failing = await Explorer(executions: 300).run {
      await Self.search(dropsStale: true, isLate: false)
      Issue.record("it fails")
    }
    for result in [late, few, failing] { #expect(result.alwaysInOrder(inModule: Self.module) == []) }
  }

  private actor Slow {
    func answer() async { try? await Task.sleep(for: .seconds(1)) }
  }

  private actor Caller {
    func call(_ server: Server) async { _ = await server.search("") }
    func call(_ slow: Slow) async { await slow.answer() }
  }

  @Test func `an actor is not named whose answers vary, or whose calls need the last answer`() async {
    let fromPool = await Explorer(executions: 300).run {
      let server = Server()
      async let first = server.search("r")
      async let second = server.search("ri")
      _ = await (first, second)
    }
    let oneByOne = await Explorer(executions: 300).run {
      let (caller, server) = (Caller(), Server())
      await caller.call(server)
      await Task { await caller.call(server) }.value
      await Task { await caller.call(server) }.value
      await Task.yield()
    }
    let slow = await Explorer(executions: 300).run {
      let (caller, slow) = (Caller(), Slow())
      async let first: Void = caller.call(slow)
      async let second: Void = caller.call(slow)
      _ = await (first, second)
    }
    for result in [fromPool, oneByOne, slow] { #expect(result.alwaysInOrder(inModule: Self.module) == []) }
  }

  @Test func `the report shows the latency that matters, and replays`() async throws {
    let result = await Explorer(executions: 100).run { await Self.search(dropsStale: false) }
    let failure = try #require(result.failure)
    #expect(failure.draws.contains { $0.hasPrefix("a call of Server takes = ") && $0.contains("0.25 seconds") })
    #expect(failure.timeline.contains("a call of Server takes"))
    let again = await Explorer(strategy: .replay(failure.schedule)).run { await Self.search(dropsStale: false) }
    #expect(again.failure?.messages == failure.messages)
    #expect(again.warnings == [])
  }

  @Test(.interleavings(200), .answersInAnyOrder(of: Server.self))
  func `a trait lets the actors of a type answer late`() async {
    let server = Server()
    let start = Execution.clock.now
    _ = await server.search("")
    Execution.sometimes("late", Execution.clock.now > start, atLeast: 0.2)
    Execution.sometimes("at once", Execution.clock.now == start)
  }

  @Test(.interleavings(50)) func `an actor that is late is still released`() async {
    weak var left: Server?
    do {
      let server = Server()
      Execution.answersInAnyOrder(of: server)
      _ = await server.search("")
      left = server
    }
    #expect(left == nil)
  }

  @Test(.simulated) func `another actor answers at once`() async {
    Execution.answersInAnyOrder(of: Server())
    let start = Execution.clock.now
    _ = await Server().search("")
    #expect(Execution.clock.now == start)
  }

  @Test func `a time that is not positive, and the main actor, are misuse`() async {
    withKnownIssue {
      Execution.answersInAnyOrder(of: Server(), within: .zero)
    } matching: {
      "\($0)".contains("Execution.answersInAnyOrder(of: Server) was given within: 0.0 seconds")
    }
    withKnownIssue {
      Execution.answersInAnyOrder(of: MainActor.shared)
    } matching: {
      "\($0)".contains("would hold back whatever leaves the main actor")
    }
    withKnownIssue {
      Execution.answersInAnyOrder(of: MainActor.self)
    } matching: {
      "\($0)".contains("would hold back whatever leaves the main actor")
    }
  }

  @Test(.interleavings(100)) func `a task that is left behind comes to its end`() async {
    let server = Server()
    Execution.answersInAnyOrder(of: server)
    Task { _ = await server.search("") }
  }
}
