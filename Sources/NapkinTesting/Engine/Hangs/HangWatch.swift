// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime
internal import Synchronization

/// Looks each second whether a test that explores nothing hangs, and says which task waits for which.
///
/// A test hangs where it has run for longer than a limit, and none of its tasks has moved for five seconds: none was created, none
/// has gone on, and no thread of theirs has used its processor. `NAPKIN_HANG=30` sets the limit for all tests of a process,
/// which also reports those that run where it gets SIGTERM or SIGINT. The trait sets it for one test.
///
/// Nothing of it runs, and no task is kept, unless one of both asks for it.
package enum HangWatch {
  fileprivate typealias TaskID = WaitGraph.TaskID

  /// The state of a task, since the look that found it first.
  fileprivate struct Look {
    var state: [UInt]
    var since: Int64
  }

  fileprivate struct Watched {
    let name: String
    let limit: Duration
    let report: @Sendable (String) -> Void
  }

  fileprivate struct State {
    var limitOfAll: Duration?
    var tests: [TaskID: Watched] = [:]
    var looks: [TaskID: Look] = [:]
    var reported: Set<TaskID> = []
    var hasBegun = false
    var beats: UInt64 = 0
    var explored: Int64 = 0
  }

  private static let state = Mutex(State())
  fileprivate static let stillness = Duration.seconds(5)

  /// Watches all tests, if `NAPKIN_HANG` asks for it; another value than a positive number of seconds is refused.
  package static func install() {
    guard let text = Environment["NAPKIN_HANG"], !text.isEmpty else { return }
    guard let seconds = Double(text), seconds > 0, seconds < 1e9 else {
      return write(
        "✘ The environment variable NAPKIN_HANG is \"\(text)\", which is not a positive number of seconds.\n")
    }
    state.withLock { $0.limitOfAll = .seconds(seconds) }
    napkin_hear_tasks()
    begin()
  }

  /// Watches the task that calls this, and those below it, until the body has returned.
  package nonisolated(nonsending) static func watching<Result>(
    _ name: String, after limit: Duration, report: @escaping @Sendable (String) -> Void,
    _ body: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    begin()
    napkin_hear_tasks()
    guard let task = napkin_current_task() else { return try await body() }
    let id = UInt(bitPattern: task)
    state.withLock { $0.tests[id] = Watched(name: name, limit: limit, report: report) }
    defer { state.withLock { _ = $0.tests.removeValue(forKey: id) } }
    return try await body()
  }

  private static func begin() {
    let isFirst = state.withLock { state in
      defer { state.hasBegun = true }
      return !state.hasBegun
    }
    guard isFirst else { return }
    napkin_watch_hangs { HangWatch.look(ends: $0) }
  }

  private static func write(_ text: String) { napkin_write_error(text, text.utf8.count) }

  private static func look(ends: Bool) {
    napkin_forget_ended()
    let graph = WaitGraph(looksAtThreads: ends)
    let now = napkin_real_time()
    let candidates = state.withLock { $0.candidates(graph, now, ends: ends) }
    guard !candidates.isEmpty, ends || !graph.order.isEmpty else { return }
    report(candidates, now, ends: ends)
  }

  private static func report(_ candidates: [TaskID], _ now: Int64, ends: Bool) {
    let before = WaitGraph()
    if !ends { napkin_await_ring(napkin_rings(), 1_000_000_000) }
    let graph = ends ? before : WaitGraph()
    // A thread that is blocked uses no processor between two looks. Where others use all threads of the pool, a test that waits for
    // one is slow, and hangs not.
    let busy = ends ? [] : graph.order.filter { graph.used(by: $0, since: before) > leastWork }
    if !busy.isEmpty, graph.fullPool() != nil { return }
    for root in tests(among: candidates, graph) {
      let tasks = graph.all(below: root)
      guard tasks.allSatisfy({ !busy.contains($0) && graph.state(of: $0) == before.state(of: $0) }) else { continue }
      let watched = state.withLock { state -> Watched?? in
        guard state.reported.insert(root).inserted else { return nil }
        return .some(state.tests[root])
      }
      guard let watched else { continue }
      let text = HangReport(graph, root, tasks, now, name: watched?.name ?? graph.testTitle(of: root)).text
      write(text + "\n")
      watched?.report(text)
    }
  }

  /// The nanoseconds of a processor in a second that a look at a thread costs at most.
  private static let leastWork: Int64 = 3_000_000

  /// The tests that these tasks belong to: a task is a test by its name, which the testing library gives it, or by its trait.
  ///
  /// Without such a task, it is the outermost one in which code under test is.
  private static func tests(among candidates: [TaskID], _ graph: WaitGraph) -> [TaskID] {
    var tests: [TaskID] = []
    let watched = state.withLock { Set($0.tests.keys) }
    for task in candidates {
      let path = Array(sequence(first: task) { graph.parent(of: $0) })
      let test = path.first { watched.contains($0) || graph.isNamedAsTest($0) }
      guard let test = test ?? path.last(where: graph.isOfCodeUnderTest), !tests.contains(test) else { continue }
      tests.append(test)
    }
    return tests
  }
}

