// SPDX-License-Identifier: Apache-2.0

/// The events of one execution, in order: every rendering of a failure is made from it.
///
/// Of an execution that has very many it keeps the first, the last, and those between that decide something: a report shows
/// no more, and is to cost no more for a livelock.
package struct EventLog: Codable, Sendable {
  package private(set) var events: [Event]

  // How many events are kept from the beginning and at the end, whatever they are.
  private static let head = 8_000
  private static let tail = 2_000

  // The end of those between that have been thinned out, and the index of the event that counts those left out.
  private var thinnedEnd = head
  private var gap: Int?

  /// The names of the tasks by their numbers, where a task has one.
  package private(set) var taskNames: [Int: String]

  /// The names of actors, where the type is known; see ``Event/Place``.
  package private(set) var actorNames: [Event.Place: ActorName]

  /// The function that holds the explored body, such as the test; nil where it is not known.
  package var testFunction: String?

  /// The waiting functions of the running task at some steps, the innermost first.
  package var stacks: [Int: [SourcePlace]] = [:]

  /// For each task the event that resumed it last: the step, the task and the place that did so.
  package var resumptions: [Int: Event] = [:]

  /// For each line how many steps tasks took from a yield there to their next one there, with nothing in between that a log has.
  package var yields: [String: Int] = [:]

  /// Words for what resumed a task last: the task, its step and its place; nil where that is not known.
  package func resumption(of task: Int) -> String? {
    guard let event = resumptions[task], let resumer = event.task else { return nil }
    return words(resumer, event.step, event.source)
  }

  /// Words for a task in a step, at a place.
  package func words(_ task: Int, _ step: Int, _ place: SourcePlace?) -> String {
    "\(title(ofTask: task)) in step \(step)" + (place.map { ", at \($0.located())" } ?? "")
  }

  package init(
    events: [Event] = [], taskNames: [Int: String] = [:], actorNames: [Event.Place: ActorName] = [:],
    testFunction: String? = nil
  ) {
    (self.events, self.taskNames, self.actorNames, self.testFunction) = (events, taskNames, actorNames, testFunction)
  }

  package mutating func append(
    _ kind: Event.Kind, step: Int, time: Duration, task: Int?, source: SourcePlace? = nil, line: String? = nil,
    path: String? = nil
  ) {
    var event = Event(step: step, time: time, task: task, kind: kind)
    event.source = source
    event.line = line
    event.path = path
    append(event)
  }

  package mutating func append(_ event: Event) {
    events.append(event)
    if events.count - thinnedEnd >= 2 * Self.tail { thinOut() }
  }

  /// Leaves out the events between the first and the last ones that decide nothing.
  private mutating func thinOut() {
    let range = thinnedEnd..<events.count - Self.tail
    let kept = events[range].filter(\.isDecisive)
    let first = events[range.lowerBound]
    events.replaceSubrange(range, with: kept)
    thinnedEnd += kept.count
    let count = range.count - kept.count
    if let gap, case .leftOut(let before) = events[gap].kind {
      events[gap].kind = .leftOut(before + count)
    } else if count > 0 {
      gap = range.lowerBound
      thinnedEnd += 1
      events.insert(
        Event(step: first.step, time: first.time, task: nil, kind: .leftOut(count)), at: range.lowerBound)
    }
  }

  package mutating func name(task: Int, _ name: String) { taskNames[task] = name }

  package mutating func name(place: Event.Place, _ type: String) {
    let namesakes = actorNames.values.count { $0.type == type }
    actorNames[place] = ActorName(type: type, number: namesakes + 1)
  }

  /// The title of a task in a report: its name if it has one, else its number.
  package func title(ofTask task: Int) -> String {
    taskNames[task] ?? "task \(task)"
  }

  /// The title of a place in a report: the type of the actor, numbered where several have one type.
  package func title(of place: Event.Place) -> String {
    switch place {
    case .global: "–"
    case .main: "MainActor"
    case .actor(let number): actorNames[place].map { "\($0)" } ?? "actor \(number)"
    }
  }
}

extension EventLog {
  /// The titles of the tasks that have a name of their own, with a number where several have one name.
  ///
  /// A task without a name has that of the running test, which says nothing.
  package var titles: [Int: String] {
    let named = taskNames.filter { !$0.value.hasPrefix("[Swift Testing]") }
    var counts: [String: Int] = [:]
    for name in named.values { counts[name, default: 0] += 1 }
    return Dictionary(
      uniqueKeysWithValues: named.map { task, name in (task, counts[name] == 1 ? name : "\(name) (\(task))") }
    )
  }

  /// Whether a function has a name that a reader needs: none of the test, whose lines say which of its closures it is.
  package func isNamed(_ source: SourcePlace) -> Bool {
    source.function != testFunction && !source.function.contains(where: \.isWhitespace)
  }

  /// Finds the function of the test by its name, where its body has not gone on after a wait, which would show it.
  package mutating func nameTest(_ name: String?) {
    guard testFunction == nil, let name else { return }
    testFunction = events.lazy.compactMap(\.source?.function).first { $0 == name || $0.hasSuffix(".\(name)") }
  }

  /// Whether code under test cancels a task.
  package var cancels: Bool { events.contains { if case .cancels = $0.kind { true } else { false } } }

  /// How much time passed wherever it did so while a task was ready.
  package var timePassed: [Duration] {
    events.compactMap { if case .timePassed(let duration, _) = $0.kind { duration } else { nil } }
  }

