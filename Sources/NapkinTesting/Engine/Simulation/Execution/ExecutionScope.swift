// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime
internal import Synchronization

/// The part of an execution that the doubles and checks use, independent of how executions are run.
package protocol ExecutionScope: AnyObject, Sendable {
  /// Whether the schedule and the time of this execution are controlled; if so, nothing may wait for real time.
  var isSimulated: Bool { get }

  /// Whether each step so far has run to its end before another began, so that events were recorded in the order in which
  /// they happened.
  var runsWholeSteps: Bool { get }

  /// Draws a value that the exploration varies; its words are made where the timeline is kept.
  func draw<Value>(_ generator: Gen<Value>, _ label: String?, words: (Value) -> String) -> Value

  /// Takes how close the execution came to the target of the test.
  func target(_ score: Double)

  /// Counts the execution among those with the label.
  func label(_ name: String)

  /// Counts a draw of a fuzzer's action, by its number.
  func countAction(_ action: Int, isSkipped: Bool)

  /// Takes whether the execution meets a goal of its exploration.
  func reach(_ goal: Goal, isMet: Bool)

  /// Lets the answers of an actor, or of all actors of a type, take a drawn time.
  func delayAnswers<A: Actor>(of actor: A, within longest: Duration)
  func delayAnswers(ofAll type: any Actor.Type, within longest: Duration)

  /// Adds a line to the timeline of the execution, if that is kept.
  func note(_ text: @autoclosure () -> String)

  /// Whether the timeline is kept; otherwise no text has to be made.
  var isLogged: Bool { get }

  /// Adds an event to the timeline, if that is kept; `line` is the file and the line that recorded it.
  func log(_ kind: Event.Kind, line: String?)

  /// A point at which the scheduler may run other ready tasks first.
  nonisolated(nonsending) func schedulingPoint() async

  /// Returns once no other task is ready, without advancing time.
  nonisolated(nonsending) func quiescence() async

  /// Blocks for up to a millisecond of real time where other threads may hold objects of a simulated execution.
  ///
  /// - Returns: False, at once, where none may, or where time is real.
  func letThreadsRun() -> Bool

  /// Returns after virtual seconds where time is simulated, and after a short time where it is not.
  nonisolated(nonsending) func letTimePass(seconds: Int) async

  /// Lets virtual time pass until tasks whose outermost functions are suspect have ended, or will not.
  ///
  /// - Returns: The tasks that have not; none where they cannot be known, as on the thread pool.
  nonisolated(nonsending) func tasksThatDoNotEnd(of isSuspect: @Sendable (SourcePlace) -> Bool) async -> [UnendedTask]

  /// The tasks besides the body's and the running one that have not ended; none where they cannot be known.
  var unendedTasks: [UnendedTask] { get }

  /// Records the violation of a rule: the execution fails with the diagnostic, and continues.
  func fail(_ diagnostic: Diagnostic)

  /// Takes an issue that the body recorded; it is called on the thread that recorded it.
  func hear(_ issue: HeardIssue)

  /// Adds a warning to the exploration: one for each subject, however many executions add it, and however often.
  func warn(_ warning: Diagnostic)

  /// Runs an action when the execution has finished, however it ended.
  func whenOver(_ action: @escaping @Sendable () -> Void)

  /// Judges tasks, by the runtime's numbers, that go on and on though they were cancelled: true ends the execution.
  func whenTasksGoOn(_ judge: @escaping @Sendable (Set<UInt64>) -> Bool)

  /// Whether a violation was recorded already; further ones only make the report longer.
  var hasFailed: Bool { get }
}

/// Finds the execution that the calling code belongs to.
package enum CurrentExecution {
  /// The scope of an execution on the real thread pool, where the thread does not identify it.
  @TaskLocal package static var inherited: (any ExecutionScope)?
}

/// The actions at the beginning and the end of each execution, which the kit sets for the napkins that a body makes.
package struct ExecutionHooks: Sendable {
  /// The action at the end of an execution.
  package typealias End = @MainActor @Sendable () -> Void

  // A lock around the closure itself, and not around the value that has it, would wrap it once more whenever it is read.
  private static let current = Mutex(ExecutionHooks { _, _ in {} })

  private let begin: @MainActor @Sendable (_ scope: any ExecutionScope, _ isLogged: Bool) -> End

  /// Creates hooks that do something at the beginning of an execution, which is logged or not, and return the action at its
  /// end.
  package init(begin: @escaping @MainActor @Sendable (_ scope: any ExecutionScope, _ isLogged: Bool) -> End) {
    self.begin = begin
  }

  /// Sets the actions, before the first execution.
  package static func set(_ hooks: ExecutionHooks) { current.withLock { $0 = hooks } }

  @MainActor static func begin(_ scope: any ExecutionScope, isLogged: Bool) -> End {
    current.withLock { $0 }.begin(scope, isLogged)
  }
}