extension HangWatch.State {
  /// The tasks that have run for longer than their limit, and none of which has moved; all of them where the process ends.
  fileprivate mutating func candidates(_ graph: WaitGraph, _ now: Int64, ends: Bool) -> [WaitGraph.TaskID] {
    var next: [UInt: HangWatch.Look] = [:]
    for task in graph.order {
      let current = graph.state(of: task)
      next[task] = looks[task].flatMap { $0.state == current ? $0 : nil } ?? HangWatch.Look(state: current, since: now)
    }
    looks = next
    if ends { return graph.order }
    // Explorations wait for each other, so a test that explores later is still meanwhile.
    if napkin_owns_any() || napkin_beats() != beats { (beats, explored) = (napkin_beats(), now) }
    guard .nanoseconds(now - explored) >= HangWatch.stillness else { return [] }
    return graph.order.filter { task in
      guard !reported.contains(task), let limit = tests[task]?.limit ?? limitOfAll else { return false }
      guard .nanoseconds(now - graph.created(task)) > limit else { return false }
      let stillness = min(HangWatch.stillness, limit)
      return graph.all(below: task).allSatisfy { below in
        .nanoseconds(now - (next[below]?.since ?? now)) >= stillness
      }
    }
  }
}

/// The waits of one test: the first sentence is a circle, a blocked pool, or the end of the chain of waits.
private struct HangReport {
  let text: String

  init(_ graph: WaitGraph, _ root: WaitGraph.TaskID, _ tasks: [WaitGraph.TaskID], _ now: Int64, name: String) {
    let seconds = (now - graph.created(root)) / 1_000_000_000
    var lines = ["✘ Test \(name) hangs: it has run for \(seconds) s, and nothing of it moves."]
    lines.append(Self.cause(graph, root, tasks))
    // Tasks that stand alike are shown once.
    var shown: [(text: String, count: Int)] = []
    for task in tasks {
      let title = graph.title(of: task, root: root)
      let text =
        (["\(title) \(graph.wait(of: task, root: root))"] + graph.lines(of: task).map { "    \($0)" })
        .joined(separator: "\n")
      if let index = shown.firstIndex(where: { $0.text == text }) {
        shown[index].count += 1
      } else {
        shown.append((text, 1))
      }
    }
    lines += shown.map { "  " + ($0.count > 1 ? "\($0.count) × " : "") + $0.text }
    text = lines.joined(separator: "\n")
  }

  private static func cause(_ graph: WaitGraph, _ root: WaitGraph.TaskID, _ tasks: [WaitGraph.TaskID]) -> String {
    func step(_ task: WaitGraph.TaskID) -> String {
      let place = graph.places(of: task).first.map { " at \($0.located())" } ?? ""
      return "\(graph.title(of: task, root: root)) \(graph.wait(of: task, root: root))\(place)"
    }
    if let circle = graph.circle(among: tasks) {
      return "Circle of waits: " + circle.map(step).joined(separator: "; ") + "."
    }
    if let blocked = graph.fullPool(), let first = blocked.first {
      return "The thread pool is exhausted: \(blocked.count) tasks block all of its threads, as \(step(first))."
    }
    // A task that waits for several is followed to one that waits for none of them.
    var chain = [root]
    while let next = graph.successors(of: chain.last!).first(where: { !chain.contains($0) }) { chain.append(next) }
    return "Cause: " + step(chain.last!) + "."
  }
}
