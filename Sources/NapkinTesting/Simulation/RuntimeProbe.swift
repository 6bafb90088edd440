// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// Finds out, once a process, whether a task looks as the C file believes it does, before anything relies on it.
///
/// A task hops to the main actor through the runtime's own function, and what the runtime stored in the task is compared
/// with what the C file would have stored. Where they differ, hops stay the runtime's: explorations go on with fewer
/// scheduling points, and say so.
@MainActor
package enum RuntimeProbe {
  private static var isDone = false

  /// Whether a report can tell tasks that wait from tasks that have ended.
  private(set) static var knowsCompletion = false

  /// Takes the place of the scheduler that is to run, whose strategy is to learn nothing of the probe's tasks.
  static func run() {
    guard !isDone else { return }
    isDone = true
    let scheduler = Scheduler(strategy: FIFOStrategy())
    let outer = Scheduler.unretained
    Scheduler.unretained = .passUnretained(scheduler)
    defer { Scheduler.unretained = outer }
    let stopwatch = StandardStopwatch()
    napkin_set_time(3_600_000_000_000)
    napkin_learn_clocks(stopwatch.elapsed == .seconds(3_600))
    napkin_set_time(0)
    napkin_begin_probe()
    scheduler.isProbing = true
    let task = Task { @concurrent in await MainActor.run {} }
    _ = scheduler.runReady(limit: 100)
    withExtendedLifetime(task) {
      knowsCompletion = napkin_learn_completion(unsafeBitCast(task, to: UnsafeMutableRawPointer.self))
    }
    scheduler.isProbing = false
    if napkin_takes_hops() { probeQueue(of: Probed(), on: scheduler) }
  }

  private actor Probed {
    private var met = 0
    // An optimised build leaves an empty method out, and the hop to the actor with it.
    @inline(never) func meet() { met += 1 }
  }

  /// Sends two tasks to an actor and compares its queue with what the C file takes it for.
  private static func probeQueue(of actor: Probed, on scheduler: Scheduler) {
    for _ in 0..<2 {
      Task { @concurrent in
        await actor.meet()
        await MainActor.run {}
      }
    }
    scheduler.probeQueue()
  }

  /// Leaves everything to the runtime, as where the probe finds another layout; called before the first exploration.
  package static func refuse() { isDone = true }

  /// Whether hops between actors are scheduling points in this process.
  static var takesHops: Bool { napkin_takes_hops() }
}
