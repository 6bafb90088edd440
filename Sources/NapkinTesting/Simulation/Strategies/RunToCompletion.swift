// SPDX-License-Identifier: Apache-2.0

/// Goes on with the task that ran last as long as it is ready, and with the first in FIFO order when it is not.
///
/// It is the order with the fewest switches: what fails in it does not need one task to come in between another's steps.
final class RunToCompletionStrategy: SchedulingStrategy {
  override func pick(_ ready: inout ReadyQueue, after running: Int) -> Int { ready.rank(ofTask: running) ?? 0 }
}
