// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// The tasks of ordinary tests at one moment, each with what it waits for: other tasks, an actor, a continuation, a thread.
///
/// It is read while other threads run, so a task that goes on meanwhile may be shown as it was.
struct WaitGraph {
  /// The address of a task.
  typealias TaskID = UInt

  private let tasks: [TaskID: napkin_heard_task]
  private let threads: [napkin_seen_thread]
  /// The tasks in the order of their creation.
  let order: [TaskID]

  private static let mostThreads = 512

  /// Looks at all tasks that were heard of, and at all threads, which each get a signal.
  init(looksAtThreads: Bool = true) {
    var tasks = Self.heard()
    var order = tasks.map { UInt(bitPattern: $0.task) }
    var known = Dictionary(zip(order, tasks)) { first, _ in first }
    // A child of `async let` is known by the task that waits for it.
    while let task = tasks.popLast() {
      let child = task.subject
      var seen = napkin_heard_task()
      guard task.wait == Int32(napkin_waits_for_task), known[child] == nil, napkin_look_at_task(&seen, child) else {
        continue
      }
      seen.parent = UnsafeRawPointer(task.task)
      known[child] = seen
      order.append(child)
      tasks.append(seen)
    }
    self.tasks = known
    self.order = order
    threads = looksAtThreads ? Self.seenThreads() : []
  }

  private static func heard() -> [napkin_heard_task] {
    let count = napkin_heard_tasks(nil, 0)
    guard count > 0 else { return [] }
    var found = 0
    let tasks = [napkin_heard_task](unsafeUninitializedCapacity: count) { buffer, written in
      found = napkin_heard_tasks(buffer.baseAddress, count)
      written = min(found, count)
    }
    return tasks.sorted { $0.created < $1.created }
  }

  private static func seenThreads() -> [napkin_seen_thread] {
    [napkin_seen_thread](unsafeUninitializedCapacity: mostThreads) { buffer, written in
      buffer.initialize(repeating: napkin_seen_thread())
      written = napkin_see_threads(buffer.baseAddress!, mostThreads)
    }
  }

  func created(_ task: TaskID) -> Int64 { tasks[task]?.created ?? 0 }

  /// A value that changes when a suspended task goes on.
  func state(of task: TaskID) -> [UInt] {
    guard let task = tasks[task] else { return [] }
    return [task.resumption, task.context, UInt(task.moves), task.is_running ? 1 : 0, task.subject]
  }

  /// The nanoseconds of a processor that the thread which runs a task has used since an earlier look; zero if none runs it.
  func used(by task: TaskID, since before: WaitGraph) -> Int64 {
    guard let thread = thread(of: task) else { return 0 }
    return before.thread(of: task).map { thread.used - $0.used } ?? .max
  }

  func parent(of task: TaskID) -> TaskID? {
    let parent = UInt(bitPattern: tasks[task]?.parent)
    return tasks[parent] == nil ? nil : parent
  }

  /// A task with all that it, or one of these, has created or waits for, in the order of their creation.
  func all(below root: TaskID) -> [TaskID] {
    var found: Set<TaskID> = [root]
    var open = [root]
    while let task = open.popLast() {
      for other in successors(of: task) + order where !found.contains(other) {
        guard parent(of: other) == task || successors(of: task).contains(other) else { continue }
        found.insert(other)
        open.append(other)
      }
    }
    return order.filter(found.contains)
  }

  /// The tasks that a task waits for, as far as they are known.
  func successors(of task: TaskID) -> [TaskID] {
    guard let seen = tasks[task] else { return [] }
    switch Int(seen.wait) {
    case napkin_waits_for_task:
      return tasks[seen.subject] == nil ? [] : [seen.subject]
    case napkin_waits_for_group:
      return order.filter { parent(of: $0) == task && tasks[$0]?.is_child == true }
    case napkin_waits_for_executor:
      return holder(of: seen.subject).map { $0 == task ? [] : [$0] } ?? []
    default: return []
    }
  }

  private func holder(of actor: UInt) -> TaskID? {
    guard actor != 0 else { return nil }
    return threads.first { $0.task != nil && $0.actor == actor }.map { UInt(bitPattern: $0.task) }
  }

  private func thread(of task: TaskID) -> napkin_seen_thread? { threads.first { UInt(bitPattern: $0.task) == task } }
}

// The places and the words.
extension WaitGraph {
  /// The first circle of tasks that wait for each other among these.
  func circle(among tasks: [TaskID]) -> [TaskID]? {
    for start in tasks {
      var path = [start]
      while let next = successors(of: path.last!).first {
        if let index = path.firstIndex(of: next) { return Array(path[index...]) }
        path.append(next)
      }
    }
    return nil
  }

  /// Whether the testing library has named a task as that of a test, or of one of its cases.
  func isNamedAsTest(_ task: TaskID) -> Bool { testName(of: task) != nil }

  private func testName(of task: TaskID) -> String? {
    guard let name = tasks[task]?.name.map({ String(cString: $0) }), name.hasPrefix(Self.testPrefix) else { return nil }
    // The task of a suite or of a run has another name, and the one that prepares a test has no dash.
    return name.firstRange(of: " - ").map {
      String(name[name.index(name.startIndex, offsetBy: Self.testPrefix.count)..<$0.lowerBound])
    }
  }

  private static let testPrefix = "[Swift Testing] test "

