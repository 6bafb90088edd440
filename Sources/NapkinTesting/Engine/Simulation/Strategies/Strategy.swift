// SPDX-License-Identifier: Apache-2.0

/// Decides which of the jobs that are ready runs next: the first, unless it is overridden.
///
/// One object serves one exploration, on one thread. Everything random in it comes from the seed of the execution, so
/// that an execution can be found again by its number; nothing may depend on addresses or on the order of a `Set`.
///
/// It is a class and not a protocol because it is called twice a step: a scheduler can hold a class without counting
/// references.
package class SchedulingStrategy {
  /// The chance of the execution at hand.
  @exclusivity(unchecked) final var random = SplitMix64(seed: 0)

  /// Gets ready for an execution, or returns false when there is none left that has not been seen.
  func begin(seed: SplitMix64) -> Bool {
    random = seed
    reset()
    return true
  }

  /// Forgets the last execution, and draws the parameters of the next one.
  func reset() {}

  /// The number of the search that the executions belong to, which all draw the same values; nil where each draws its own.
  var search: Int? { nil }

  /// Begins the next search, with other values, after the last one has ended; false if there is none.
  func beginAgain() -> Bool { false }

  /// Called once for each task that the exploring thread creates, before its first job arrives, with the task that runs then.
  func started(_ task: Int, by starter: Int?) {}

  /// Called once for each job as it becomes ready; `job.key` is free for the strategy's use.
  func arrived(_ job: inout ReadyJob) {}

  /// Picks a rank in the order of arrival, after a job of the task `running`; only called where two or more are ready, or,
  /// of a strategy that lets time pass, where one is and a task sleeps.
  func pick(_ ready: inout ReadyQueue, after running: Int) -> Int { 0 }

  /// The record of the ready jobs in the current execution, for a strategy that compares it with others.
  var readiness: Readiness? { nil }

  /// Whether executions with the same choices have differed, so that the body depends on something else, too.
  var hasDiverged: Bool { false }

  /// Whether it is called before each step.
  var watchesSteps: Bool { false }

  /// Called before each job runs, where the strategy watches that.
  func willRun(_ job: borrowing ReadyJob, before ready: borrowing ReadyQueue) {}

  /// Called where jobs become ready by something else than a step, such as time, where the strategy watches steps.
  func goesOnByItself() {}

  /// Learns that an execution is over, and how many choices it had.
  func end(choices: Int) {}

  /// Whether it is to receive the lesson of each execution.
  var learns: Bool { false }

  /// Receives the lesson of an execution.
  func learn(_ lesson: Lesson) {}

  /// The data that the execution begins with, if it is not all drawn.
  var script: ChoiceSequence? { nil }

  /// Learns that the executions before this one, counted from zero, are run elsewhere.
  func skip(to execution: Int) {}

  /// Whether a rank counts in the order in which tasks that were passed over stay behind, see ``HeldBack``.
  var holdsBack: Bool { false }

  /// Whether it may pick the rank behind all jobs where a task sleeps; of others the scheduler decides when time passes.
  var letsTimePass: Bool { false }

  /// Whether a cancellation by the code under test takes effect.
  var letsTasksCancel: Bool { true }

  /// Whether every schedule has been seen, within the bound that the strategy was given.
  var isExhausted: Bool { false }

  /// The strategy that picks in the current execution: this one, or a member of a portfolio.
  var member: SchedulingStrategy { self }
}

extension ReadyQueue {
  /// The last rank that can be picked: that of the last job, or the one behind it, which lets time pass.
  var lastRank: Int { hasTimer ? count : count - 1 }

  /// The rank of the job with the highest key, the first of those.
  @inline(__always)
  var rankOfHighestKey: Int {
    var best = 0
    var rank = 1
    while rank < count {
      if self[rank].key > self[best].key { best = rank }
      rank &+= 1
    }
    return best
  }

  /// The rank of the first job of a task, nil if it has none here.
  package func rank(ofTask task: Int) -> Int? {
    var rank = 0
    while rank < count {
      if self[rank].task == task { return rank }
      rank &+= 1
    }
    return nil
  }
}

/// FIFO order, as on one thread: the picks of a strategy that overrides nothing.
final class FIFOStrategy: SchedulingStrategy {}

/// Goes on with the task that ran last as long as it is ready, and with the first in FIFO order when it is not.
///
/// It is the order with the fewest switches: a failure in it does not need one task to run between another's steps.
final class RunToCompletionStrategy: SchedulingStrategy {
  override func pick(_ ready: inout ReadyQueue, after running: Int) -> Int { ready.rank(ofTask: running) ?? 0 }
}
