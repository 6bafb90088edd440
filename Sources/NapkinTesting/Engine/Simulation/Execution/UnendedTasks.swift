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
    guard napkin_is_exploring_thread(), MainActor.assumeIsolated({ SelfTest.knowsCompletion }) else { return [] }
    return unended { _ in true }.map(\.task)
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
