// SPDX-License-Identifier: Apache-2.0

/// Decides which of the jobs that are ready runs next.
///
/// One object serves one exploration, on one thread. Everything random in it comes from the seed of the execution, so that an
/// execution can be found again by its number; nothing may depend on addresses or on the order of a `Set`.
package protocol SchedulingStrategy: AnyObject {
  /// Gets ready for an execution, or returns false when there is none left that has not been seen.
  func begin(_ execution: Int, seed: SplitMix64) -> Bool

  /// Called once for each job as it becomes ready; `job.key` is free for the strategy's use.
  func arrived(_ job: inout ReadyJob)

  /// Picks a rank in the order of arrival; called only where there are two jobs or more.
  func pick(_ ready: borrowing ReadyQueue) -> Int

  /// Learns how an execution went: how many choices there were, and how many tasks.
  func end(choices: Int, tasks: Int)

  /// Whether every schedule has been seen, within the bound that the strategy was given.
  var isExhausted: Bool { get }
}

extension SchedulingStrategy {
  package func begin(_ execution: Int, seed: SplitMix64) -> Bool { true }
  package func arrived(_ job: inout ReadyJob) {}
  package func end(choices: Int, tasks: Int) {}
  package var isExhausted: Bool { false }
}
