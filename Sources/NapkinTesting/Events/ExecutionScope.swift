// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// What the kit may ask of the execution that it finds itself in, without knowing how executions are run.
package protocol ExecutionScope: AnyObject, Sendable {
  /// Whether the schedule and the time of this execution are controlled: nothing may wait for real time then.
  var isSimulated: Bool { get }

  /// The next of the numbers 1, 2, 3, … of this execution, which order what doubles record across doubles.
  func nextNumber() -> Int

  /// Writes a line into the timeline of the execution, if that is kept, for the reader of a failure.
  func note(_ text: @autoclosure () -> String)

  /// Whether what is noted will be read: nobody should put things into words otherwise.
  var isLogged: Bool { get }

  /// Writes an event into the timeline, if that is kept; `line` is the file and line that it was recorded at.
  func tell(_ kind: Event.Kind, line: String?)

  /// Lets every other task that is ready go first, if the schedule says so.
  nonisolated(nonsending) func schedulingPoint() async

  /// Returns once no other task is ready: whatever could happen without time going by has happened.
  nonisolated(nonsending) func quiescence() async

  /// Returns when some time has gone by: a virtual second where time is simulated, and little of it where it is not.
  nonisolated(nonsending) func letTimePass() async

  /// Says that a rule is broken: the execution fails by the name of the rule, and goes on.
  func fail(_ rule: String, _ message: String)

  /// Adds a warning to the exploration: one for each `id`, however many executions add it, and however often.
  func warn(_ warning: ExplorationWarning)

  /// Does something when the execution is over, however it ended.
  func whenOver(_ action: @escaping @Sendable () -> Void)

  /// Whether a rule was broken already: what comes after it only makes the story longer.
  var hasFailed: Bool { get }
}

/// The way to the execution that runs here.
package enum CurrentExecution {
  /// The execution whose code is running here, or nil in an ordinary test.
  ///
  /// On the exploring thread it is found without a task-local, so that `Task.detached` and `deinit` find it too.
  package static var scope: (any ExecutionScope)? {
    napkin_is_exploring_thread() ? explored : inherited
  }

  /// The scope of executions that run on the real thread pool, where the thread tells nothing.
  @TaskLocal package static var inherited: (any ExecutionScope)?

  // Written and read by the exploring thread alone: `scope` compares the thread first.
  package nonisolated(unsafe) static var explored: (any ExecutionScope)?
}

extension CurrentExecution {
  /// A point where the schedule may let other tasks go first; nothing at all outside an exploration.
  package nonisolated(nonsending) static func schedulingPoint() async {
    await scope?.schedulingPoint()
  }
}
