// SPDX-License-Identifier: Apache-2.0

public import Testing

/// A failure, a misuse or a warning: a summary, the likely cause, and a suggestion.
///
/// ``Exploration/Failure/diagnostics`` has those of a failed execution.
public struct Diagnostic: Error, Codable, Equatable, CustomStringConvertible {
  /// The kind of thing that went wrong.
  public enum Kind: Codable, Sendable, Hashable {
    /// An argument that cannot be used, or a call that cannot be answered.
    case misuse
    /// An expectation that does not hold, or another issue that the test recorded.
    case expectation
    /// A wait that did not end within its time.
    case timeout
    /// A generator that could not draw a value, so that the execution is discarded.
    case rejection
    /// An error of a type that the body threw.
    case thrownError(type: String)
    /// The violation of a rule: one of Napkin's contract by its number, such as "T4", or an invariant by its name.
    case violation(rule: String)
    /// No task is ready, no timer is set, and the body has not returned.
    case deadlock
    /// More jobs ran than the limit allows, and the body has not returned.
    case livelock
    /// The body has returned, and a task that it started never ends.
    case outlivingTask
    /// A task was resumed a second time before it went on.
    case doubleResume
    /// Two tasks access the same memory, at least one of them writes, and nothing orders the two accesses.
    case dataRace
    /// A job runs without suspending, or the body does not return on the real thread pool.
    case hang
    /// The process ends with a signal.
    case crash
    /// A condition that held in fewer executions than it has to, see ``Execution/sometimes(_:_:atLeast:sourceLocation:)``.
    case unmetGoal
    /// Something outside Swift Concurrency has resumed tasks of the body.
    case lostControl
    /// A replay met other choices than the recorded execution.
    case divergence
    /// An issue that the body expects, by `withKnownIssue`.
    case knownIssue
    /// Another reason to trust a passing exploration less.
    case warning
  }

  /// The kind of thing that went wrong.
  public package(set) var kind: Kind

  /// The finding, in one sentence or more.
  public package(set) var summary: String

  /// The rest of a sentence that begins with "Likely cause:"; nil if none is known.
  public package(set) var likelyCause: String?

  /// The rest of a sentence that begins with "What to do:"; nil if none is known.
  public package(set) var suggestion: String?

  /// The line that it was recorded at; nil if there is none.
  public package(set) var sourceLocation: SourceLocation?

  /// The thing that it is about, where neither the kind nor the line says so; nil where they do.
  package var subject: Subject?

  package enum Subject: Hashable, Sendable, Codable {
    // Of failures: an object that a task keeps, a continuation that two resume, locks that tasks wait for, accesses by their
    // callers, a function without an answer, a goal.
    case keptObject, resumption, locks
    case race(callers: [UInt])
    case call(String)
    case goal(String)
    // Of warnings of which there is one for each name, text or line.
    case action(String)
    case anotherImage(String)
    case neverCalled(String)
    case realTimer(String)
    case recorded(String)
    case sharedActor(String)
    case variable(String)
    // Of all other warnings.
    case busyWait, cancelled, clocks, database, discardedExecutions, divergence, drawnOnce, hops, isolation, issues,
      keptState
    case lostControl, lostStop, noChoice, notDeterministic, outside, racesUnseen, realWaits, replayOfAnother,
      replayPasses
    case slowExecution, stall, stopsNoMore, tasksLeftWaiting, time, waits, wholeSteps
  }

  /// How often a warning was seen, in a sentence; nil where it was seen in every execution.
  package var frequency: String?

  package init(
    _ kind: Kind, _ summary: String, likelyCause: String? = nil, suggestion: String? = nil,
    at sourceLocation: SourceLocation? = nil
  ) {
    self.kind = kind
    self.summary = summary
    self.likelyCause = likelyCause
    self.suggestion = suggestion
    self.sourceLocation = sourceLocation
  }

  /// A reason to trust a passing exploration less than its number of executions suggests.
  ///
  /// An exploration keeps one for each subject, with the number of executions that added it.
  package init(
    warning subject: Subject, kind: Kind = .warning, _ summary: String, likelyCause: String, suggestion: String,
    sourceLocation: SourceLocation? = nil
  ) {
    self.init(kind, summary, likelyCause: likelyCause, suggestion: suggestion, at: sourceLocation)
    self.subject = subject
  }

  /// Whether the summary names the tasks that matter, so that no order of steps is looked for.
  package var namesTasks: Bool {
    switch subject {
    case .keptObject, .resumption: true
    case .locks: summary.contains(" has taken at ")
    default: false
    }
  }

  /// The number of broken rules that are kept of an execution, since a loop without end can break one again and again.
  package static let mostBrokenRules = 100

  /// The same warning, with the number of executions that it was seen in.
  package func seen(in count: Int, of executions: Int) -> Diagnostic {
    var copy = self
    copy.frequency = "Seen in \(count.grouped) of \(executions.grouped) executions."
    return copy
  }

  /// The same warning, whatever the number of executions that it was seen in.
  package var uncounted: Diagnostic {
    var copy = self
    copy.frequency = nil
    return copy
  }

  /// The summary, the likely cause and the suggestion, each on a line of its own.
  public var description: String {
    [summary, likelyCause.map { "Likely cause: \($0)" }, suggestion.map { "What to do: \($0)" }, frequency]
      .compactMap(\.self).joined(separator: "\n")
  }

  /// Whether an execution with the other diagnostic fails in the same way: by its kind, its subject and its line, whatever its values.
  package func isSameFailure(as other: Diagnostic) -> Bool {
    kind == other.kind && subject == other.subject && sourceLocation?.fileID == other.sourceLocation?.fileID
      && sourceLocation?.line == other.sourceLocation?.line
  }

  /// Ends the process with the diagnostic and the line of the caller, as a failed precondition does.
  package func stop() -> Never {
    fatalError((sourceLocation.map { "\($0): " } ?? "") + description)
  }
}
