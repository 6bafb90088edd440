// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The work that is bound to one lifecycle's active scope, in the order of its registration (L6).
///
/// The tasks hold this object instead of the lifecycle, which they must not keep alive (L8).
final class BoundTasks: Sendable {
  fileprivate struct Entry {
    let number: UInt64
    var task: Task<Void, Never>?
    var isFinished = false
  }

  private struct State {
    var isOpen = true
    /// Set when the lifecycle goes: its identity may be another's from then on, so nothing is told under it any more.
    var isOrphaned = false
    var last: UInt64 = 0
    var lastClosed: UInt64 = 0
    /// Ascending by number. The finished ones are swept out once they are the majority.
    var entries: [Entry] = []
    var finished = 0

    func index(of number: UInt64) -> Int? {
      var low = 0
      var high = entries.count
      while low < high {
        let middle = (low + high) / 2
        if entries[middle].number < number { low = middle + 1 } else { high = middle }
      }
      return low < entries.count && entries[low].number == number ? low : nil
    }
  }

  private let state = Mutex(State())
  private let owner: ObjectIdentifier

  init(of lifecycle: ObjectIdentifier) { owner = lifecycle }

  /// How much work is registered and has not ended.
  var count: Int { state.withLock { $0.entries.count { !$0.isFinished } } }

  /// Creates the task of one piece of work, unless the scope has just ended.
  func bind(priority: TaskPriority?, _ work: @Sendable @escaping () async -> Void) -> Task<Void, Never>? {
    guard let number = admit() else { return nil }
    LifecycleObservation.tell(.taskRegistered(owner, task: number))
    let body: @Sendable () async -> Void = { [self] in
      if begin(number) {
        LifecycleObservation.tell(.taskStarted(owner, task: number))
        await work()
      }
      if finish(number) { LifecycleObservation.tell(.taskFinished(owner, task: number)) }
    }
    let task =
      if let preference = preferredExecutor {
        Task(executorPreference: preference, priority: priority, operation: body)
      } else {
        Task(priority: priority, operation: body)
      }
    if !store(task, number) { task.cancel() }
    return task
  }

  private func admit() -> UInt64? {
    state.withLock { state in
      guard state.isOpen else { return nil }
      state.last += 1
      state.entries.append(Entry(number: state.last))
      return state.last
    }
  }

  /// False if the scope ended before the task was known, and could not cancel it.
  private func store(_ task: Task<Void, Never>, _ number: UInt64) -> Bool {
    state.withLock { state in
      guard number > state.lastClosed else { return false }
      if let index = state.index(of: number), !state.entries[index].isFinished { state.entries[index].task = task }
      return true
    }
  }

  /// Work begins inside its scope or never, and never once its own task is cancelled.
  private func begin(_ number: UInt64) -> Bool {
    !Task.isCancelled && state.withLock { number > $0.lastClosed }
  }

  /// Forgets a task that has ended, and says whether anybody can still be told of it.
  private func finish(_ number: UInt64) -> Bool {
    let (task, isOrphaned) = state.withLock { state -> (Task<Void, Never>?, Bool) in
      guard let index = state.index(of: number) else { return (nil, state.isOrphaned) }
      let task = state.entries[index].task.take()
      state.entries[index].isFinished = true
      state.finished += 1
      if state.finished > 16, state.finished * 2 > state.entries.count {
        state.entries.removeAll { $0.isFinished }
        state.finished = 0
      }
      return (task, state.isOrphaned)
    }
    _ = task
    return !isOrphaned
  }

  /// Ends the scope and returns what is to be cancelled, the oldest first.
  func close(forGood: Bool = false) -> Remainder {
    let entries = state.withLock { state in
      state.isOpen = false
      state.isOrphaned = forGood
      state.lastClosed = state.last
      state.finished = 0
      defer { state.entries = [] }
      return state.entries
    }
    return Remainder(entries: entries, owner: owner)
  }

  /// Opens the next scope.
  func open() { state.withLock { $0.isOpen = true } }

  /// What the end of a scope found unfinished; it is cancelled outside every lock.
  struct Remainder {
    fileprivate let entries: [Entry]
    fileprivate let owner: ObjectIdentifier

    func cancel() {
      for entry in entries where !entry.isFinished {
        LifecycleObservation.tell(.taskCancelled(owner, task: entry.number))
        entry.task?.cancel()
      }
    }
  }
}