  /// Words for time that passes while tasks are ready.
  package func words(for duration: Duration, while ready: [Int]) -> String {
    let titles = ready.map(title(ofTask:))
    return "\(duration.brief) pass while \(titles.listed(limit: 3)) \(ready.count == 1 ? "is" : "are") ready"
  }
}

/// The type of an actor, and its number among the actors of that type.
package struct ActorName: Codable, Sendable, Hashable, CustomStringConvertible {
  package let type: String
  package let number: Int

  package init(type: String, number: Int = 1) { (self.type, self.number) = (type, number) }

  package var description: String { number == 1 ? type : "\(type) \(number)" }
}

/// One thing that happened, and when.
package struct Event: Codable, Sendable, Equatable {
  /// How many jobs had run when it happened, that of the event included.
  package var step: Int

  /// The time of the execution, which is virtual where the execution is simulated.
  package var time: Duration

  /// The number of the task that caused it; nil if no task did, as for a timer.
  package var task: Int?

  package var kind: Kind

  /// The place in the source code at which the job resumes, if it is known.
  package var source: SourcePlace?

  /// The file and the line where it was recorded, where that is known.
  package var line: String?

  /// The path of that file, where that is known.
  package var path: String?

  package init(step: Int, time: Duration, task: Int?, kind: Kind) {
    self.step = step
    self.time = time
    self.task = task
    self.kind = kind
  }

  /// The file and the line of the event, such as `Account.swift:12`: where its job resumes, or where it was recorded.
  package var fileAndLine: String? { source?.fileAndLine ?? line }

  /// Whether it happened in code of Napkin, whose lines a reader does not look for.
  package var isOfFramework: Bool { source?.module == "Napkin" }

  package enum Kind: Codable, Sendable, Equatable {
    /// A job of the task ran at a place; a rank other than zero is a deviation from FIFO order.
    case ran(Place, rank: Int, ready: Int)
    /// The task was created by another one, if the creator is known.
    case started(by: Int?)
    /// The timer fired that the task was waiting for.
    case timerFired
    /// Time passed although these tasks were ready, which is a deviation from FIFO order, too.
    case timePassed(Duration, while: [Int])
    /// The exploration cancelled the task.
    case cancelled
    /// Code of the task cancelled another one, or with nil a group.
    case cancels(Int?)
    /// The task was preempted in the middle of its step, before an access.
    case preempted(Access)
    /// A generator drew a value.
    case drew(label: String?, value: String)
    /// A line written by `Execution.note` or by a double.
    case note(String)
    /// A step in the lifecycle of a napkin.
    case lifecycle(LifecycleStep)
    /// The launch of a fuzzed tree begins, or is over.
    case launch(isOver: Bool)
    /// The tree of napkins changed.
    case tree(TreeChange)
    /// An issue was recorded.
    case issue(String)
    /// This number of events were left out of the log, which had too many.
    case leftOut(Int)
  }

  /// How many events it represents that a report has a row for.
  package var count: Int {
    switch kind {
    case .tree, .launch: 0
    case .leftOut(let count): count
    default: 1
    }
  }

  /// Whether the outcome, or the text at other events, may depend on it.
  fileprivate var isDecisive: Bool {
    switch kind {
    case .ran(_, let rank, _): rank != 0
    case .timePassed, .cancelled, .cancels, .preempted, .launch, .tree, .issue, .drew: true
    case .started, .timerFired, .note, .lifecycle, .leftOut: false
    }
  }

  /// The access before which a task was preempted.
  package enum Access: String, Codable, Sendable, Hashable {
    case read, write, lock
    /// It has just given back a lock.
    case unlock
    /// It is about to cancel another task, or has done so, or has asked whether it is cancelled.
    case cancel, cancelled, asked
    /// It is about to make another task ready, or has done so; or is about to suspend itself.
    case starts, started, hop
    /// It adds a handler of its cancellation, before and after; or that begins.
    case handler
    /// It has had 20,000 accesses in one step, and may be waiting in a loop.
    case spin

    /// The task's part in it, in words.
    package var text: String {
      switch self {
      case .read: "is preempted before a read"
      case .write: "is preempted before a write"
      case .lock: "is preempted before it takes a lock"
      case .unlock: "is preempted after it has given back a lock"
      case .cancel: "is preempted before it cancels a task"
      case .spin: "is preempted after 20,000 accesses in one step"
      case .cancelled: "is stopped where it has cancelled a task"
      case .asked: "is stopped where it has asked whether it is cancelled"
      case .started: "is stopped where it has started or resumed a task"
      case .starts: "is stopped before it starts or resumes a task"
      case .handler: "is stopped at a cancellation handler"
      case .hop: "is stopped before it goes to another actor"
      }
    }
  }

  /// The executor of a job.
  package enum Place: Codable, Sendable, Hashable {
    /// The global executor: on no actor.
    case global
    /// The main actor.
    case main
    /// Another actor, numbered in the order of first appearance.
    case actor(Int)
  }
}

/// A step in the lifecycle of a napkin, as a report shows it.
package enum LifecycleStep: Codable, Sendable, Equatable {
  /// A callback or a request began, such as `Home.didLoad()`.
  case begins(String)
  /// The callback or request returned.
  case returns(String)
  /// Anything else, as a clause.
  case other(String)

  /// The step in words.
  package var text: String {
    switch self {
    case .begins(let call): "\(call) begins"
    case .returns(let call): "\(call) returns"
    case .other(let text): text
    }
  }
}
