// SPDX-License-Identifier: Apache-2.0

/// Two steps of different tasks whose order a failure depends on: it fails where the first runs before the second, and
/// passes the other way round.
///
/// It is found by running the shrunk execution again with one pair of steps reversed at a time, and all else in the order
/// that it had, until ``mostExecutions`` have run or executions have taken two seconds. Of several pairs it is one in the
/// code under test, rather than in the test's file or a closure of the test, and of those the last. Where no single pair
/// decides, it is one of those that the nearest execution which passes has the other way round, and ``count`` says how many
/// there are. Where a cancellation decides, the first step is the one that cancels.
public struct DecisivePair: Sendable, Hashable {
  /// A step of a task, from one suspension to the next.
  public struct Step: Sendable, Hashable {
    /// The number of the step in the failing execution, as its timeline shows it.
    public let step: Int

    /// The title of the task, such as its name or `task 3`.
    public let task: String

    /// Whether the task was cancelled before.
    public let isCancelled: Bool

    /// The type of the actor on which the step runs; nil for one on no actor.
    public let actor: String?

    /// The function that begins or goes on in the step; nil where it is not known, as elsewhere than on
    /// Linux, and for the test's own closures.
    public let function: String?

    /// The file and the line at which it does, such as `Account.swift:12`; nil where they are not known.
    public let line: String?

    /// The function that waits for that one, and may go on in the step, too; nil if none is known.
    public let caller: String?

    /// The line of code at which the step begins or goes on, where ``function`` is nil and the file is there to be read.
    public let code: String?

    /// The first line that the step adds to the timeline, such as the action of a fuzzer; nil if it adds none.
    public let note: String?

    /// Whether the function goes on after a wait, and does not begin.
    public let isResumption: Bool
  }

  /// The step that runs first where the execution fails.
  public let first: Step

  /// The step that runs after it where the execution fails.
  public let second: Step

  /// The number of pairs of steps that the nearest execution which passes has the other way round; 1 where this one decides.
  public let count: Int

  /// Whether the tasks can run the other way round as they arrive now; if not, the queue of an actor keeps them in this order,
  /// and the first step has to arrive later for the execution to pass, as where a user taps later.
  public let isReachable: Bool

  /// Whether the first step cancels the task of the second, and the execution passes without that.
  public let isCancellation: Bool

  /// Where the task of the second step is stopped before it, such as "is preempted before a write"; nil where no stop decides.
  ///
  /// The first step runs in the middle of what that task does, and the execution passes without the stop.
  public let preemption: String?

  /// The number of executions that it took to find the pair.
  public let executions: Int

  /// The most executions in which pairs are reversed, before a few more check the pairs that were found; 6 where each goes
  /// on for ever or costs a process.
  public static let mostExecutions = 128
}
