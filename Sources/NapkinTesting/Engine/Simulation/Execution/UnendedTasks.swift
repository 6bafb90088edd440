// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// The search for tasks that go on when nothing needs them any more.
extension SimulatedExecution {
  // A task that still sets timers when this number of them have fired is taken for one that polls for ever.
  private static let mostTimers = 100

  nonisolated(nonsending) func tasksThatDoNotEnd(
    of isSuspect: @Sendable (SourcePlace) -> Bool
  ) async -> [UnendedTask] {
    guard await SelfTest.knowsCompletion else { return [] }
    var old = scheduler.timers.last
    for fired in 0..<Self.mostTimers {
      guard let next = scheduler.timers.earliest, !unended(isSuspect).isEmpty else { break }
      if fired == Self.mostTimers / 2 { old = scheduler.timers.last }
      try? await Execution.clock.sleep(for: .nanoseconds(next) - scheduler.now)
      await quiescence()
    }
    // A sleep that began long ago may be the last one, and tasks that wait for a sleeping one may end with it.
    let isSleepLeft = scheduler.timers.first.map { $0 <= old } ?? false
    return unended(isSuspect).filter { _, timer in timer.map { $0 > old } ?? !isSleepLeft }.map(\.task)
  }

  var unendedTasks: [UnendedTask] {
    guard napkin_is_exploring_thread(), napkin_knows_completion() else { return [] }
    return unended { _ in true }.map(\.task)
  }

  /// Asks whether tasks break a rule which go on and on though they were cancelled.
  func blame(_ tasks: Set<UInt64>) -> Bool {
    guard !tasks.isEmpty else { return false }
    hasDeafTask = hasDeafTask || judges.contains { $0(tasks) }
    return hasDeafTask
  }

  /// Returns the tasks that have not ended, each with the number of its timer.
  private func unended(_ isSuspect: (SourcePlace) -> Bool) -> [(task: UnendedTask, timer: Int?)] {
    let current = napkin_current_task()
    return scheduler.live.waiting.compactMap { task, number in
      guard task != current, number != 0, let function = Symbolicator.outermost(of: task), isSuspect(function) else {
        return nil
      }
      let timer = scheduler.timers.number(ofTimerOf: number)
      let unended = UnendedTask(
        title: scheduler.log?.log.title(ofTask: number) ?? "task \(number)", function: function,
        start: scheduler.log?.starts[number], resumption: Symbolicator.resumption(of: task), polls: timer != nil)
      return (unended, timer)
    }
  }
}

/// FIFO order, which counts the steps of tasks that were cancelled before.
final class FairStrategy: SchedulingStrategy {
  // A task with this number of the last jobs is not about to end.
  private static let most = 1_000

  private var steps: [Int: Int] = [:]

  init(_ live: borrowing LiveTasks) {
    super.init(.watchesSteps)
    startOver(live)
  }

  override func willRun(_ job: ReadyJob?, before ready: borrowing ReadyQueue) {
    if let job, let count = steps[job.task] { steps[job.task] = count + 1 }
  }

  /// The tasks that go on though they were cancelled, by the runtime's numbers; it counts anew then.
  func deafTasks(among live: borrowing LiveTasks) -> Set<UInt64> {
    let found = live.waiting.filter { steps[$0.number, default: 0] >= Self.most }.map { napkin_job_task_id($0.task) }
    startOver(live)
    return Set(found)
  }

  private func startOver(_ live: borrowing LiveTasks) {
    steps = [:]
    for (task, number) in live.waiting where napkin_task_is_cancelled(task) { steps[number] = 0 }
  }
}
