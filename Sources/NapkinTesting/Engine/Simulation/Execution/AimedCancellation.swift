// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// Has a task of the execution cancelled now and then, between two steps, or while others are half-way through one.
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

  private var live = LiveTasks()

  /// The most cancellations of an execution: code that survives two of them hardly fails at the third.
  private static let most = 2

  /// Aims about once in an execution of that length, in steps.
  init(tape: ChoiceTape, random: SplitMix64, steps: Int) {
    self.tape = tape
    self.random = random
    odds = UInt64(max(steps, 8))
  }

  /// Takes note of a task that it could cancel.
  func arrived(_ job: borrowing ReadyJob) {
    let task = job.job
    guard napkin_job_kind(task) == UInt32(napkin_job_task), !napkin_task_is_child(task),
      !live.tasks.contains(where: { $0.task == task })
    else { return }
    live.add(task, job.task)
  }

  /// The task that is to be cancelled now, with its number, or, mostly, none.
  func aim() -> (task: UnsafeMutableRawPointer, number: Int)? {
    live.removeEnded()
    let bound = UInt64(live.tasks.count + 1)
    let choice = tape.replayed(.cancellation, below: bound) ?? draw(below: bound)
    tape.record(choice, below: bound, as: .cancellation)
    guard choice != 0 else { return nil }
    // A choice means the same task whatever the order in which they arrived.
    return live.tasks.sorted { $0.number < $1.number }[Int(choice) - 1]
  }

  private func draw(below bound: UInt64) -> UInt64 {
    guard tape.isRandom, left > 0, bound > 1, random.next(below: odds) == 0 else { return 0 }
    left -= 1
    return 1 + random.next(below: bound - 1)
  }
}

extension Scheduler {
  func cancelIfAimed() {
    guard let aimed = cancellation?.aim() else { return }
    if halfRun != nil, let thread = napkin_this_split_thread() { napkin_set_thread_actor(thread, 0) }
    napkin_cancel_between_jobs(aimed.task)
    note(aimed.number)
  }

  /// The job that cancels the task that is aimed at, if one is, where others are half-way through a step.
  ///
  /// The handlers are code under test: they wait for locks that such a job holds, and their accesses are compared.
  func chooseCancellation() -> ReadyJob? {
    guard let aimed = cancellation?.aim() else { return nil }
    note(aimed.number)
    let number = newTask()
    log?.cancels(aimed.number, by: number)
    steps &+= 1
    running = number
    napkin_beat()
    return ReadyJob(
      job: napkin_make_cancellation(aimed.task), task: number, target: 0, implementation: 0, arrival: .enqueued)
  }

  private func note(_ task: Int) {
    cancelled.append((task, steps))
    order.cancelled(task)
    log?.cancelled(task: task)
  }
}
