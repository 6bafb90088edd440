// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// The accesses that an exploration knows of, and where it preempts the tasks of its executions.
///
/// The C functions look at the accesses of one execution at a time, so an execution whose steps are split begins when no other one
/// is under way.
@MainActor
final class PreemptionPlan {
  // The plan whose execution is under way, and the explorations that wait for its end.
  private static var running: PreemptionPlan?
  private static var waiting: [CheckedContinuation<Void, Never>] = []

  // The executions that were discarded, since a step that was stopped had a lock; from a number of them on no step is stopped.
  private var lost = 0
  private static let mostLost = 200

  /// The warning that no step is stopped any more.
  var warning: Diagnostic? { lost < Self.mostLost ? nil : .stopsNoMore }

  private let aimed = AimedPreemptions()
  private var learns = false
  private var isAimed = false

  nonisolated init() {}

  /// Whether another execution is under way: its exploration waits for other threads, and the main actor is free.
  var hasToWait: Bool { Self.running != nil && Self.running !== self && Scheduler.current == nil }

  /// Waits until an execution whose steps are split may begin.
  func waitToBegin() async {
    while hasToWait { await withCheckedContinuation { Self.waiting.append($0) } }
  }

  /// The half-run jobs of an execution that begins, which is preempted at random, or where a replayed one was; nil where each
  /// job runs to its end.
  ///
  /// An execution inside another one runs each job to its end.
  func begin(_ tape: ChoiceTape, _ explorer: Explorer, _ number: Int, isLogged: Bool) -> HalfRunJobs? {
    guard Scheduler.current == nil else { return nil }
    (learns, isAimed) = (false, false)
    var points = tape.preemptions.map { Preemption($0).point }
    let isDrawn = tape.isRandom && points.isEmpty && explorer.strategy.drawsTime
    let stops = !points.isEmpty || isDrawn && explorer.strategy.stopsAtCalls && AimedPreemptions.stops(in: number)
    guard Instrumentation.splitsSteps || Instrumentation.stopsAtCalls && stops && lost < Self.mostLost else {
      return nil
    }
    precondition(!hasToWait, "two executions have their steps split")
    if isDrawn {
      isAimed = true
      (points, learns) = aimed.begin(seed: SplitMix64(seed: explorer.seed &* 3 &+ 1, index: UInt64(number)))
    }
    Scheduler.takeHalfRun()
    guard let counts = points.withUnsafeBufferPointer({ napkin_make_split($0.baseAddress, $0.count) }) else {
      return nil
    }
    napkin_begin_accesses(counts, learns, Instrumentation.reports?.seesMutexes ?? false, isLogged)
    if Instrumentation.splitsSteps { Self.running = self }
    return HalfRunJobs(counts)
  }

  /// Learns from the execution that has ended, and discards the jobs that are half-run.
  func end(_ scheduler: Scheduler) {
    guard let halfRun = scheduler.halfRun else { return }
    halfRun.discard()
    if halfRun.isLost {
      lost += 1
      // Nothing is learned of it, so that it is the same when it is run again.
      if isAimed { aimed.takeBack() }
      learns = false
    }
    napkin_end_accesses()
    aimed.end(halfRun.counts, tasks: scheduler.numbers.count, hasLearned: learns)
    if Self.running === self { Self.running = nil }
    for waiting in Self.waiting { waiting.resume() }
    Self.waiting = []
  }
}
