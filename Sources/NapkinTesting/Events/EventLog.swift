// SPDX-License-Identifier: Apache-2.0

/// What happened in one execution, in order: every picture of a failure is made from it.
package struct EventLog: Sendable {
  package private(set) var events: [Event] = []

  /// The names of the tasks by their numbers, where a task has one.
  package private(set) var taskNames: [Int: String] = [:]

  /// The names of the places by their numbers, such as the type of an actor; see ``Event/Place``.
  package private(set) var placeNames: [Event.Place: String] = [:]

  package init() {}

  package mutating func append(
    _ kind: Event.Kind, step: Int, time: Duration, task: Int?, source: SourcePlace? = nil, line: String? = nil
  ) {
    var event = Event(step: step, time: time, task: task, kind: kind)
    event.source = source
    event.line = line
    events.append(event)
  }

  package mutating func name(task: Int, _ name: String) { taskNames[task] = name }

  package mutating func name(place: Event.Place, _ name: String) { placeNames[place] = name }

  /// How to call a task in a report: its name if it has one, else its number.
  package func title(ofTask task: Int) -> String {
    taskNames[task] ?? "task \(task)"
  }

  /// How to call a place in a report: the actor's type, numbered where several are of one type.
  package func title(of place: Event.Place) -> String {
    switch place {
    case .global: "–"
    case .main: "MainActor"
    case .actor(let number): placeNames[place] ?? "actor \(number)"
    }
  }
}

/// One thing that happened, and when.
package struct Event: Sendable, Equatable {
  /// How many jobs had run when it happened, that of the event included.
  package var step: Int

  /// The time of the execution, which is virtual where the execution is simulated.
  package var time: Duration

  /// The number of the task that did it; nil for what no task did, such as a timer.
  package var task: Int?

  package var kind: Kind

  /// Where in the source code the job resumes, where that is known.
  package var source: SourcePlace?

  /// The file and the line where it was recorded, where that is known.
  package var line: String?

  package init(step: Int, time: Duration, task: Int?, kind: Kind) {
    self.step = step
    self.time = time
    self.task = task
    self.kind = kind
  }

  package enum Kind: Sendable, Equatable {
    /// A job of the task ran at a place; a rank that is not zero departs from what a plain run does.
    case ran(Place, rank: Int, ready: Int)
    /// The task came to be: who started it.
    case started(by: Int?)
    /// The time that the task had been waiting for came.
    case timerFired
    /// The schedule cancelled the task here.
    case cancelled
    /// A generator drew a value.
    case drew(label: String?, value: String)
    /// Somebody wrote a line.
    case note(String)
    /// A napkin did something that its lifecycle tells of.
    case lifecycle(String)
    /// The tree of napkins is another from here on.
    case tree(TreeChange)
    /// An expectation failed or something else was recorded.
    case issue(String)
  }

  /// Where a job runs.
  package enum Place: Sendable, Hashable {
    /// The global executor: on no actor.
    case global
    /// The main actor.
    case main
    /// Another actor, numbered in the order of first appearance.
    case actor(Int)
  }
}
