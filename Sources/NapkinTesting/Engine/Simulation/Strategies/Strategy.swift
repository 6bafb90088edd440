// SPDX-License-Identifier: Apache-2.0

/// Decides which of the jobs that are ready runs next: the first, unless it is overridden.
///
/// One object serves one exploration, on one thread. An execution can be found again by its number: nothing may depend on
/// addresses or on the order of a `Set`.
///
/// It is a class and not a protocol because it is called twice a step: a scheduler can hold a class without counting
/// references.
package class SchedulingStrategy {
  /// The ways in which the scheduler treats an execution of this strategy unlike one of others.
  struct Options: OptionSet {
    let rawValue: UInt8

    /// The strategy sees each step before it runs.
    static let watchesSteps = Self(rawValue: 1)
    /// It may pick the rank behind all jobs where a task sleeps; of others the scheduler decides when time passes.
    static let letsTimePass = Self(rawValue: 2)
    /// It receives the lesson of each execution.
    static let learns = Self(rawValue: 4)
    /// A rank counts in the order in which tasks that were passed over stay behind, see ``HeldBack``.
    static let holdsBack = Self(rawValue: 8)
    /// A cancellation by the code under test has no effect.
    static let ignoresCancellation = Self(rawValue: 16)
  }

  final let options: Options

  init(_ options: Options = []) { self.options = options }

  /// Gets ready for an execution, and draws its parameters; all chance in it comes from the seed.
  ///
  /// - Returns: The values that the execution draws first; nil when there is no execution left that has not been seen.
  func begin(seed: SplitMix64) -> ChoiceSequence? { ChoiceSequence() }

  /// Called once for each task that the exploring thread creates, before its first job arrives, with the task that runs then.
  func started(_ task: Int, by starter: Int?) {}

  /// Called once for each job as it becomes ready; `job.key` is free for the strategy's use.
  func arrived(_ job: inout ReadyJob) {}

  /// Picks a rank in the order of arrival, after a job of the task `running`; only called where two or more are ready, or,
  /// of a strategy that lets time pass, where one is and a task sleeps.
  func pick(_ ready: inout ReadyQueue, after running: Int) -> Int { 0 }

  /// Called before each job runs, where the strategy watches steps; the job is nil where others become ready by something
  /// else than a step, such as time.
  func willRun(_ job: ReadyJob?, before ready: borrowing ReadyQueue) {}

  /// Called at the end of an execution, with the number of its choices, and its lesson if the strategy learns.
  func end(choices: Int, lesson: Lesson?) {}
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
