// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// The tasks of ordinary tests at one moment, each with what it waits for: other tasks, an actor, a continuation, a thread.
///
/// It is read while other threads run, so a task that goes on meanwhile may be shown as it was.
struct WaitGraph {
  /// The address of a task.
  typealias TaskID = UInt

  private let tasks: [TaskID: napkin_heard_task]
  private var threads: [napkin_seen_thread]
  /// The tasks in the order of their creation.
  let order: [TaskID]

  /// Looks at all tasks that were heard of, and at all threads.
  init() {
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
    threads = [napkin_seen_thread](unsafeUninitializedCapacity: 512) { $1 = napkin_see_threads($0.baseAddress!, 512) }
  }

  private static func heard() -> [napkin_heard_task] {
    let count = napkin_heard_tasks(nil, 0)
    let tasks = [napkin_heard_task](unsafeUninitializedCapacity: count) { buffer, written in
      written = min(napkin_heard_tasks(buffer.baseAddress, count), count)
    }
    return tasks.sorted { $0.created < $1.created }
  }

  func created(_ task: TaskID) -> Int64 { tasks[task]?.created ?? 0 }

  /// Of each task and each thread, a value that changes when it goes on; the number of a thread is no address of a task.
  func states(at now: Int64) -> [(seen: UInt, state: [UInt])] {
    tasks.map { id, task in
      (id, [task.resumption, task.context, UInt(task.moves), task.is_running ? 1 : 0, task.subject])
    } + threads.map { ($0.id, [UInt($0.used), $0.is_on_processor ? UInt(now) : 0]) }
  }

  /// The threads that may let these tasks go on: their own, and all that run a task where one waits for an actor or for the pool.
  ///
  /// Where it is not known which thread runs a task, these are all threads.
  func threads(of tasks: [TaskID]) -> Set<UInt> {
    var found: Set<UInt> = []
    let isKnown = threads.contains { $0.task != nil }
    for task in tasks {
      let isRunning = self.tasks[task]?.is_running == true
      if isRunning, let own = thread(of: task) {
        found.insert(own.id)
      } else if isRunning || waitsForThread(task) {
        found.formUnion(threads.filter { !isKnown || isRunning || $0.task != nil || $0.is_main }.map(\.id))
      }
    }
    return found
  }

