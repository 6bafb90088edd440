// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// Cancels a task of the execution now and then, at a point where no job runs.
///
/// It may be any that code can have a handle to, at any of its suspensions. A child of a group or an `async let` is cancelled with the task that waits for it.
///
/// The task, and the step before which it is cancelled, are choices like any other: they are replayed and shrunk, and
/// the simplest is to cancel no task.
final class AimedCancellation {
  private let tape: ChoiceTape
  private var random: SplitMix64
  private let odds: UInt64
  private var left = AimedCancellation.most

  // The tasks of the execution in the order of their numbers, kept alive so that they can be cancelled.
  private var tasks: [(number: Int, task: UnsafeMutableRawPointer)] = []

  /// The most cancellations of an execution: code that survives two of them hardly fails at the third.
  private static let most = 2

  /// Aims about once in an execution of that length, in steps.
  init(tape: ChoiceTape, random: SplitMix64, steps: Int) {
    self.tape = tape
    self.random = random
    odds = UInt64(max(steps, 8))
  }

  deinit {
    for (_, task) in tasks { napkin_release(task) }
  }

  /// Takes note of a task that it could cancel.
  func arrived(_ job: borrowing ReadyJob) {
    let (number, task) = (job.task, job.job)
    guard napkin_job_kind(task) == UInt32(napkin_job_task), !napkin_task_is_child(task),
      !tasks.contains(where: { $0.task == task })
    else { return }
    let index = tasks.firstIndex { $0.number > number } ?? tasks.count
    napkin_retain(task)
    tasks.insert((number, task), at: index)
  }

  /// Cancels a task or, mostly, none; returns the number of the one that was.
  func fire() -> Int? {
    tasks.removeAll { _, task in
      guard napkin_task_is_complete(task) else { return false }
      napkin_release(task)
      return true
    }
    let bound = UInt64(tasks.count + 1)
    let choice = tape.replayed(.cancellation, below: bound) ?? draw(below: bound)
    tape.record(choice, below: bound, as: .cancellation)
    guard choice != 0 else { return nil }
    let victim = tasks[Int(choice) - 1]
    napkin_cancel_task(victim.task)
    return victim.number
  }

  private func draw(below bound: UInt64) -> UInt64 {
    guard tape.isRandom, left > 0, bound > 1, random.next(below: odds) == 0 else { return 0 }
    left -= 1
    return 1 + random.next(below: bound - 1)
  }
}
