// SPDX-License-Identifier: Apache-2.0

/// An order in which tasks have their steps, as another execution had it or should have had it.
package struct TaskOrder: Codable, Sendable, Equatable {
  /// Time passes although tasks are ready.
  static let time = -1

  /// Time passes, where it can, until the task of the entry before this one has had its step.
  static let barrier = -2

  /// The tasks in the order in which they were started, each with the one that started it; -1 is none.
  var starts: [Int] = []

  /// The tasks by their numbers in that execution, or `time`, or `barrier`.
  var entries: [Int] = []

  /// Whether a task may overtake others in the queue of an actor, as if they had arrived later.
  var overtakes = false
}

/// Runs the tasks of one execution in a given order, as far as they are ready, and the ones that it does not name first come, first served.
///
/// A choice of an execution counts ranks, which mean other tasks once one of them has changed; an order by task stays the
/// same.
final class TaskOrderStrategy: SchedulingStrategy {
  private var names = TaskNames()
  private let entries: [Int]
  private let overtakes: Bool
  private var isDone: [Bool]
  private var next = 0

  init(_ order: TaskOrder) {
    names.begin()
    var ofTask: [Int: Int] = [:]
    for start in stride(from: 0, to: order.starts.count - 1, by: 2) {
      let (task, starter) = (order.starts[start], order.starts[start + 1])
      ofTask[task] = names.add(task, startedBy: starter < 0 ? nil : starter)
    }
    entries = order.entries.map { $0 < 0 ? $0 : ofTask[$0] ?? 0 }
    overtakes = order.overtakes
    isDone = Array(repeating: false, count: entries.count)
    // The tasks that start from here on are those of the execution.
    names.begin()
    super.init([.letsTimePass, .watchesSteps])
  }

  override func started(_ task: Int, by starter: Int?) { _ = names.add(task, startedBy: starter) }

  override func pick(_ ready: inout ReadyQueue, after running: Int) -> Int {
    var ranks: [Int: Int] = [:]
    for rank in (0..<ready.count).reversed() { ranks[names.name(of: ready[rank].task)] = rank }
    for index in next..<entries.count where !isDone[index] {
      switch entries[index] {
      case TaskOrder.time where ready.hasTimer:
        finish(index)
        return ready.count
      case TaskOrder.barrier where ready.hasTimer: return ready.count
      default:
        guard let rank = ranks[entries[index]] else { continue }
        if overtakes { ready[rank].order = .min }
        return rank
      }
    }
    return 0
  }

  override func willRun(_ job: ReadyJob?, before ready: borrowing ReadyQueue) {
    guard let job else { return }
    let name = names.name(of: job.task)
    for index in next..<entries.count where entries[index] == name && !isDone[index] { return finish(index) }
  }

  private func finish(_ index: Int) {
    isDone[index] = true
    // Nothing is waited for any longer.
    if index + 1 < entries.count, entries[index + 1] == TaskOrder.barrier { isDone[index + 1] = true }
    while next < entries.count, isDone[next] { next += 1 }
  }
}