  /// Asks those threads for their calls, and holds them until napkin_release_threads: a wait that the signal ended may end the test.
  mutating func ask(_ tasks: [TaskID], holds: Bool) {
    let asked = threads(of: tasks)
    for index in threads.indices where asked.contains(threads[index].id) {
      // A thread that runs may be where its calls cannot be read.
      for _ in 0..<(holds ? 1 : 5) where Symbolicator.caller(among: frames(of: threads[index])) == nil {
        napkin_ask_thread(&threads[index], holds)
      }
    }
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

  /// The name of a test, where the testing library has named a task as that of one, or of one of its cases.
  func testName(of task: TaskID) -> String? {
    let prefix = "[Swift Testing] test "
    guard let name = tasks[task]?.name.map({ String(cString: $0) }), name.hasPrefix(prefix) else { return nil }
    // The task of a suite or of a run has another name, and the one that prepares a test has no dash.
    guard let dash = name.firstRange(of: " - ") else { return nil }
    let test = String(name[..<dash.lowerBound].dropFirst(prefix.count))
    // The arguments are not known, but their number.
    let number = name[dash.upperBound...].firstRange(of: "test case #").map { name[$0.lowerBound...] }
    return test.hasSuffix(":)") ? test + (number.map { ", \($0)" } ?? "") : test
  }

  /// Whether code under test is in a task; a thread that was not asked yet may be in it.
  func isOfCodeUnderTest(_ task: TaskID) -> Bool {
    thread(of: task)?.count == 0 || places(of: task).contains { $0.type != "Runner" }
  }

  /// The name of the test that a task is.
  func testTitle(of task: TaskID) -> String {
    let path = Array(sequence(first: task) { parent(of: $0) })
    let places = places(of: task)
    if let name = path.lazy.compactMap(testName).first {
      let isShared = order.contains { testName(of: $0) == name && !path.contains($0) }
      return isShared ? (places.last?.type.map { $0 + "." } ?? "") + name : name
    }
    // XCTest runs an async test in a task of its own, by a closure in a list of all tests.
    guard places.last?.callee == "awaitUsingExpectation(_:)" else { return places.last?.text ?? "without a name" }
    let test = places.last { $0.callee != "awaitUsingExpectation(_:)" && !$0.function.hasPrefix("__allTests") }
    return (test.map { $0.callee + " " } ?? "") + "of XCTest"
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
    if let name = tasks[task]?.name { return "task \(String(cString: name).debugDescription)" }
    if let line = creation(of: task)?.fileAndLine { return "the task of \(line)" }
    return places(of: task).last.map { "the child task in \($0.text)" } ?? "a task"
  }

  private func titles(of tasks: [TaskID], root: TaskID) -> String {
    Self.counted(tasks.map { title(of: $0, root: root) }).joined(separator: ", ")
  }

  /// Each of these texts once, with how often it is there.
  static func counted(_ texts: [String]) -> [String] {
    var counts: [String: Int] = [:]
    for text in texts { counts[text, default: 0] += 1 }
    return texts.compactMap { text in counts.removeValue(forKey: text).map { $0 > 1 ? "\($0) × \(text)" : text } }
  }

  /// The wait of a task, as the rest of a sentence about it.
  func wait(of task: TaskID, root: TaskID) -> String {
    guard let seen = tasks[task] else { return "has ended" }
    if let thread = thread(of: task) {
      return thread.is_on_processor ? "runs in its thread" : "is blocked in its thread" + blocker(of: thread)
    }
    let others = titles(of: successors(of: task), root: root)
    switch Int(seen.wait) {
    case napkin_waits_for_task: return "waits for " + (others.isEmpty ? "a task that was not seen" : others)
    case napkin_waits_for_group: return "waits for its child tasks" + (others.isEmpty ? "" : ": \(others)")
    case napkin_waits_for_continuation: return waitForContinuation(task)
    case napkin_waits_for_executor where seen.subject == 0: return Self.waitForPool
    case napkin_waits_for_executor:
      let actor = seen.subject == napkin_main_executor().identity ? "the main actor" : "an actor"
      return "waits for \(actor)" + (others.isEmpty ? mainThread(seen.subject) : ", which \(others) is on")
    default: return seen.is_enqueued ? Self.waitForPool : "is suspended"
    }
  }

  private static let waitForPool = "waits for a thread of the pool"

  /// Whether a task could go on, if a thread or an actor were free.
  private func waitsForThread(_ task: TaskID) -> Bool {
    guard let seen = tasks[task] else { return false }
    return seen.is_enqueued || seen.wait == Int32(napkin_waits_for_executor)
      || seen.wait == Int32(napkin_waits_for_continuation) && waitForContinuation(task) == Self.waitForPool
  }

  private func waitForContinuation(_ task: TaskID) -> String {
    // Each of these is the beginning of a function, and no address to which a call returns.
    let names = addresses(of: task).prefix { Symbolicator.place(at: $0) == nil }
      .compactMap { Symbolicator.name(at: $0 + 1) }
    func isIn(_ word: String) -> Bool { names.contains { $0.contains(word) } }
    if isIn("sleep") { return "sleeps" }
    if isIn("AsyncStream") || isIn("AsyncThrowingStream") { return "waits for the next element of a stream" }
    return isIn("Task<>.yield()") ? Self.waitForPool : "waits for a continuation that nothing has resumed"
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
    let name = frames[..<own].reversed().lazy.compactMap(Symbolicator.name(at:)).first { !$0.contains("on_question") }
    return name.map { " by \($0)" } ?? ""
  }

  /// The tasks that block the threads of the pool, if those are all of its threads, and one of these tasks needs one.
  func fullPool(for tasks: [TaskID]) -> [TaskID]? {
    let blocked = threads.filter { !$0.is_main && $0.task != nil && !$0.is_on_processor }
    let needsOne = tasks.contains { thread(of: $0) != nil || waitsForThread($0) }
    return needsOne && blocked.count >= Int(napkin_processors()) ? blocked.map { UInt(bitPattern: $0.task) } : nil
  }
}