  func isOfCodeUnderTest(_ task: TaskID) -> Bool { places(of: task).contains { $0.type != "Runner" } }

  /// The name of the test that a task is.
  func testTitle(of task: TaskID) -> String {
    let path = sequence(first: task) { parent(of: $0) }
    if let name = path.lazy.compactMap(testName).first { return name }
    return places(of: task).last?.text ?? "without a name"
  }

  /// Where a task stands in the code under test, the innermost function first.
  func places(of task: TaskID) -> [SourcePlace] {
    if let thread = thread(of: task) { return Symbolicator.callers(among: frames(of: thread)) }
    return addresses(of: task).compactMap { Symbolicator.place(at: $0) }.filter { $0.module != "Napkin" }
  }

  private func frames(of thread: napkin_seen_thread) -> [UInt] {
    withUnsafeBytes(of: thread.frames) { Array($0.bindMemory(to: UInt.self).prefix(thread.count)) }
  }

  private func addresses(of task: TaskID) -> [UInt] {
    var seen = tasks[task] ?? napkin_heard_task()
    var addresses = [UInt](repeating: 0, count: 32)
    let count = napkin_waiting_calls(&seen, &addresses, addresses.count)
    return Array(addresses.prefix(count))
  }

  /// The line that created a task.
  private func creation(of task: TaskID) -> SourcePlace? {
    guard let seen = tasks[task] else { return nil }
    let creators = withUnsafeBytes(of: seen.creators) { Array($0.bindMemory(to: UInt.self)) }
    return Symbolicator.caller(among: creators.filter { $0 != 0 })
  }

  /// A task as a reader knows it: the test, its name, or the line that created it.
  func title(of task: TaskID, root: TaskID) -> String {
    if task == root { return "the test" }
    if let name = tasks[task]?.name { return "task \"\(String(cString: name))\"" }
    if let line = creation(of: task)?.fileAndLine { return "the task of \(line)" }
    return places(of: task).last.map { "the child task in \($0.text)" } ?? "a task"
  }

  private func titles(of tasks: [TaskID], root: TaskID) -> String {
    var counts: [(title: String, count: Int)] = []
    for title in tasks.map({ title(of: $0, root: root) }) {
      if let index = counts.firstIndex(where: { $0.title == title }) {
        counts[index].count += 1
      } else {
        counts.append((title, 1))
      }
    }
    return counts.map { ($0.count > 1 ? "\($0.count) × " : "") + $0.title }.joined(separator: ", ")
  }

  /// The wait of a task, as the rest of a sentence about it.
  func wait(of task: TaskID, root: TaskID) -> String {
    guard let seen = tasks[task] else { return "has ended" }
    if let thread = thread(of: task) { return "is blocked in its thread" + blocker(of: thread) }
    let others = titles(of: successors(of: task), root: root)
    switch Int(seen.wait) {
    case napkin_waits_for_task: return "waits for " + (others.isEmpty ? "a task that was not seen" : others)
    case napkin_waits_for_group:
      return "waits for its child tasks" + (others.isEmpty ? "" : ": \(others)")
    case napkin_waits_for_continuation: return waitForContinuation(task)
    case napkin_waits_for_executor where seen.subject == 0: return "waits for a thread of the pool"
    case napkin_waits_for_executor:
      let actor = seen.subject == napkin_main_executor().identity ? "the main actor" : "an actor"
      return "waits for \(actor)" + (others.isEmpty ? mainThread(seen.subject) : ", which \(others) is on")
    default: return seen.is_enqueued ? "waits for a thread of the pool" : "is suspended"
    }
  }

  private func waitForContinuation(_ task: TaskID) -> String {
    let names = addresses(of: task).prefix { Symbolicator.place(at: $0) == nil }.compactMap(Symbolicator.name(at:))
    func isIn(_ word: String) -> Bool { names.contains { $0.contains(word) } }
    if isIn("sleep") { return "sleeps" }
    if isIn("AsyncStream") || isIn("AsyncThrowingStream") { return "waits for the next element of a stream" }
    return "waits for a continuation that nothing has resumed"
  }

  // Without a task on it, the main thread may still be blocked, by code that called no async function.
  private func mainThread(_ actor: UInt) -> String {
    guard actor == napkin_main_executor().identity, let main = threads.first(where: { $0.is_main }) else { return "" }
    guard let place = Symbolicator.caller(among: frames(of: main)) else { return "" }
    return ", whose thread is blocked\(blocker(of: main)) at \(place.located())"
  }

  /// The function of a library that code under test has called, and that has not returned.
  private func blocker(of thread: napkin_seen_thread) -> String {
    let frames = frames(of: thread)
    guard let own = frames.firstIndex(where: { Symbolicator.place(at: $0, isCall: true) != nil }), own > 0 else {
      return ""
    }
    let name = frames[..<own].reversed().lazy.compactMap(Symbolicator.name(at:)).first { !$0.contains("on_look") }
    return name.map { " by \($0)" } ?? ""
  }

  /// The tasks that have the threads of the pool, if those are all of its threads.
  func fullPool() -> [TaskID]? {
    let running = threads.filter { !$0.is_main && $0.task != nil }.map { UInt(bitPattern: $0.task) }
    return running.count >= Int(napkin_processors()) ? running : nil
  }

  /// Where a task stands: its innermost line, and the callers up to the outermost.
  func lines(of task: TaskID) -> [String] { places(of: task).map { $0.located() } }
}
