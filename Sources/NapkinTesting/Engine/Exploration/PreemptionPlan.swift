// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// The accesses that an exploration knows of, and where it preempts the tasks of its executions.
final class PreemptionPlan {
  // The memory of the C functions' counts; made with the first execution.
  private var counts: OpaquePointer?
  private let aimed = AimedPreemptions()
  private var learns = false

  deinit { if let counts { napkin_free_split(counts) } }

  /// Says where the execution that begins is preempted: at random, or where a replayed one was.
  ///
  /// An execution inside another one runs each job to its end.
  func begin(_ scheduler: Scheduler, _ tape: ChoiceTape, _ explorer: Explorer, _ number: Int) {
    guard Instrumentation.splitsSteps, Scheduler.current == nil else { return }
    if counts == nil {
      Scheduler.takeSplits()
      counts = napkin_make_split()
    }
    guard let counts else { return }
    learns = false
    var points = tape.preemptions.map { Preemption($0).point }
    if tape.isRandom, points.isEmpty, explorer.strategy.drawsTime {
      (points, learns) = aimed.begin(seed: SplitMix64(seed: explorer.seed &* 3 &+ 1, index: UInt64(number)))
    }
    scheduler.split = SplitSteps(counts, points)
    napkin_look_at_accesses(learns, SplitSteps.seesMutexes, scheduler.log != nil)
  }

  /// Learns from the execution that has ended, and discards the jobs that are half-run.
  func end(_ scheduler: Scheduler) {
    guard let split = scheduler.split else { return }
    split.discard()
    napkin_look_at_accesses(false, false, false)
    aimed.end(split.counts, tasks: scheduler.numbers.count, hasLearned: learns)
  }
}
