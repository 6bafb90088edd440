// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime
internal import Synchronization

/// Looks each second whether a test that explores nothing hangs, and says which task waits for which.
///
/// A test hangs where it has run for longer than a limit, and none of its tasks has moved for five seconds: none was created, none
/// has gone on, and no thread of theirs has used a processor. `NAPKIN_HANG=30` sets the limit for all tests of a process, which also
/// reports those that run where it gets SIGTERM or SIGINT, or has lost its parent. The trait sets it for one test.
///
/// Nothing of it runs, and no task is kept, unless one of both asks for it.
package enum HangWatch {
  fileprivate typealias TaskID = WaitGraph.TaskID

  /// The state of a task or a thread, since the look that found it first.
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
    var looks: [UInt: Look] = [:]
    var reported: Set<TaskID> = []
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
    _ = watch
  }

  /// Watches the task that calls this, and those below it, until the body has returned.
  package nonisolated(nonsending) static func watching<Result>(
    _ name: String, after limit: Duration, report: @escaping @Sendable (String) -> Void,
    _ body: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    _ = watch
    napkin_hear_tasks()
    guard let id = napkin_current_task().map({ UInt(bitPattern: $0) }) else { return try await body() }
    state.withLock { $0.tests[id] = Watched(name: name, limit: limit, report: report) }
    defer { state.withLock { _ = $0.tests.removeValue(forKey: id) } }
    return try await body()
  }

  /// The thread that looks, which begins with the first call of this.
  private static let watch: Void = napkin_watch_hangs(state.withLock { $0.limitOfAll != nil }) { look(ends: $0) }

  /// Adds a report to the file of this process in the folder for reports, if there is one, at once; and says where it is.
  private static func keep(_ text: String) -> String {
    guard let folder = Environment["NAPKIN_REPORT_DIR"], !folder.isEmpty else { return "" }
    let file = "\(folder)/hang-\(napkin_process()).txt"
    return napkin_make_folders(folder) && napkin_append_file(file, text, text.utf8.count)
      ? "Report: \(file)\n" : "No report was written to NAPKIN_REPORT_DIR: \(file) cannot be written.\n"
  }

  private static func write(_ text: String) { napkin_write_error(text, text.utf8.count) }

  private static func look(ends: Bool) {
    napkin_forget_ended()
    var graph = WaitGraph()
    let now = napkin_real_time()
    let candidates = state.withLock { $0.candidates(graph, now, ends: ends) }
    // A signal may end a wait of a thread early, so none is sent unless a test is reported: it is known before that it hangs.
    if ends { graph.ask(graph.order, holds: false) }
    let roots = tests(among: candidates, graph).filter(candidates.contains)
    if !ends { graph.ask(roots.flatMap(graph.all(below:)), holds: true) }
    defer { napkin_release_threads() }
    var pool: String?
    for root in roots {
      guard state.withLock({ $0.reported.insert(root).inserted }) else { continue }
      let watched = state.withLock { $0.tests[root] }
      let name = watched?.name ?? graph.testTitle(of: root)
      let text = HangReport(graph, root, at: now, name, ends: ends, &pool).text
      // The file comes first: standard error may have no reader left.
      write(text + "\n" + keep(text + "\n"))
      watched?.report(text)
    }
  }

  /// The tests that these tasks belong to: a task is a test by its name, which the testing library gives it, or by its trait.
  ///
  /// Without such a task, it is the outermost one in which code under test is.
  private static func tests(among candidates: [TaskID], _ graph: WaitGraph) -> [TaskID] {
    var tests: [TaskID] = []
    let watched = state.withLock { Set($0.tests.keys) }
    for task in candidates {
      let path = Array(sequence(first: task) { graph.parent(of: $0) })
      let test = path.first { watched.contains($0) || graph.testName(of: $0) != nil }
      guard let test = test ?? path.last(where: graph.isOfCodeUnderTest), !tests.contains(test) else { continue }
      tests.append(test)
    }
    return tests
  }
}

extension HangWatch.State {
  /// The tasks that have run for their limit, and none of which has moved for five seconds; all of them where the process ends.
  fileprivate mutating func candidates(_ graph: WaitGraph, _ now: Int64, ends: Bool) -> [WaitGraph.TaskID] {
    var next: [UInt: HangWatch.Look] = [:]
    for (seen, current) in graph.states(at: now) {
      next[seen] = looks[seen].flatMap { $0.state == current ? $0 : nil } ?? HangWatch.Look(state: current, since: now)
    }
    looks = next
    if ends { return graph.order }
    // Explorations wait for each other, so a test that explores later is still meanwhile.
    if napkin_owns_any() || napkin_beats() != beats { (beats, explored) = (napkin_beats(), now) }
    func isStill(since moment: Int64) -> Bool { .nanoseconds(now - moment) >= HangWatch.stillness }
    guard isStill(since: explored) else { return [] }
    return graph.order.filter { task in
      guard !reported.contains(task), let limit = tests[task]?.limit ?? limitOfAll,
        .nanoseconds(now - graph.created(task)) > limit
      else { return false }
      let tasks = graph.all(below: task)
      return (tasks + graph.threads(of: tasks)).allSatisfy { isStill(since: next[$0]?.since ?? now) }
    }
  }
}

/// The waits of one test: the first sentence is a circle, a blocked pool, or the end of the chain of waits.
private struct HangReport {
  let text: String

  init(_ graph: WaitGraph, _ root: UInt, at now: Int64, _ name: String, ends: Bool, _ pool: inout String?) {
    let tasks = graph.all(below: root)
    let seconds = (now - graph.created(root)) / 1_000_000_000
    var lines = [
      ends
        ? "✘ Test \(name) was running when the process was asked to end: it has run for \(seconds) s."
        : "✘ Test \(name) hangs: it has run for \(seconds) s, and nothing of it has moved for five."
    ]
    let cause = Self.cause(graph, root, tasks)
    lines.append(cause == pool ? "Cause: the thread pool is exhausted, as was said before." : cause)
    if cause.hasPrefix("The thread pool") { pool = cause }
    // Tasks that stand alike are shown once.
    let shown = tasks.map { task in
      let wait = "\(graph.title(of: task, root: root)) \(graph.wait(of: task, root: root))"
      return ([wait] + graph.places(of: task).map { $0.located() }).joined(separator: "\n    ")
    }
    lines += WaitGraph.counted(shown).map { "  " + $0 }
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
    if let blocked = graph.fullPool(for: tasks), let first = blocked.first {
      return "The thread pool is exhausted: \(blocked.count) tasks block all of its threads, as \(step(first))."
    }
    // A task that waits for several is followed to one that waits for none of them.
    var chain = [root]
    while let next = graph.successors(of: chain.last!).first(where: { !chain.contains($0) }) { chain.append(next) }
    return "Cause: " + step(chain.last!) + "."
  }
}
